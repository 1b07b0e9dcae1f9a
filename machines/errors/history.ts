// What went wrong on this device, counted: equal faults are one entry. Bounded, and kept across restarts by
// actors/errors/error-keeper-actor.ts.
import { createStore } from '@xstate/store'
import type { Static } from 'typebox'
import { isolateSubscribers, type OnBug } from '../listeners.ts'
import { schemaErrors } from '../schema/errors.ts'
import Type from '../schema/type.ts'
import type { Fault } from './fault.ts'

/**
 * All faults of one code about one resource (`streams/front`; empty: the device as a whole). detail: of the latest.
 * Times: Unix.
 */
export const ErrorEntry = Type.Object(
  {
    code: Type.String({ minLength: 1, description: 'The stable key, for programs.' }),
    resource: Type.String({ description: 'What it concerns, as `streams/front`; empty: the device as a whole.' }),
    detail: Type.String({ description: 'A sentence about the latest.' }),
    count: Type.Integer({ minimum: 1, description: 'How often it happened.' }),
    first_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    last_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
  },
  {
    additionalProperties: false,
    title: 'ErrorEntry',
    description: 'All faults of one code about one resource, counted.',
  },
)
export type ErrorEntry = Static<typeof ErrorEntry>

/** An entry as the references show one. */
export const errorEntryExample: ErrorEntry = {
  code: 'engine.hung',
  resource: 'streams/front',
  detail: 'the engine did not answer for 3 s and was started again',
  count: 2,
  first_at_ms: 1_767_225_600_000,
  last_at_ms: 1_767_229_200_000,
}

/** Whether what was kept is an entry. */
export const isErrorEntry = (kept: unknown): kept is ErrorEntry => schemaErrors(ErrorEntry, kept).length === 0

/** The one that has been quiet the longest makes room for a new one. */
export const MAX_ERRORS = 500

const MAX_DETAIL_LENGTH = 2000

/** What is kept of the history. */
export interface KeptErrors {
  /** As it was at the saving; the history may have come further. */
  readonly revision: number
  /** The most recent last. */
  readonly entries: readonly ErrorEntry[]
}

/** revision: rises with each change, and from run to run. */
export interface ErrorHistory extends KeptErrors {
  /** The entries of earlier runs are among these. */
  readonly hasKept: boolean
  /** Those that are of this run, by `keyOf`, with whether their first is as well. */
  readonly ofRun: ReadonlyMap<string, { readonly isNew: boolean }>
}

// More changes than a run shows without keeping them: counts are saved once a second. After a billion starts clients'
// If-Match would not hold it.
const ABOVE_KEPT = 1_000_000
/** A hundred million starts; above it is damage, and would soon be more digits than If-Match may have. */
const MAX_KEPT = 1e14

const isRevision = (kept: number): boolean => Number.isInteger(kept) && kept >= 0 && kept <= MAX_KEPT

/** onBug: told of what a subscriber threw. */
export const createErrorHistoryStore = (onBug?: OnBug) =>
  isolateSubscribers(
    createStore({
      context: { revision: 0, hasKept: false, entries: [], ofRun: new Map() } as ErrorHistory,
      on: {
        /** Puts what was kept before what has been recorded since the start, once. */
        loaded: (history, { revision, entries }: KeptErrors): ErrorHistory =>
          history.hasKept
            ? history
            : {
                ...changed(history, history.entries.reduce(counted, entries)),
                revision: (isRevision(revision) ? revision : 0) + ABOVE_KEPT + history.revision,
                hasKept: true,
                ofRun: new Map(history.entries.map((entry) => [keyOf(entry), { isNew: !isIn(entries, entry) }])),
              },
        /** times: how often it happened since it was last recorded. */
        recorded: (
          history,
          { fault, at_ms, times = 1 }: { fault: Fault; at_ms: number; times?: number },
        ): ErrorHistory => {
          const entry = { ...entryOf(fault, at_ms), count: times }
          const isNew = history.ofRun.get(keyOf(entry))?.isNew ?? !isIn(history.entries, entry)
          const after = changed(history, counted(history.entries, entry))
          return { ...after, ofRun: new Map([...history.ofRun, [keyOf(entry), { isNew }]]) }
        },
        cleared: (history): ErrorHistory => ({ ...changed(history, []), ofRun: new Map() }),
        /** The clock was set: what was recorded in this run happened so much later. */
        clockSet: (history, { by_ms }: { by_ms: number }): ErrorHistory =>
          history.ofRun.size === 0
            ? history
            : changed(
                history,
                history.entries.map((entry) => moved(history, entry, by_ms)),
              ),
      },
    }),
    onBug,
  )
export type ErrorHistoryStore = ReturnType<typeof createErrorHistoryStore>

/** All entries, the most recent first. */
export const errorsOf = (store: ErrorHistoryStore): readonly ErrorEntry[] =>
  store.getSnapshot().context.entries.toReversed()

const keyOf = ({ code, resource }: Pick<ErrorEntry, 'code' | 'resource'>): string => `${code} ${resource}`

const isIn = (entries: readonly ErrorEntry[], entry: ErrorEntry): boolean =>
  entries.some((each) => keyOf(each) === keyOf(entry))

/** Of one that came in earlier runs too only the latest time is of this one. */
const moved = ({ ofRun }: ErrorHistory, entry: ErrorEntry, by_ms: number): ErrorEntry => {
  const own = ofRun.get(keyOf(entry))
  if (!own) return entry
  const later = (at_ms: number) => Math.max(0, at_ms + by_ms)
  return { ...entry, ...(own.isNew && { first_at_ms: later(entry.first_at_ms) }), last_at_ms: later(entry.last_at_ms) }
}

const changed = (history: ErrorHistory, entries: readonly ErrorEntry[]): ErrorHistory => ({
  ...history,
  revision: history.revision + 1,
  entries: entries.slice(-MAX_ERRORS),
})

const entryOf = (fault: Fault, at_ms: number): ErrorEntry => ({
  code: fault.code,
  resource: fault.resource ?? '',
  detail: fault.detail.slice(0, MAX_DETAIL_LENGTH),
  count: 1,
  first_at_ms: at_ms,
  last_at_ms: at_ms,
})

/** The entries with another one counted in, which moves to the end. */
const counted = (entries: readonly ErrorEntry[], entry: ErrorEntry): readonly ErrorEntry[] => {
  const known = entries.find(({ code, resource }) => code === entry.code && resource === entry.resource)
  if (!known) return [...entries, entry]
  const count = Math.min(Number.MAX_SAFE_INTEGER, known.count + entry.count)
  return [...entries.filter((each) => each !== known), { ...entry, count, first_at_ms: known.first_at_ms }]
}
