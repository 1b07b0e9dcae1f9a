// The engines of the streams, and the files that they may read.
import { homedir } from 'node:os'
import { CLOCK } from '../../native/clock/port.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { engineProcesses } from '../../native/engine/process.ts'
import { fakeMedia } from '../../native/media/fake.ts'
import { mediaFiles } from '../../native/media/files.ts'
import { MEDIA } from '../../native/media/port.ts'
import { port } from '../composition/branch.ts'
import { mediaRoots } from '../options.ts'

export const streamPorts = [
  port(ENGINES, {
    needs: { clock: CLOCK },
    device: ({ engine }) => (engine === 'fake' ? fakeEngines() : engineProcesses()),
    fake: ({ clock }) => fakeEngines({ nowUs: clock.monotonicUs }),
  }),
  port(MEDIA, { device: (options) => mediaFiles(mediaRoots(options, homedir())), fake: () => fakeMedia() }),
]
