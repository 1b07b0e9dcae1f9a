// The sharing of the bandwidth, with its effects: when to look.
import * as Effect from 'effect/Effect'
import {
  type BandwidthEffects,
  type BandwidthEvent,
  bandwidthMachine,
} from '../../machines/bandwidth/bandwidth-machine.ts'
import { fromScoped } from '../run.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import { isWatchedOverNetwork, onViewers } from './metered-viewers.ts'
import { Sharing, type SharingParts } from './sharing.ts'

/** What it works with. */
export interface BandwidthParts extends SharingParts {
  readonly streams: Pick<StreamRegistry, 'all' | 'subscribe'>
}

/** Pictures change slowly. */
const LOOK_EVERY_MS = 1_000

/** A new viewer is given its part before its second picture; several that come at once are one change. */
const AFTER_CHANGE_MS = 20

/** By then pictures of the newcomer were seen, and what is known of their size is no guess any more. */
const AFTER_NEWCOMER_MS = 350

/** Shares the bandwidth as long as there are viewers over the network. */
export const bandwidthActor = (parts: BandwidthParts) =>
  bandwidthMachine.provide({
    actors: {
      watchViewers: fromScoped<never, void, BandwidthEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          let wasWatched = false
          const look = () => {
            const isWatched = isWatchedOverNetwork(parts.streams)
            if (isWatched !== wasWatched) send({ type: isWatched ? 'viewers.came' : 'viewers.left' })
            wasWatched = isWatched
          }
          const stop = onViewers(parts.streams, guard(look))
          yield* Effect.addFinalizer(() => Effect.sync(stop))
          return yield* Effect.never
        }),
      ),
      share: fromScoped<never>((_, { guard }) =>
        Effect.gen(function* () {
          const sharing = new Sharing(parts)
          let timer: NodeJS.Timeout | undefined
          let isLooking = false
          const lookIn = (ms: number, thenMs: number) => {
            clearTimeout(timer)
            timer = setTimeout(
              guard(() => {
                isLooking = true
                sharing.look()
                isLooking = false
                lookIn(thenMs, LOOK_EVERY_MS)
              }),
              ms,
            )
          }
          // What a look changes is a change, too.
          const stop = onViewers(
            parts.streams,
            guard(() => {
              if (!isLooking) lookIn(AFTER_CHANGE_MS, AFTER_NEWCOMER_MS)
            }),
          )
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              stop()
              clearTimeout(timer)
              sharing.end()
            }),
          )
          return yield* Effect.never
        }),
      ),
    } satisfies Required<BandwidthEffects>,
  })
