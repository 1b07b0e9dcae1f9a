// The engines of the streams, what they can write and read, and the files that they may read.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../../machines/engine/health.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { fakeCodecs } from '../../native/codecs/fake.ts'
import { linuxCodecs } from '../../native/codecs/linux.ts'
import { CODECS } from '../../native/codecs/port.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import type { EngineTask } from '../../native/engine/port.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { engineProcesses } from '../../native/engine/service/engines.ts'
import { MEDIA_FOLDER } from '../../native/media/folder.ts'
import { fakeMediaRoots } from '../../native/media-roots/fake.ts'
import { filesOfRoots } from '../../native/media-roots/files.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import { FakeUsb } from '../../native/usb/fake.ts'
import { USB, type UsbPort } from '../../native/usb/port.ts'
import { port } from '../composition/branch.ts'
import { mediaRoots } from '../options.ts'

/** A camera of a made-up device may hang until its port was without power. */
const faultOfHanging =
  (usb: UsbPort) =>
  ({ source }: EngineTask): Fault | undefined => {
    const device = 'device' in source ? source.device : undefined
    return usb instanceof FakeUsb && [...usb.hanging.values()].some((each) => each === device)
      ? { code: 'camera.unreadable', detail: `${device} does not answer` }
      : undefined
  }

export const streamPorts = [
  port(ENGINES, {
    needs: { clock: CLOCK, usb: USB },
    device: ({ engine, dataDir }, { clock, usb }) =>
      engine === 'fake'
        ? fakeEngines({ nowUs: clock.monotonicUs, openFault: faultOfHanging(usb) })
        : engineProcesses(LIMITS, join(dataDir, MEDIA_FOLDER)),
    fake: ({ clock }) => fakeEngines({ nowUs: clock.monotonicUs }),
  }),
  port(CODECS, { device: ({ engine }) => (engine === 'fake' ? fakeCodecs() : linuxCodecs()), fake: fakeCodecs }),
  port(MEDIA_ROOTS, {
    device: (options) => filesOfRoots(mediaRoots(options, homedir())),
    fake: () => fakeMediaRoots(),
  }),
]
