// Updates of the service. Started after the servers, whose health a version on trial is measured by.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import { DIRECTORY } from '../../actors/directory.ts'
import { NT4_LINK } from '../../actors/nt4/tokens.ts'
import { DEVICE_USE } from '../../actors/restart/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { arrivingBundle } from '../../actors/update/arriving-bundle.ts'
import { RecordKeeper } from '../../actors/update/record-keeper.ts'
import { ARRIVING_BUNDLE, UPDATE_VIEW } from '../../actors/update/tokens.ts'
import { ranBefore, trialHealth } from '../../actors/update/trial-health.ts'
import { updateActor } from '../../actors/update/update-actor.ts'
import { UpdateNews } from '../../actors/update/update-news.ts'
import { PEER_ORDERS, PeerOrders } from '../../machines/interdevice/peer-orders.ts'
import { Latest } from '../../machines/latest.ts'
import { token } from '../../machines/token.ts'
import { updateChanged } from '../../machines/update/events.ts'
import { UPDATE_PROGRESS } from '../../machines/update/progress.ts'
import type { updateMachine } from '../../machines/update/update-machine.ts'
import { ASK_OWN_API, BUNDLE_STORE, UPDATE_BACKEND, UPDATE_RECORDS } from '../../native/update/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LIFECYCLE, ON_BUG, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { addressOf } from '../http/branch.ts'
import { updatePorts } from './ports.ts'

const UPDATE = 'update'

const KEEPER = token<RecordKeeper>('update-keeper')
const NEWS = token<UpdateNews>('update-news')

export const updateBranch = branch({
  events: [updateChanged],
  ports: updatePorts,
  offers: [
    offer(UPDATE_PROGRESS, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug(UPDATE))),
    offer(
      KEEPER,
      { records: UPDATE_RECORDS, directory: DIRECTORY },
      ({ records, directory }) => new RecordKeeper(records, directory.clock.nowMs),
    ),
    offer(
      NEWS,
      { directory: DIRECTORY, keeper: KEEPER, progress: UPDATE_PROGRESS, backend: UPDATE_BACKEND },
      ({ directory, keeper, progress, backend }) => new UpdateNews({ directory, keeper, progress, backend }),
    ),
    offer(PEER_ORDERS, { onBug: ON_BUG }, ({ onBug }) => new PeerOrders(onBug(UPDATE))),
    offer(ARRIVING_BUNDLE, { store: BUNDLE_STORE, progress: UPDATE_PROGRESS }, ({ store, progress }) =>
      arrivingBundle(store, progress),
    ),
    offer(UPDATE_VIEW, { news: NEWS }, ({ news }) => news.view),
  ],
  needs: {
    supervisor: SUPERVISOR,
    lifecycle: LIFECYCLE,
    directory: DIRECTORY,
    record: RECORD,
    streams: STREAM_REGISTRY,
    link: NT4_LINK,
    watchUse: DEVICE_USE,
    askOwnApi: ASK_OWN_API,
    backend: UPDATE_BACKEND,
    store: BUNDLE_STORE,
    progress: UPDATE_PROGRESS,
    keeper: KEEPER,
    news: NEWS,
  },
  start: ({ supervisor, lifecycle, directory, record, streams, link, watchUse, ...parts }) =>
    Effect.gen(function* () {
      const { askOwnApi, backend, store, progress, keeper, news } = parts
      yield* whenClockIsSet(directory.clock, (byMs) => keeper.clockSet(byMs, directory.identity.started_at_ms))
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          lifecycle.add(({ id, type }) => {
            const updater = supervisor.actor(UPDATE) as ActorRefFrom<typeof updateMachine> | undefined
            if (id === UPDATE && type === 'started' && updater) news.follow(updater)
          }),
        ),
        (stop) =>
          Effect.sync(() => {
            stop()
            news.end()
          }),
      )
      const looked = { directory, streams, link }
      const logic = (): typeof updateMachine =>
        updateActor({
          backend,
          store,
          keeper,
          progress,
          watchUse: backend.unavailable === null ? watchUse : () => () => {},
          ranBefore: () => ranBefore(looked),
          health: trialHealth({
            ...looked,
            askOwnApi,
            address: () => (supervisor.actor('http') ? addressOf(supervisor) : null),
          }),
          record: (fault) => record({ resource: UPDATE, ...fault }),
        })
      yield* supervisor.start({
        id: UPDATE,
        incarnate: Effect.sync(() => ({ logic: logic(), options: { input: { unavailable: backend.unavailable } } })),
      })
    }),
})
