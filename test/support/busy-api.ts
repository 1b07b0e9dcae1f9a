// The API of a service that has one live stream of whom everything can be asked, and one job that is done.
import type { TestContext } from 'node:test'
import { JOBS } from '../../actors/jobs/tokens.ts'
import type { ApiParts } from '../../api/server/server.ts'
import { jobExample } from '../../machines/jobs/job.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { value } from '../../supervisors/composition/container.ts'
import { type FakeApi, fakeApi } from './api.ts'
import type { FakeService } from './service.ts'
import { until } from './until.ts'

const pose = { x_m: 1, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** Has a job that is done; the one which the references show. */
export const addJob = ({ resolve }: FakeService): void => {
  resolve(JOBS).store.trigger.ordered({ change: { type: 'accept', job: jobExample } })
}

/** A service whose stream `front` has results, and gives pictures to whoever asks. */
export const busyApi = async (t: TestContext, parts: Partial<ApiParts> = {}): Promise<FakeApi> => {
  const api = await fakeApi(t, parts, { engines: fakeEngines(), ports: [value(CLOCK, systemClock)] })
  const stream = await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' }, pose })
  await api.fake.state('front', 'live')
  await until('a frame', () => stream.results.value)
  addJob(api.fake)
  return api
}
