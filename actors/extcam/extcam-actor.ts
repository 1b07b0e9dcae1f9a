// A stream's adapter: it watches the link to the robot and, while there is one, feeds the stream's table.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type ExtcamActions,
  type ExtcamEffects,
  type ExtcamEvent,
  extcamMachine,
} from '../../machines/extcam/extcam-machine.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { watchLinkOf } from '../nt4/watch-link.ts'
import { fromEffect, fromScoped, keep } from '../run.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import type { Controls } from './controls.ts'
import type { SnapshotSources } from './current-snapshot.ts'
import { Feed, type FeedSources } from './feed.ts'

/** What one adapter works with. link: empty while there is none. */
export interface ExtcamParts extends Omit<FeedSources, 'later'>, Pick<SnapshotSources, 'link'> {
  /** What the robot writes. */
  readonly controls: Pick<Controls, 'follow' | 'carryOut'>
  /** Enters a fault in the error history. */
  readonly record?: (fault: Fault) => void
  /** Default setTimeout. */
  readonly later?: StartTimer
}

/** The adapter machine with its effects, for one stream. */
export const extcamActor = ({ link, controls, record, later = startTimer, ...sources }: ExtcamParts) =>
  extcamMachine.provide({
    actions: {
      record: ({ context }) => {
        if (context.fault) record?.(context.fault)
      },
    } satisfies Required<ExtcamActions>,
    actors: {
      watchLink: watchLinkOf(link),
      publishTable: fromScoped<never, { readonly table: string }, ExtcamEvent>(({ table }, talk) =>
        Effect.flatMap(sessionOf(link), (session) =>
          keep(
            () => new Feed({ ...sources, later }, session, table, talk),
            (feed) => feed.stop(),
          ),
        ),
      ),
      readWrites: fromScoped<never, { readonly table: string }>(({ table }, { guard }) =>
        Effect.flatMap(sessionOf(link), (session) =>
          keep(
            () => controls.follow(session, table, { guard, later }),
            (unfollow) => unfollow(),
          ),
        ),
      ),
      carryOutWrites: fromEffect(() => controls.carryOut),
    } satisfies Required<ExtcamEffects>,
  })

/** The session that there is now; a link may be lost in the moment in which it is to be used. */
const sessionOf = (link: ExtcamParts['link']): Effect.Effect<Nt4Session, Fault> =>
  Effect.suspend(() => {
    if (link.value) return Effect.succeed(link.value)
    const detail =
      'The link to the robot was lost before the table was published; it is published when the link returns.'
    return Effect.fail<Fault>({ code: 'extcam.link_lost', detail })
  })
