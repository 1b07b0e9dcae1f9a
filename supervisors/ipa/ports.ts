// The tuning files of this device, and who finds charts.
import { CLOCK } from '../../native/clock/port.ts'
import { chartProgram } from '../../native/ipa/chart-program.ts'
import { believableIpa, FakeChartFinder } from '../../native/ipa/fake.ts'
import { linuxIpa } from '../../native/ipa/linux.ts'
import { CHART_FINDER, IPA } from '../../native/ipa/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const ipaPorts = [
  port(IPA, {
    needs: { files: SYSTEM_FILES, clock: CLOCK },
    device: ({ device, dataDir }, { files, clock: { nowMs } }) =>
      device.kind === 'fake' ? believableIpa(nowMs) : linuxIpa({ files, dataDir, nowMs, environment: process.env }),
    fake: ({ clock: { nowMs } }) => believableIpa(nowMs),
  }),
  port(CHART_FINDER, {
    needs: { programs: PROGRAMS },
    device: ({ device }, { programs }) => (device.kind === 'fake' ? new FakeChartFinder() : chartProgram(programs)),
    fake: () => new FakeChartFinder(),
  }),
]
