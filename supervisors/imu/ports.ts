// The IMUs of this device.
import { DIRECTORY } from '../../actors/directory.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { FakeImus, movingImus, turningSlowly } from '../../native/imu/fake.ts'
import { fakeMotion } from '../../native/imu/fake-motion.ts'
import { linuxImus } from '../../native/imu/linux.ts'
import { IMU_DEVICES } from '../../native/imu/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const imuPorts = [
  port(IMU_DEVICES, {
    needs: { clock: CLOCK, files: SYSTEM_FILES, directory: DIRECTORY, maps: FIELD_MAPS },
    device: ({ device }, { clock, files, directory: { settings }, maps }) => {
      if (device.kind === 'linux') return linuxImus({ clock, files })
      if (device.troubles.includes('no-imu')) return new FakeImus([])
      const motion = fakeMotion({
        manifests: () => Object.values(documentsOf(settings, streamCollection)).map(({ value }) => value),
        map: (id) => maps().get(id),
        otherwise: turningSlowly,
      })
      return movingImus(clock, motion)
    },
    fake: () => new FakeImus(),
  }),
]
