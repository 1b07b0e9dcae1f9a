// The networks of the device. Before the jobs: a change that an earlier run left behind is one that is found again.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { type ChangeWorkParts, changeWork, NETWORK_JOB, resumedWork } from '../../actors/network/change-work.ts'
import { networkActor } from '../../actors/network/network-actor.ts'
import { NetworkLook } from '../../actors/network/network-look.ts'
import { NETWORK_CHANGE, NETWORK_LOOK } from '../../actors/network/tokens.ts'
import { Latest } from '../../machines/latest.ts'
import type { NetworkChange } from '../../machines/network/change.ts'
import { networkChanged } from '../../machines/network/events.ts'
import { NETWORK, NETWORK_RECORDS } from '../../native/network/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, SUPERVISOR } from '../composition/tokens.ts'
import { networkPorts } from './ports.ts'

const ID = 'network'

export const networkBranch = branch({
  ports: networkPorts,
  events: [networkChanged],
  offers: [
    offer(NETWORK_CHANGE, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug(ID))),
    offer(
      NETWORK_LOOK,
      { port: NETWORK, directory: DIRECTORY },
      ({ port, directory: { clock } }) => new NetworkLook(port, () => clock.monotonicUs()),
    ),
  ],
  needs: {
    supervisor: SUPERVISOR,
    directory: DIRECTORY,
    port: NETWORK,
    records: NETWORK_RECORDS,
    news: NETWORK_CHANGE,
    jobs: JOBS,
  },
  start: ({ supervisor, directory, port, records, news, jobs }) =>
    Effect.gen(function* () {
      const { events, clock } = directory
      const work: ChangeWorkParts = {
        news,
        load: records.load,
        cancel: (jobId) => directory.actor(ID)?.send({ type: 'change.cancelled', jobId }),
        isCancelled: (jobId) => jobs.isCancelled(jobId),
      }
      jobs.declare({ kind: NETWORK_JOB, resume: ({ id }) => resumedWork(work, id) })
      const startJob = (change: NetworkChange) =>
        Effect.suspend(() => {
          const known = Promise.withResolvers<string>()
          const wanted = { kind: NETWORK_JOB, resource_ref: { interface: change.interface } }
          const started = jobs.start({ ...wanted, work: changeWork(work, known.promise) })
          return Effect.map(started, ({ id }) => {
            known.resolve(id)
            return id
          })
        })
      const tell = (interfaces: readonly string[]) =>
        events.publish(networkChanged, { resource_ref: {}, data: { interfaces: [...interfaces] } })
      const parts = { port, records, news, startJob, tell, monotonicUs: () => clock.monotonicUs() }
      yield* supervisor.start({ id: ID, incarnate: Effect.sync(() => ({ logic: networkActor(parts) })) })
    }),
})
