// The error history: faults are recorded in memory where they are met, and kept on disk by the error keeper.
import * as Effect from 'effect/Effect'
import {
  type ErrorKeeperActions,
  type ErrorKeeperEffects,
  type ErrorKeeperEvent,
  errorKeeperMachine,
} from '../../machines/errors/error-keeper-machine.ts'
import { errorRecorded, errorsCleared } from '../../machines/errors/events.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type ErrorEntry, type ErrorHistory, type ErrorHistoryStore, errorsOf } from '../../machines/errors/history.ts'
import type { Documents } from '../../native/documents/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import { fromEffect, fromScoped } from '../run.ts'

/** What a recorder works with. nowMs: Unix time. */
export interface RecorderParts {
  readonly store: ErrorHistoryStore
  readonly events: EventBus
  readonly nowMs: () => number
}

/**
 * Enters a fault into the history. times: how often it happened since it was last entered; once, when nothing is said.
 */
export type RecordFault = (fault: Fault, times?: number) => void

/**
 * Makes the function that enters a fault into the history and publishes `error_recorded`. It works whether or not the
 * keeper lives.
 */
export const errorRecorder =
  ({ store, events, nowMs }: RecorderParts): RecordFault =>
  (fault, times = 1) => {
    store.trigger.recorded({ fault, at_ms: nowMs(), times })
    const [entry] = errorsOf(store) as readonly [ErrorEntry, ...ErrorEntry[]]
    events.publish(errorRecorded, { resource_ref: {}, revision: revisionOf(store), data: entry })
  }

/** What the keeper works with. */
export interface ErrorKeeperParts {
  readonly store: ErrorHistoryStore
  readonly events: EventBus
  readonly documents: Documents
}

/** Takes `errors.clear`, which is done when the history is empty on disk too. */
export const errorKeeperActor = ({ store, events, documents }: ErrorKeeperParts) => {
  const history = () => store.getSnapshot().context
  const load = Effect.suspend(() =>
    history().hasKept ? Effect.void : Effect.map(documents.loadErrors, (kept) => store.trigger.loaded(kept)),
  )
  /** Nothing is saved before what was kept has been read: its revisions would begin again. */
  const save = (entriesOf: (history: ErrorHistory) => readonly ErrorEntry[]) =>
    Effect.andThen(
      load,
      Effect.suspend(() => documents.saveErrors({ revision: history().revision, entries: entriesOf(history()) })),
    )
  return errorKeeperMachine.provide({
    actors: {
      loadErrors: fromEffect(() => load),
      watchErrors: fromScoped<never, void, ErrorKeeperEvent>((_, { send, guard }) =>
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => {
              let before = history()
              return store.subscribe(
                guard(({ context }: { readonly context: ErrorHistory }) => {
                  if (context.entries.length > 0)
                    send({ type: hasGrown(before, context) ? 'errors.grew' : 'errors.counted' })
                  before = context
                }),
              )
            }),
            (subscription) => Effect.sync(() => subscription.unsubscribe()),
          ),
          Effect.never,
        ),
      ),
      saveErrors: fromEffect(() => save(({ entries }) => entries)),
      clearErrors: fromEffect(() => save(() => [])),
    } satisfies Required<ErrorKeeperEffects>,
    actions: {
      forgetErrors: () => {
        store.trigger.cleared()
        events.publish(errorsCleared, { resource_ref: {}, revision: revisionOf(store) })
      },
    } satisfies Required<ErrorKeeperActions>,
  })
}

const revisionOf = (store: ErrorHistoryStore): number => store.getSnapshot().context.revision

/** The latest entry is one that was not there before; a full history loses its oldest and stays as long. */
const hasGrown = (before: ErrorHistory, after: ErrorHistory): boolean => {
  const latest = after.entries.at(-1)
  return (
    latest !== undefined &&
    !before.entries.some(({ code, resource }) => code === latest.code && resource === latest.resource)
  )
}
