// The bandwidth that previews may take over the network.
import * as Effect from 'effect/Effect'
import { bandwidthActor } from '../../actors/bandwidth/bandwidth-actor.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { BANDWIDTH_BUDGET } from '../../machines/bandwidth/budget.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { OPTIONS, SUPERVISOR } from '../composition/tokens.ts'

/** Without a limit there is nothing to share. */
export const bandwidthBranch = branch({
  offers: [
    offer(BANDWIDTH_BUDGET, { options: OPTIONS }, ({ options: { bandwidthMbitS } }) => ({ mbit_s: bandwidthMbitS })),
  ],
  needs: { supervisor: SUPERVISOR, streams: STREAM_REGISTRY, clock: CLOCK, budget: BANDWIDTH_BUDGET },
  start: ({ supervisor, streams, clock, budget: { mbit_s } }) =>
    mbit_s === null
      ? Effect.void
      : supervisor.start({
          id: 'bandwidth',
          incarnate: Effect.sync(() => ({ logic: bandwidthActor({ streams, clock, budget_mbit_s: mbit_s }) })),
        }),
})
