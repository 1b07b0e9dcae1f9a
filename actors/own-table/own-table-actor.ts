// A stream's own table: it watches the link to the robot and, while there is one, feeds the table. Another adapter's crash is none of its, nor its own another's.
import * as Effect from 'effect/Effect'
import type { Latest } from '../../machines/latest.ts'
import { type OwnTableEffects, ownTableMachine } from '../../machines/own-table/own-table-machine.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { watchLinkOf } from '../nt4/watch-link.ts'
import { fromScoped, keep } from '../run.ts'
import { OwnFeed, type OwnFeedSources } from './own-feed.ts'

/** What one table works with. link: empty while there is none. */
export interface OwnTableParts extends OwnFeedSources {
  readonly link: Latest<Nt4Session | undefined>
}

/** The machine of an own table with its effects, for one stream. */
export const ownTableActor = ({ link, ...sources }: OwnTableParts) =>
  ownTableMachine.provide({
    actors: {
      watchLink: watchLinkOf(link),
      publishTable: fromScoped<never>((_, { guard }) =>
        Effect.suspend(() => {
          const session = link.value
          if (!session) return Effect.never // lost meanwhile: that is about to be heard of
          return keep(
            () => new OwnFeed(sources, session, guard),
            (feed) => feed.stop(),
          )
        }),
      ),
    } satisfies Required<OwnTableEffects>,
  })
