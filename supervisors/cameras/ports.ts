// The cameras of this device.
import { join } from 'node:path'
import { believableCameras, FakeCameras } from '../../native/cameras/fake.ts'
import { linuxCameras } from '../../native/cameras/linux.ts'
import { CAMERAS_PORT } from '../../native/cameras/port.ts'
import { port } from '../composition/branch.ts'

export const cameraPorts = [
  port(CAMERAS_PORT, {
    device: ({ dataDir, device }) =>
      device.kind === 'fake' ? believableCameras() : linuxCameras({ notes: join(dataDir, 'switched-off') }),
    fake: () => new FakeCameras(),
  }),
]
