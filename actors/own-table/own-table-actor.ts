// The actor of one of our own tables: it watches the link to the robot and, while there is one, publishes the table. A
// crash of it stops no other table.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import {
  type OwnTableActions,
  type OwnTableEffects,
  type OwnTableEvent,
  ownTableMachine,
} from '../../machines/own-table/own-table-machine.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { watchLinkOf } from '../nt4/watch-link.ts'
import { fromScoped, keep, type Talk } from '../run.ts'
import { OwnFeed, type OwnFeedSources } from './own-feed.ts'

/** What any table works with. */
export interface TableParts {
  /** Empty while there is none. */
  readonly link: Latest<Nt4Session | undefined>
  /** Enters a fault in the error history. */
  readonly record?: (fault: Fault) => void
}

/** What feeds a table on one session. */
interface Feed {
  readonly stop: () => void
}

/** The machine of a table with its effects. makeFeed: begins to publish. */
export const tableActor = (
  { link, record }: TableParts,
  makeFeed: (session: Nt4Session, talk: Talk<OwnTableEvent>) => Feed,
) =>
  ownTableMachine.provide({
    actions: {
      record: ({ context }) => {
        if (context.fault) record?.(context.fault)
      },
    } satisfies Required<OwnTableActions>,
    actors: {
      watchLink: watchLinkOf(link),
      publishTable: fromScoped<never, void, OwnTableEvent>((_, talk) =>
        Effect.suspend(() => {
          const session = link.value
          if (!session) return Effect.never // lost meanwhile: that is about to be heard of
          return keep(
            () => makeFeed(session, talk),
            (feed) => feed.stop(),
          )
        }),
      ),
    } satisfies Required<OwnTableEffects>,
  })

/** What the table of one stream works with. */
export interface OwnTableParts extends TableParts, OwnFeedSources {}

/** The table of one stream. */
export const ownTableActor = ({ link, record, ...sources }: OwnTableParts) =>
  tableActor({ link, ...(record && { record }) }, (session, talk) => new OwnFeed(sources, session, talk))
