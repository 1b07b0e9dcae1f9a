// Controls of a camera as they are shown: which belong together, and what they are called.
import type { Documents } from '../../api/client.ts'

/** A control; a device of an older version has no words for people with it. */
export type Control = Documents['CameraControl']

/** Controls that are shown together. */
export interface ControlGroup<C extends Control = Control> {
  readonly name: string
  readonly controls: readonly C[]
}

const AUTOMATIC = /_auto(_|$)|_automatic(_|$)|^auto_/

/** Whether a control is a mode in which the camera decides itself about another one. */
export const isAutomatic = ({ name }: Pick<Control, 'name'>): boolean => AUTOMATIC.test(name)

/** `exposure` of `exposure_time_us` and of `exposure_auto`; `white_balance` of its automatic mode. */
const subjectOf = ({ name }: Pick<Control, 'name'>, subjects: readonly string[]): string =>
  subjects.find((subject) => name === subject || name.startsWith(`${subject}_`)) ?? name

/** The automatic modes first of their group, and what they decide behind them; groups in the order of the controls. */
export const groupsOf = <C extends Control>(controls: readonly C[]): readonly ControlGroup<C>[] => {
  const subjects = controls.filter(isAutomatic).map(({ name }) => name.replace(AUTOMATIC, ''))
  const groups = new Map<string, C[]>()
  for (const control of controls) {
    const subject = subjectOf(control, subjects)
    groups.set(subject, [...(groups.get(subject) ?? []), control])
  }
  return [...groups].map(([name, members]) => ({
    name: wordsOf(name),
    controls: members.toSorted((one, other) => Number(isAutomatic(other)) - Number(isAutomatic(one))),
  }))
}

const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Its name for people. */
export const labelOf = ({ name, label }: Pick<Control, 'name' | 'label'>): string =>
  label ?? wordsOf(name.replace(/_us$/, '').replace(AUTOMATIC, ' automatic '))

/** Its unit for people. */
export const unitOf = ({ unit, unit_label }: Pick<Control, 'unit' | 'unit_label'>): string | undefined =>
  unit_label ?? (unit === 'us' ? 'µs' : undefined)
