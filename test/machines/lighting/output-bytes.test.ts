// What outputs are told: worked out by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LIGHTING, flawsOf, type LightingConfig } from '../../../machines/lighting/config.ts'
import { bytesOf } from '../../../machines/lighting/output-bytes.ts'
import { setupsOf } from '../../../machines/lighting/setups.ts'

const part = (output: string, from: number, count: number, reversed = false) => ({ output, from, count, reversed })
const output = (
  id: string,
  pixels: number,
  channels: 1 | 3 | 4 | null,
  order: 'RGB' | 'GRB' | 'GRBW' | 'W' = 'RGB',
) => ({
  id,
  pixels,
  channels,
  order,
  active_low: false,
})

const held = (id: string, pixels: number, channels: 1 | 3 | 4, isSwitched = false) => ({
  id,
  pixels,
  channels,
  isSwitched,
})

const shown: Readonly<Record<string, readonly number[]>> = {
  line: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  lamp: [0.5, 0.25, 0],
}
const rows = (group: string) => (shown[group] ? Float64Array.from(shown[group]) : undefined)

test('pixels of a group go to the places of its parts, in order or from the end', () => {
  const groups = [{ name: 'line', parts: [part('b', 1, 1), part('a', 0, 2, true)] }]

  const bytes = bytesOf({ groups, gamma: 1, max_duty: 1 }, [held('a', 2, 3), held('b', 2, 3)], rows)

  // a: its last pixel is the group's second, green; its first the third, blue. b: dark, then red.
  assert.deepEqual([...bytes], [0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 0, 0])
})

test('gamma makes light of colours, and the limit of duty holds for all of them', () => {
  const groups = [{ name: 'lamp', parts: [part('a', 0, 1)] }]
  const told = (gamma: number, max_duty: number, channels: 1 | 3 | 4) => [
    ...bytesOf({ groups, gamma, max_duty }, [held('a', 1, channels)], rows),
  ]

  assert.deepEqual(told(1, 1, 3), [128, 64, 0]) // 127.5 and 63.75
  assert.deepEqual(told(2, 1, 3), [64, 16, 0]) // a quarter and a sixteenth
  assert.deepEqual(told(2, 0.5, 3), [32, 8, 0])
  assert.deepEqual(told(2, 0, 3), [0, 0, 0])
  assert.deepEqual(told(1, 1, 1), [128], 'a white lamp takes the brightest')
})

test('what colours have in common is white where there is white', () => {
  const groups = [{ name: 'lamp', parts: [part('a', 0, 1)] }]
  const grey = () => Float64Array.from([0.8, 0.4, 0.6])

  assert.deepEqual([...bytesOf({ groups, gamma: 1, max_duty: 1 }, [held('a', 1, 4)], grey)], [102, 0, 51, 102])
})

test('a lamp that is on or off is on from half of the brightness on, however little duty there is', () => {
  const groups = [{ name: 'lamp', parts: [part('a', 0, 1)] }]
  const told = (value: number, max_duty: number) =>
    bytesOf({ groups, gamma: 2.2, max_duty }, [held('a', 1, 1, true)], () => Float64Array.from([0, value, 0]))[0]

  assert.deepEqual([told(0.5, 0.1), told(0.49, 1), told(1, 0)], [255, 0, 0])
})

test('groups that show nothing, and outputs that are in no group, are dark', () => {
  const groups = [{ name: 'nobody', parts: [part('a', 0, 1)] }]

  assert.deepEqual(
    [...bytesOf({ groups, gamma: 1, max_duty: 1 }, [held('a', 1, 3), held('b', 1, 1)], rows)],
    [0, 0, 0, 0],
  )
})

test('outputs are held as they were found, a strip as it is set up, and what is not there is left out', () => {
  const config = {
    ...DEFAULT_LIGHTING,
    max_duty: 0.5,
    outputs: [
      output('strip', 9, 4, 'GRBW'),
      output('lamp', 7, 3, 'GRB'),
      output('line', 1, null),
      output('gone', 1, 1),
    ],
  }
  const found = [
    { id: 'strip', channels: null, levels: 256 },
    { id: 'lamp', channels: 1, levels: 1_000 },
    { id: 'line', channels: 1, levels: 2 },
  ] as const

  assert.deepEqual(
    setupsOf(config, found).map(({ id, pixels, channels, order, max_level }) => [
      id,
      pixels,
      channels,
      order,
      max_level,
    ]),
    [
      ['strip', 9, 4, 'GRBW', 128],
      ['lamp', 1, 1, 'W', 128],
      ['line', 1, 1, 'W', 255], // on or off: its guard must let it be on
    ],
  )
})

test('a configuration that cannot be is told with the place of each flaw', () => {
  const flawed: LightingConfig = {
    ...DEFAULT_LIGHTING,
    outputs: [output('a', 4, 3), output('a', 1, 1), output('b', 4, 4)],
    groups: [
      { name: 'one', parts: [part('a', 0, 3), part('c', 0, 1)] },
      { name: 'one', parts: [part('a', 2, 1)] },
      { name: 'two', parts: [part('b', 3, 2)] },
    ],
  }

  assert.deepEqual(
    flawsOf(flawed).map(({ pointer }) => pointer),
    [
      '/outputs/1/id',
      '/groups/1/name',
      '/outputs/2/order',
      '/groups/0/parts/1/output',
      '/groups/1/parts/0',
      '/groups/2/parts/0/count',
    ],
  )
  assert.deepEqual(flawsOf(DEFAULT_LIGHTING), [])
  const three = ['a', 'b', 'c'].map((id) => output(id, 700, 3))
  assert.deepEqual(flawsOf({ ...DEFAULT_LIGHTING, outputs: three })[0]?.pointer, '/outputs')
})
