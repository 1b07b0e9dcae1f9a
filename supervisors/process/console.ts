// The view of a person at a terminal: one line per stream, redrawn in place, below the log.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { RESULT_FIELDS, rowsOf } from '../../machines/engine/result.ts'
import { poseError } from '../../machines/localization/accuracy.ts'
import { eulerDeg, isRotated, poseAt } from '../../machines/localization/pose.ts'

const FIELD_ROBOT = RESULT_FIELDS.field_pose.indexOf('field_robot_x_m')
const ERASE_LINE = '\x1b[2K'
const ERASE_BELOW = '\x1b[0J'
const up = (lines: number): string => (lines > 0 ? `\x1b[${lines}A` : '')

/** Lines that stay at the bottom of a terminal. Log lines written through it scroll above them. */
export class LiveLines {
  readonly #out: NodeJS.WriteStream
  #shown = 0

  constructor(out: NodeJS.WriteStream) {
    this.#out = out
  }

  get writableLength(): number {
    return this.#out.writableLength
  }

  /** Prints text above the live lines. */
  write(text: string): void {
    this.#out.write(`${up(this.#shown)}${ERASE_BELOW}${text}`)
    this.#shown = 0
  }

  /** Not while the terminal has not taken what was drawn before: it would show the past when it does. */
  draw(streams: readonly StreamRuntime[]): void {
    if (this.#out.writableLength > 0) return
    const width = this.#out.columns || 120
    const lines = streams.map((stream) => streamLine(stream).slice(0, width - 1))
    const fewer = lines.length < this.#shown ? ERASE_BELOW : '' // not each time: it would flicker
    this.#out.write(up(this.#shown) + fewer + lines.map((line) => `${ERASE_LINE}${line}\n`).join(''))
    this.#shown = lines.length
  }
}

/** `front  live  30.0 fps  2 tags  x 3.02 y 1.98 m yaw 12.3°  off by 0.8 cm 0.1°  1 viewer`. */
export const streamLine = (stream: StreamRuntime): string => {
  const status = stream.status()
  const fps = status.fps === null ? '' : `${status.fps.toFixed(1)} fps`
  return [
    stream.id.padEnd(12),
    status.state.padEnd(11),
    fps.padStart(9),
    ...sight(stream),
    `${status.viewers} viewers`,
    status.fault?.detail ?? '',
  ]
    .join('  ')
    .trimEnd()
}

const sight = (stream: StreamRuntime): string[] => {
  const result = stream.results.value
  const tags = result && rowsOf(result, 'tags')
  const pose = result && rowsOf(result, 'pose')
  if (!result || !tags) return []
  const robot = pose?.count ? poseAt(result.data, pose.offset + FIELD_ROBOT) : undefined
  if (!robot || !isRotated(robot)) return [`${tags.count} tags`, 'no pose']
  const [, , yawDeg] = eulerDeg(robot)
  const error = poseError(result)
  return [
    `${tags.count} tags`,
    `x ${robot.x.toFixed(2)} y ${robot.y.toFixed(2)} m yaw ${yawDeg.toFixed(1)}°`,
    error ? `off by ${(error.distance_m * 100).toFixed(1)} cm ${error.angle_deg.toFixed(2)}°` : '',
  ]
}
