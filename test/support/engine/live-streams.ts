// A service whose streams run on fake engines that show frames by themselves, and wait at gates.
import type { TestContext } from 'node:test'
import { CLOCK } from '../../../native/clock/port.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { ENGINES } from '../../../native/engine/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeService, type ServiceParts } from '../service.ts'
import { Gate, gated } from './gates.ts'

/** starts, ends: close one, and engines wait there. */
export const liveStreams = async (t: TestContext, parts: ServiceParts = {}) => {
  const [starts, ends, engines] = [new Gate(), new Gate(), fakeEngines({ nowUs: systemClock.monotonicUs })]
  const ports = [value(CLOCK, systemClock), value(ENGINES, gated(engines, starts, ends)), ...(parts.ports ?? [])]
  t.after(() => {
    starts.open()
    ends.open()
  })
  const service = await fakeService(t, { ...parts, engines, ports })
  return { ...service, engines, starts, ends }
}
