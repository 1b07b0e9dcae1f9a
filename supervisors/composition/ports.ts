// The port that all branches share.
import { FakeClock } from '../../native/clock/fake.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { port } from './branch.ts'

export const clockPort = port(CLOCK, { device: () => systemClock, fake: () => new FakeClock() })
