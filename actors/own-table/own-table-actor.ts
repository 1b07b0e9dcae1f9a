// A stream's own table: it watches the link to the robot and, while there is one, feeds the table. Another adapter's crash is none of its, nor its own another's.
import * as Effect from 'effect/Effect'
import type { Latest } from '../../machines/latest.ts'
import {
  type OwnTableEffects,
  type OwnTableEvent,
  ownTableMachine,
} from '../../machines/own-table/own-table-machine.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { fromScoped } from '../run.ts'
import { OwnFeed, type OwnFeedSources } from './own-feed.ts'

/** What one table works with. link: empty while there is none. */
export interface OwnTableParts extends OwnFeedSources {
  readonly link: Latest<Nt4Session | undefined>
}

/** The machine of an own table with its effects, for one stream. */
export const ownTableActor = ({ link, ...sources }: OwnTableParts) =>
  ownTableMachine.provide({
    actors: {
      watchLink: fromScoped<never, void, OwnTableEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const tell = guard((session: Nt4Session | undefined) => send({ type: session ? 'link.up' : 'link.down' }))
          yield* Effect.acquireRelease(
            Effect.sync(() => link.subscribe(tell)),
            (unsubscribe) => Effect.sync(unsubscribe),
          )
          if (link.value) tell(link.value)
          return yield* Effect.never
        }),
      ),
      publishTable: fromScoped<never>((_, { guard }) =>
        Effect.gen(function* () {
          const session = link.value
          if (!session) return yield* Effect.never // lost meanwhile: that is about to be heard of
          yield* Effect.acquireRelease(
            Effect.sync(() => new OwnFeed(sources, session, guard)),
            (feed) => Effect.sync(() => feed.stop()),
          )
          return yield* Effect.never
        }),
      ),
    } satisfies Required<OwnTableEffects>,
  })
