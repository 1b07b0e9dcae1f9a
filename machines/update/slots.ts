// Which version of the service runs on a device, and which one runs if that does not do: one small file that is always
// written whole, so that a power cut leaves the one state or the other. What happens to it is decided here.
import type { Static } from 'typebox'
import { schemaErrors } from '../schema/errors.ts'
import { jsonIn } from '../schema/json.ts'
import { lenient } from '../schema/lenient.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { PACKAGED, versionIn } from './release.ts'
import { isOlder, isVersion } from './version.ts'

const strict = { additionalProperties: false } as const

/** A version that did not do. */
export const FailedVersion = Type.Object(
  {
    version: Type.String({ description: 'Its name.' }),
    reason: Type.String({ description: 'Why it was given up, for people.' }),
    at_ms: Type.Integer({ description: 'When, Unix time.' }),
    exits: Type.Array(Type.String(), { maxItems: 8, description: 'How its runs ended, the last one last.' }),
    left_behind: Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Documents that were written while it ran, and are not in the settings now: as `streams/front`.',
    }),
  },
  { ...strict, title: 'FailedVersion', description: 'A version that did not do.' },
)
export type FailedVersion = Static<typeof FailedVersion>

/** The file `state.json` of the system folder. */
export const SlotState = Type.Object(
  {
    format: Type.Literal(1),
    current: Type.String({ description: 'The name of the version that is to run, or `packaged`.' }),
    previous: Type.Union([Type.String(), Type.Null()], { description: 'The one to go back to; null: there is none.' }),
    tries: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How often the current one may still be started before it is given up; null: it is committed.',
    }),
    packaged: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the packaged version when it was last seen; null: it was not.',
    }),
    since_ms: Type.Integer({ description: 'When the current one was chosen, Unix time.' }),
    why: Type.String({ description: 'Why it was chosen, for people.' }),
    give_up: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the next start goes back to the previous one, for people; null: it does not.',
    }),
    exits: Type.Array(Type.String(), { maxItems: 8, description: 'How runs of a trial ended, the last one last.' }),
    failed: Type.Union([FailedVersion, Type.Null()], { description: 'The last one that was given up; null: none.' }),
  },
  { ...strict, title: 'SlotState', description: 'Which version runs, and which one if that does not do.' },
)
export type SlotState = Static<typeof SlotState>

/** How often a version is started at most before it must have been committed. */
export const TRIES = 2

const MAX_EXITS = 8
const MAX_LEFT_BEHIND = 100

const LENIENT = lenient(SlotState)

/**
 * The state in a file; undefined: it is none. Fields that this version does not know are left out, and those that are
 * missing mean nothing: launcher and service may be of different versions.
 */
export const slotStateIn = (text: string): SlotState | undefined => {
  const found = jsonIn(text)
  if (typeof found !== 'object' || found === null) return undefined
  const state: unknown = { packaged: null, why: '', give_up: null, exits: [], failed: null, ...found }
  return schemaErrors(LENIENT, state).length === 0 ? (state as SlotState) : undefined
}

/** A version whose folder is whole. */
export interface WholeVersion {
  readonly name: string
  readonly built_at_ms: number
}

/** What a start finds. */
export interface FoundSlots {
  /** missing: there is no file. unreadable: there is one that says nothing. */
  readonly state: SlotState | 'missing' | 'unreadable'
  /** Those in the system folder. The packaged one is not among them, and always there. */
  readonly versions: readonly WholeVersion[]
  /** The name that the packaged one would have among them; null: it does not say. */
  readonly packaged: string | null
  /** How the previous run ended, for people; null: nobody noted it. */
  readonly ended: string | null
  readonly now_ms: number
}

/** What a start does. */
export interface Decision {
  /** It is on the disk before its current version is started. */
  readonly state: SlotState
  /** Whether it is another one than was found. */
  readonly isNew: boolean
  /** The version that was given up with this start; null: none. */
  readonly gaveUp: string | null
  /** Whether what the current version has as its settings is older than what there is now. */
  readonly hasOldSettings: boolean
}

/** What the next start runs, and why. Whatever was found, there is one. */
export const decide = (found: FoundSlots): Decision => {
  const known = typeof found.state === 'string' ? chooseAgain(found.state, found) : found.state
  const noted = heedPackage(noteEnd(known, found), found)
  const { state, gaveUp } = decideKnown(noted, found)
  return { state, gaveUp, isNew: state !== found.state, hasOldSettings: noted.current !== known.current }
}

/** Whoever installs another package wants to run it, unless it is older than what was uploaded. */
const heedPackage = (state: SlotState, { packaged, now_ms }: FoundSlots): SlotState => {
  if (packaged === null || packaged === state.packaged) return state
  const seen = { ...state, packaged }
  const [version, running] = [versionIn(packaged), versionIn(state.current)]
  if (state.packaged === null || !isVersion(version) || !isVersion(running) || isOlder(version, running)) return seen
  return { ...activate(seen, PACKAGED, now_ms), why: `another package was installed: ${packaged}` }
}

