// What a person at a terminal sees: one line per stream, redrawn in place, below the log.
import type { StreamDesk } from '../../actors/stream/stream-desk.ts'
import { RESULT_FIELDS, rowsOf } from '../../machines/engine/result.ts'
import { poseError } from '../../machines/localization/accuracy.ts'
import { eulerDeg, poseAt } from '../../machines/localization/pose.ts'

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

  /** nowUs: CLOCK_MONOTONIC. */
  draw(desks: Iterable<StreamDesk>, nowUs: number): void {
    const width = this.#out.columns || 120
    const lines = Array.from(desks, (desk) => streamLine(desk, nowUs).slice(0, width - 1))
    const fewer = lines.length < this.#shown ? ERASE_BELOW : '' // not each time: it would flicker
    this.#out.write(up(this.#shown) + fewer + lines.map((line) => `${ERASE_LINE}${line}\n`).join(''))
    this.#shown = lines.length
  }
}

/** `front  live  30.0 fps  2 tags  x 3.02 y 1.98 m yaw 12.3°  off by 0.8 cm 0.1°  1 viewer`. nowUs: CLOCK_MONOTONIC. */
export const streamLine = (desk: StreamDesk, nowUs: number): string => {
  const status = desk.status(nowUs)
  const fps = status.fps === null ? '' : `${status.fps.toFixed(1)} fps`
  return [
    desk.id.padEnd(12),
    status.state.padEnd(11),
    fps.padStart(9),
    ...sight(desk),
    `${status.viewers} viewers`,
    status.fault?.detail ?? '',
  ]
    .join('  ')
    .trimEnd()
}

const sight = (desk: StreamDesk): string[] => {
  const result = desk.results.value
  const tags = result && rowsOf(result, 'tags')
  const pose = result && rowsOf(result, 'pose')
  if (!result || !tags) return []
  if (!pose?.count) return [`${tags.count} tags`, 'no pose']
  const robot = poseAt(result.data, pose.offset + FIELD_ROBOT)
  const [, , yawDeg] = eulerDeg(robot)
  const error = poseError(result)
  return [
    `${tags.count} tags`,
    `x ${robot.x.toFixed(2)} y ${robot.y.toFixed(2)} m yaw ${yawDeg.toFixed(1)}°`,
    error ? `off by ${(error.distance_m * 100).toFixed(1)} cm ${error.angle_deg.toFixed(2)}°` : '',
  ]
}
