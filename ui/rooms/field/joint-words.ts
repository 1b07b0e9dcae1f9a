// What all cameras together say of the robot, in plain words.
import { turn, wrapDeg } from '../../drawing/scene-pose.ts'
import type { SolveCamera, SolveHeading } from '../../state/localization-wire.ts'
import { counted, figureOf } from '../../words.ts'

/** How a camera by itself would move the pose: on the field, metres and degrees. */
export type Offset = NonNullable<SolveCamera['offset']>

/** What a mount that is set well leaves: farther off a camera disagrees. */
export const MAX_AGREEING_M = 0.03
export const MAX_AGREEING_DEG = 1

const SHOWN_M = 0.005 // less than that says nothing

/** Whether a camera is farther off than its mount may be. */
export const disagrees = ({ x_m, y_m, yaw_deg }: Offset): boolean =>
  Math.hypot(x_m, y_m) > MAX_AGREEING_M || Math.abs(yaw_deg) > MAX_AGREEING_DEG

const RAD = Math.PI / 180

/** `4 cm left, 1.9° to the right`, seen from the robot; undefined: nothing that is worth a word. */
export const offsetInWords = ({ x_m, y_m, yaw_deg }: Offset, robotYawDeg: number): string | undefined => {
  const half = (-robotYawDeg * RAD) / 2
  const back = { x_m: 0, y_m: 0, z_m: 0, qw: Math.cos(half), qx: 0, qy: 0, qz: Math.sin(half) }
  const [forward, left] = turn(back, [x_m, y_m, 0])
  const parts = [
    lengthInWords(forward, 'ahead', 'back'),
    lengthInWords(left, 'left', 'right'),
    Math.abs(yaw_deg) < 0.1 ? undefined : `${figureOf(Math.abs(yaw_deg), 1)}° turned ${yaw_deg > 0 ? 'left' : 'right'}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

const lengthInWords = (m: number, positive: string, negative: string): string | undefined =>
  Math.abs(m) < SHOWN_M ? undefined : `${figureOf(Math.abs(m) * 100, 1)} cm ${m > 0 ? positive : negative}`

const SETTLING_MS = 3000

/** Of two cameras each is as far off as the other; one of three shows twice as far off as the others. */
const MIN_TOLD_APART = 3

/** A camera that is off by less of what the farthest is off by, may be off by that one's fault. */
const MIN_SHARE_OF_FARTHEST = 0.75

/**
 * What is said of a camera: it agrees, it sits off, it is off by less than another one that shares its rounds, or it
 * and another one contradict each other and nobody knows which of them sits off.
 */
export type Agreement = 'agrees' | 'off' | 'less' | 'unclear'

interface Mean {
  readonly offset: Offset
  readonly atMs: number
  /** When it was last in a round that tells cameras apart. */
  readonly apartMs: number
}

/** In units of what a mount that is set well leaves. */
const sizeOf = ({ x_m, y_m, yaw_deg }: Offset): number =>
  Math.max(Math.hypot(x_m, y_m) / MAX_AGREEING_M, Math.abs(yaw_deg) / MAX_AGREEING_DEG)

/**
 * What each camera is off by over the last seconds: of one frame it is mostly noise, what stays is its mount. All
 * cameras of a round share what one of them is off by: rounds of two count only where there are no larger ones.
 */
export class MeanOffsets {
  readonly #means = new Map<string, Mean>()

  /** Takes in a round. atMs: when it came. */
  add(cameras: readonly SolveCamera[], atMs: number): void {
    const isApart = cameras.filter(({ offset }) => offset).length >= MIN_TOLD_APART
    for (const { stream_id, offset } of cameras) {
      if (!offset) continue
      const last = this.#means.get(stream_id)
      const wasApart = last !== undefined && atMs - last.apartMs <= 2 * SETTLING_MS
      if (wasApart && !isApart) continue
      const known = isApart && !wasApart ? undefined : last
      const share = known ? 1 - Math.exp(-Math.max(0, atMs - known.atMs) / SETTLING_MS) : 1
      const before = known?.offset ?? offset
      const towards = (from: number, to: number) => from + share * (to - from)
      this.#means.set(stream_id, {
        atMs,
        apartMs: isApart ? atMs : Number.NEGATIVE_INFINITY,
        offset: {
          x_m: towards(before.x_m, offset.x_m),
          y_m: towards(before.y_m, offset.y_m),
          yaw_deg: wrapDeg(before.yaw_deg + share * wrapDeg(offset.yaw_deg - before.yaw_deg)),
        },
      })
    }
    for (const [id, { atMs: last }] of this.#means) if (atMs - last > 2 * SETTLING_MS) this.#means.delete(id)
  }

  /** undefined: it has not fixed the pose by itself for some seconds. */
  of(streamId: string): Offset | undefined {
    return this.#means.get(streamId)?.offset
  }

  /** undefined: as above. */
  agreementOf(streamId: string): Agreement | undefined {
    const mean = this.#means.get(streamId)
    if (!mean) return undefined
    if (!disagrees(mean.offset)) return 'agrees'
    if (mean.apartMs === Number.NEGATIVE_INFINITY) return 'unclear'
    const farthest = Math.max(...[...this.#means.values()].map(({ offset }) => sizeOf(offset)))
    return sizeOf(mean.offset) < MIN_SHARE_OF_FARTHEST * farthest ? 'less' : 'off'
  }

  /** Forgets all. */
  clear(): void {
    this.#means.clear()
  }
}

/** Farther apart the robot's heading and that of the tags are not one. */
export const MAX_HEADING_OFF_DEG = 1

/** How far the tags show the robot turned from what its heading says with the learnt offset; undefined: unknown. */
export const headingOffBy = ({ said_deg, seen_deg, offset_deg }: SolveHeading): number | undefined =>
  said_deg === null || seen_deg === null || offset_deg === null ? undefined : wrapDeg(seen_deg - said_deg - offset_deg)

/** The line on the heading. isOff: for so long that it is no noise. */
export const headingInWords = (heading: SolveHeading, isOff: boolean): string => {
  const { said_deg, offset_deg, used, from } = heading
  if (said_deg === null)
    return 'The robot does not say its heading. With it, one tag is enough: send it as robot_orientation_set.'
  const said = `${from === 'imu' ? 'The IMU of this device' : 'The robot'} says ${figureOf(wrapDeg(said_deg), 1)}°`
  if (offset_deg === null) return `${said}. How that lies on the field is being learnt from the tags.`
  const off = headingOffBy(heading)
  const learnt = `${said}, which is ${figureOf(wrapDeg(said_deg + offset_deg), 1)}° on the field`
  if (isOff && off !== undefined)
    return `${learnt}; the tags show ${figureOf(Math.abs(off), 1)}° more to the ${
      off > 0 ? 'left' : 'right'
    }. Was the gyro reset, or is a camera turned?`
  return `${learnt}. It is ${used ? 'used' : 'not used'}.`
}

/** `not in the map 12 times, could be mirrored 1 time`, the most first. */
export const rejectedInWords = (
  rejected: Readonly<Record<string, number>>,
  wordOf: (reason: string) => string,
): string | undefined => {
  const counts = Object.entries(rejected)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
  if (counts.length === 0) return undefined
  return counts.map(([reason, count]) => `${wordOf(reason)} ${counted(count, 'time')}`).join(', ')
}
