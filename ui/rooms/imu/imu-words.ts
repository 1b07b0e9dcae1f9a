// What is said of an IMU.
import type { Imu } from '../../state/imu.ts'
import type { Tone } from '../../words.ts'

/** How it stands with it. */
export const STATES: Readonly<Record<Imu['state'], readonly [tone: Tone, word: string]>> = {
  off: ['quiet', 'switched off'],
  looking: ['busy', 'being looked for'],
  absent: ['quiet', 'none is there'],
  opening: ['busy', 'opening'],
  settling: ['busy', 'finding where up is'],
  running: ['good', 'running'],
  failed: ['bad', 'failed'],
}

/** How it is read. */
export const WAYS: Readonly<Record<NonNullable<Imu['way']>, string>> = {
  buffer: 'each sample with the time of its own',
  polling: 'read again and again, which is slower and less exact',
  fake: 'made up',
}

/** `x forward, z up`, of the name of a mount. */
export const mountWords = (name: string): string => {
  const [, x, z] = /^x_([a-z]+)_z_([a-z]+)$/.exec(name) ?? []
  return `x ${x ?? ''}, z ${z ?? ''}`
}

const WAYS_TO_POINT = ['forward', 'back', 'left', 'right', 'up', 'down'] as const
const AXIS = { forward: 0, back: 0, left: 1, right: 1, up: 2, down: 2 } as const

/** All ways in which a board sits square on a robot: its two axes are never on one line. */
export const MOUNT_NAMES: readonly string[] = WAYS_TO_POINT.flatMap((x) =>
  WAYS_TO_POINT.filter((z) => AXIS[x] !== AXIS[z]).map((z) => `x_${x}_z_${z}`),
)
