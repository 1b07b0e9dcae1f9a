// Restarts of the service, the device, a stream. Started before the jobs, since it says which of them are found again.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { ROBOT_ENABLED } from '../../actors/nt4/tokens.ts'
import { watchDeviceUse } from '../../actors/restart/device-use.ts'
import { Restarts } from '../../actors/restart/restarts.ts'
import { DEVICE_USE, RESTARTS } from '../../actors/restart/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { PEER_ORDERS } from '../../machines/interdevice/peer-orders.ts'
import { RESTART_JOB } from '../../machines/restart/restart-order.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { RESTART } from '../../native/restart/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { restartPorts } from './ports.ts'

export const restartBranch = branch({
  ports: restartPorts,
  offers: [
    offer(
      DEVICE_USE,
      { streams: STREAM_REGISTRY, directory: DIRECTORY, robotEnabled: ROBOT_ENABLED, peerOrders: PEER_ORDERS },
      ({ streams, directory: { events }, robotEnabled, peerOrders }) =>
        watchDeviceUse({ streams, events, robotEnabled, peerOrders: peerOrders.running }),
    ),
    offer(
      RESTARTS,
      {
        port: RESTART,
        watchUse: DEVICE_USE,
        jobs: JOBS,
        directory: DIRECTORY,
        streams: STREAM_REGISTRY,
        clock: CLOCK,
      },
      (parts) => new Restarts(parts),
    ),
  ],
  needs: { jobs: JOBS, restarts: RESTARTS },
  start: ({ jobs, restarts }) =>
    Effect.sync(() => jobs.declare({ kind: RESTART_JOB, resume: (job) => restarts.resume(job) })),
})
