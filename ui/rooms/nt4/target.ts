// Where the robot is looked for, as people choose it.

/** What can be chosen. */
export type TargetKind = 'team' | 'hosts' | 'serve' | 'off'

/** A choice: places are needed for some kinds alone. */
export interface TargetChoice {
  readonly kind: TargetKind
  readonly places: string
}

export const TARGET_KINDS: readonly (readonly [TargetKind, string])[] = [
  ['team', "the robot of the team's number"],
  ['hosts', 'at an address'],
  ['serve', 'this device is the server'],
  ['off', 'no link'],
]

/** The choice that a target stands for. */
export const choiceOf = (target: string): TargetChoice => {
  const [word = '', ...rest] = target.split(':')
  if (word === 'team' || word === 'off') return { kind: word, places: '' }
  if (word === 'serve') return { kind: 'serve', places: rest.join(':') }
  return { kind: 'hosts', places: target }
}

/** The target as it is sent. */
export const targetOf = ({ kind, places }: TargetChoice): string => {
  if (kind === 'hosts') return places.replaceAll(/\s/g, '')
  return kind === 'serve' && places.trim() !== '' ? `serve:${places.trim()}` : kind
}

/** A target in words. */
export const describeTarget = (target: string): string => {
  const { kind, places } = choiceOf(target)
  if (kind === 'hosts') return `at ${places}`
  const [, word] = TARGET_KINDS.find(([each]) => each === kind) ?? []
  return word ?? target
}
