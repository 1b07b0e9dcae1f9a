// The system around the service: its programs, its files, how it does.
import { join } from 'node:path'
import { CLOCK } from '../../native/clock/port.ts'
import { FakePrograms } from '../../native/programs/fake.ts'
import { linuxPrograms } from '../../native/programs/linux.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { FakeRunRecord, FakeSystem } from '../../native/system/fake.ts'
import { linuxSystem } from '../../native/system/linux.ts'
import { RUN_RECORD, SYSTEM } from '../../native/system/port.ts'
import { fileRunRecord } from '../../native/system/run-record.ts'
import { FakeSystemFiles } from '../../native/system-files/fake.ts'
import { linuxSystemFiles } from '../../native/system-files/linux.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const systemPorts = [
  port(PROGRAMS, {
    device: ({ device }) => (device.kind === 'fake' ? new FakePrograms() : linuxPrograms()),
    fake: () => new FakePrograms(),
  }),
  port(SYSTEM_FILES, {
    device: ({ device }) => (device.kind === 'fake' ? new FakeSystemFiles() : linuxSystemFiles()),
    fake: () => new FakeSystemFiles(),
  }),
  port(SYSTEM, {
    needs: { clock: CLOCK, programs: PROGRAMS },
    device: ({ device, dataDir }, { clock: { monotonicUs }, programs }) =>
      device.kind === 'fake'
        ? new FakeSystem({ troubles: device.troubles, nowUs: monotonicUs })
        : linuxSystem({ disk: dataDir, nowUs: monotonicUs, programs }),
    fake: ({ clock: { monotonicUs } }) => new FakeSystem({ nowUs: monotonicUs }),
  }),
  port(RUN_RECORD, {
    device: ({ dataDir }) => fileRunRecord(join(dataDir, 'device-runs.json')),
    fake: () => new FakeRunRecord(),
  }),
]
