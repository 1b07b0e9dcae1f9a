// The lamps of this device.
import { DELIVERED_LIGHTING } from '../../actors/lighting/tokens.ts'
import { DEFAULT_LIGHTING, MADE_UP_LIGHTING } from '../../machines/lighting/config.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { FakeLights } from '../../native/lighting/fake.ts'
import { linuxLights } from '../../native/lighting/linux.ts'
import { LIGHTS } from '../../native/lighting/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const lightingPorts = [
  port(LIGHTS, {
    needs: { files: SYSTEM_FILES, programs: PROGRAMS, clock: CLOCK },
    device: ({ device, dataDir }, { files, programs, clock }) =>
      device.kind === 'fake' ? new FakeLights({ nowUs: clock.monotonicUs }) : linuxLights({ files, programs, dataDir }),
    fake: ({ clock }) => new FakeLights({ nowUs: clock.monotonicUs }),
  }),
  port(DELIVERED_LIGHTING, {
    device: ({ device }) => (device.kind === 'fake' ? MADE_UP_LIGHTING : DEFAULT_LIGHTING),
    fake: () => MADE_UP_LIGHTING,
  }),
]