const decideKnown = (state: SlotState, found: FoundSlots): Pick<Decision, 'state' | 'gaveUp'> => {
  const { current, give_up, tries, exits } = state
  if (give_up !== null) return giveUp(state, found, give_up)
  if (!isThere(current, found)) return giveUp(state, found, `the folder of ${current} is missing, or not whole`)
  if (tries === null) return { state, gaveUp: null }
  if (tries === 0) return giveUp(state, found, reasonOf(exits))
  return { state: { ...state, tries: tries - 1 }, gaveUp: null }
}

/** Nobody knows what ran: the newest version may have been on trial, and is again. */
const chooseAgain = (why: 'missing' | 'unreadable', { versions, packaged, now_ms }: FoundSlots): SlotState => {
  const newest = newestOf(versions)
  const reason =
    why === 'missing' && !newest
      ? 'it is the version of the package, and no other was installed'
      : `state.json was ${why}: the newest version that is whole was chosen`
  return {
    format: 1,
    current: newest ?? PACKAGED,
    previous: newest === undefined ? null : PACKAGED,
    tries: newest === undefined ? null : TRIES,
    packaged,
    since_ms: now_ms,
    why: reason,
    give_up: null,
    exits: [],
    failed: null,
  }
}

/** How a run ended is of interest while a version is on trial. The run before its first one was of another version. */
const noteEnd = (state: SlotState, { ended }: FoundSlots): SlotState =>
  state.tries === null || state.tries >= TRIES
    ? state
    : { ...state, exits: [...state.exits, ended ?? NOT_NOTED].slice(-MAX_EXITS) }

const NOT_NOTED = 'it ended, and nobody could note how: the power was cut, or all was killed'

const giveUp = (state: SlotState, found: FoundSlots, reason: string): Pick<Decision, 'state' | 'gaveUp'> => {
  const { current, previous, exits } = state
  const target = targetOf(current, previous, found)
  if (target === current) {
    const why = `there is no other version to go back to (${reason})`
    return { state: { ...state, tries: null, give_up: null, why }, gaveUp: null }
  }
  const failed = { version: current, reason, at_ms: found.now_ms, exits, left_behind: [] }
  return {
    state: {
      format: 1,
      current: target,
      previous: null,
      tries: null,
      packaged: state.packaged,
      since_ms: found.now_ms,
      why: `it was gone back to from ${current}: ${reason}`,
      give_up: null,
      exits: [],
      failed,
    },
    gaveUp: current,
  }
}

const targetOf = (current: string, previous: string | null, found: FoundSlots): string => {
  if (previous !== null && previous !== current && isThere(previous, found)) return previous
  return newestOf(found.versions.filter(({ name }) => name !== current)) ?? PACKAGED
}

const isThere = (name: string, { versions }: FoundSlots): boolean =>
  name === PACKAGED || versions.some((version) => version.name === name)

const newestOf = (versions: readonly WholeVersion[]): string | undefined =>
  versions.toSorted((a, b) => b.built_at_ms - a.built_at_ms || (a.name < b.name ? 1 : -1))[0]?.name

const reasonOf = (exits: readonly string[]): string =>
  oneLine`
    it was started ${exits.length} ${exits.length === 1 ? 'time' : 'times'} and never found well for long enough to
    stay: ${[...new Set(exits)].join('; then: ')}
  `

/** From the next start on this one runs, on trial. */
export const activate = (state: SlotState, name: string, now_ms: number): SlotState => ({
  ...state,
  current: name,
  previous: state.tries === null ? state.current : state.previous, // one on trial is nothing to go back to
  tries: TRIES,
  since_ms: now_ms,
  why: 'it was installed, and is on trial',
  give_up: null,
  exits: [],
})

/** The current one stays. */
export const commit = (state: SlotState): SlotState => ({
  ...state,
  tries: null,
  why: state.tries === null ? state.why : 'it was found well on trial',
  give_up: null,
  exits: [],
  failed: state.failed?.version === state.current ? null : state.failed,
})

/** The next start goes back to the previous one. reason: for people. */
export const goBack = (state: SlotState, reason: string): SlotState => ({ ...state, give_up: reason })

/** The name of the version that the next start runs, as far as it is known before. */
export const chosenOf = ({ current, previous, give_up }: SlotState): string =>
  give_up === null ? current : (previous ?? PACKAGED)

/** The state with the documents that the version which was given up leaves behind. */
export const withLeftBehind = (state: SlotState, documents: readonly string[]): SlotState => ({
  ...state,
  failed: state.failed && { ...state.failed, left_behind: documents.slice(0, MAX_LEFT_BEHIND) },
})
