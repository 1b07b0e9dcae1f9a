// Where projects of plugins lie.
import { join } from 'node:path'
import { CLOCK } from '../../native/clock/port.ts'
import { DiskProjects } from '../../native/ide/disk.ts'
import { FakeIde } from '../../native/ide/fake.ts'
import { IDE } from '../../native/ide/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { port } from '../composition/branch.ts'

export const idePorts = [
  port(IDE, {
    needs: { clock: CLOCK, programs: PROGRAMS },
    device: ({ dataDir }, { clock: { nowMs }, programs }) =>
      new DiskProjects({ folder: join(dataDir, 'plugins/projects'), nowMs, programs }),
    fake: () => new FakeIde(),
  }),
]
