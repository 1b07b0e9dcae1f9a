// Whether a control can have a value, and what is kept of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settable, withControl } from '../../../machines/cameras/wanted-controls.ts'
import type { Control } from '../../../machines/engine/controls.ts'
import { isFault } from '../../../machines/errors/fault.ts'

const gain: Control = {
  id: 7,
  name: 'gain',
  type: 'integer',
  min: 0,
  max: 100,
  step: 1,
  default: 10,
  value: 10,
  unit: null,
  flags: [],
  menu: null,
}
const exposure: Control = { ...gain, id: 8, name: 'exposure_time_us', min: 100, max: 5000, unit: 'us' }
const mode: Control = {
  ...gain,
  id: 9,
  name: 'exposure_auto',
  type: 'menu',
  max: 3,
  menu: [
    { value: 1, label: 'Manual Mode' },
    { value: 3, label: 'Aperture Priority Mode' },
  ],
}
const button: Control = { ...gain, id: 10, name: 'restart', type: 'button', max: 0 }
const controls = [gain, exposure, mode, button]

/** What is said against a value; undefined: nothing. */
const whyNot = (id: number, value: number) => {
  const found = settable(controls, id, value)
  return isFault(found) ? [found.code, found.detail] : undefined
}

test('a value within the range of its control can be set, and any value presses a button', () => {
  for (const [id, value] of [
    [7, 0],
    [7, 100],
    [8, 5000],
    [9, 3],
    [10, 1],
  ] as const)
    assert.equal(whyNot(id, value), undefined)
})

test('a value outside of the range, or that the menu leaves out, is refused with what there is', () => {
  assert.deepEqual(whyNot(7, 101), ['control.out_of_range', 'gain must be 0 to 100, not 101'])
  assert.deepEqual(whyNot(8, 99), ['control.out_of_range', 'exposure_time_us must be 100 to 5000 us, not 99'])
  assert.deepEqual(whyNot(9, 2), [
    'control.out_of_range',
    'exposure_auto must be one of 1 (Manual Mode), 3 (Aperture Priority Mode), not 2',
  ])
})

test('a control that is not there, or that can only be read, is refused', () => {
  const readOnly = settable([{ ...gain, flags: ['read-only'] }], 7, 1)

  assert.equal(whyNot(1, 0)?.[0], 'control.unknown')
  assert.match(whyNot(1, 0)?.[1] ?? '', /it has 7 \(gain\), 8 \(exposure_time_us\)/)
  assert.equal(isFault(readOnly) && readOnly.code, 'control.refused')
})

test('the newest value of a control is kept, and a button is not', () => {
  const wanted = withControl(withControl(withControl([], gain, 1), exposure, 200), gain, 3)

  assert.deepEqual(wanted, [
    { id: 8, value: 200 },
    { id: 7, value: 3 },
  ])
  assert.deepEqual(withControl(wanted, button, 1), wanted)
})
