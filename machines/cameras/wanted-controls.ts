// The camera controls that users request, and whether a camera can do it.
import type { Control } from '../engine/controls.ts'
import type { Fault } from '../errors/fault.ts'
import type { CameraUnit } from './unit.ts'

/** What is written at each opening, once one more control is wanted. A button is pressed once and not kept. */
export const withControl = (
  wanted: CameraUnit['controls'],
  control: Pick<Control, 'id' | 'type'>,
  value: number,
): CameraUnit['controls'] => {
  if (control.type === 'button') return wanted
  const others = wanted.filter(({ id }) => id !== control.id)
  return [...others, { id: control.id, value }]
}

/** The control that is to be set, or why it cannot be. */
export const settable = (controls: readonly Control[], id: number, value: number): Control | Fault => {
  const control = controls.find((each) => each.id === id)
  if (!control) {
    const known = controls.map((each) => `${each.id} (${each.name})`).join(', ')
    return {
      code: 'control.unknown',
      detail: `the camera of this stream has no control ${id}; ${known ? `it has ${known}` : 'it has none'}`,
    }
  }
  if (control.flags.includes('read-only'))
    return {
      code: 'control.refused',
      detail: `${control.name} can only be read`,
      context: contextOf(value, control.value),
    }
  const why = whyNotWithin(control, value)
  return why ? { code: 'control.out_of_range', detail: `${control.name} ${why}, not ${value}` } : control
}

/** The facts for programs, of a control that was not set as it was asked for. */
export const contextOf = (requested: number, applied: number) => ({ requested, applied, ok: false })

const whyNotWithin = ({ type, min, max, unit, menu }: Control, value: number): string | undefined => {
  if (type === 'button') return undefined
  if (menu && !menu.some((entry) => entry.value === value))
    return `must be one of ${menu.map((entry) => `${entry.value} (${entry.label})`).join(', ')}`
  const isBitmask = type === 'bitmask' // its greatest value is the set of all bits
  return (isBitmask ? 0 : min) <= value && value <= max
    ? undefined
    : `must be ${min} to ${max}${unit ? ` ${unit}` : ''}`
}
