// What a value on a write key means. Pure: counters, switches and whether it is an old value are the concern of others.
//
// A value that can be brought into its range is; one that says nothing sensible is refused, and what was said before
// holds.
import type { PoseDocument } from '../../localization/pose.ts'
import { MAX_SLOTS } from '../../stream/slots.ts'
import { wrapDeg } from '../geometry.ts'
import type { LiveControls } from '../live.ts'
import type { WriteKey } from './keys.ts'
import { numberIn, numbersIn, shown } from './numbers.ts'
import type { RobotOrder } from './robot-order.ts'

/** What was read: an order, or why there is none. */
export type ReadWrite = { readonly ok: true; readonly order: RobotOrder } | { readonly ok: false; readonly why: string }

/** What the robot orders by this value on this key. value: anything that a topic can hold. Never throws. */
export const readWrite = (key: WriteKey, value: unknown): ReadWrite => {
  const { takes, read } = RULES[key]
  const order = read(value)
  return order ? { ok: true, order } : { ok: false, why: `${key} takes ${takes}, but was given ${shown(value)}` }
}

interface Rule {
  /** In words. */
  readonly takes: string
  /** Null when it is not that. */
  readonly read: (value: unknown) => RobotOrder | null
}

const number = (takes: string, read: (value: number) => RobotOrder | null): Rule => ({
  takes,
  read: (value) => {
    const only = numberIn(value)
    return only === undefined ? null : read(only)
  },
})

/** length: undefined: any. */
const list = (
  takes: string,
  length: number | undefined,
  read: (values: readonly number[]) => RobotOrder | null,
): Rule => ({
  takes,
  read: (value) => {
    const all = numbersIn(value)
    return all === undefined || (length !== undefined && all.length !== length) ? null : read(all)
  },
})

const live = (change: Partial<LiveControls>): RobotOrder => ({ type: 'live', change })

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

const clamped = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const MAX_SLOT = MAX_SLOTS - 1
const MAX_LED_MODE = 8
const MAX_LAYOUT = 2
const MAX_SKEW = 0.95
const MAX_SKIP = 10_000 // a robot that stands by asks for 100 or 200; at 30 fps this is five minutes
const MAX_ID = 100_000 // as of the detectors
const MAX_IDS = 1000
const FARTHEST_AIM_M = 100
const FARTHEST_MOUNT_M = 1000 // as a pose that is stored
/** Degrees, and degrees a second: unwrapped, thousands of turns. */
export const MAX_TURN_DEG = 1e6
const MAX_CLIP_S = 165 // as robot programs ask for at most

/** By what a detector makes the picture smaller, by the number of it. */
const DOWNSCALES = [null, 1, 1.5, 2, 3, 4] as const

/** A window that is narrower leaves nothing in which a tag could be found. */
const MIN_SHARE = 0.02

/** From the vendor's -1 to 1, y up, to shares from the top left. Each axis says its two ends in either order. */
const cropOrder = ([xa = 0, xb = 0, ya = 0, yb = 0]: readonly number[]): RobotOrder | null => {
  const [left, right] = ends(xa, xb)
  const [bottom, top] = ends(ya, yb)
  const window = { x0: (left + 1) / 2, y0: (1 - top) / 2, x1: (right + 1) / 2, y1: (1 - bottom) / 2 }
  if (window.x1 - window.x0 < MIN_SHARE || window.y1 - window.y0 < MIN_SHARE) return null
  const isWhole = left === -1 && right === 1 && bottom === -1 && top === 1
  return live({ window: isWhole ? null : window })
}

const ends = (a: number, b: number): readonly [least: number, most: number] => {
  const [one, other] = [clamped(a, -1, 1), clamped(b, -1, 1)]
  return one < other ? [one, other] : [other, one]
}

/** The inverse of `mountAsVendor`: the vendor's y is to the right, its pitch is up and its yaw clockwise. */
const mountOrder = (numbers: readonly number[]): RobotOrder | null => {
  const [forward = 0, right = 0, up = 0, roll = 0, pitch = 0, yaw = 0] = numbers
  if (numbers.every((value) => value === 0)) return { type: 'mount', mount: null }
  if ([forward, right, up].some((metres) => Math.abs(metres) > FARTHEST_MOUNT_M)) return null
  if ([roll, pitch, yaw].some((degrees) => Math.abs(degrees) > 360)) return null
  const mount: PoseDocument = {
    x_m: forward,
    y_m: 0 - right,
    z_m: up,
    roll_deg: wrapDeg(roll),
    pitch_deg: wrapDeg(0 - pitch),
    yaw_deg: wrapDeg(0 - yaw),
  }
  return { type: 'mount', mount }
}

const RULES: Readonly<Record<WriteKey, Rule>> = {
  pipeline: number('a whole number from 0 to 9', (slot) =>
    isWhole(slot, 0, MAX_SLOT) ? { type: 'pipeline', slot } : null,
  ),
  ledMode: number('a whole number from 0 to 8', (mode) =>
    isWhole(mode, 0, MAX_LED_MODE) ? { type: 'lights', mode } : null,
  ),
  stream: number('0, 1 or 2', (layout) => (isWhole(layout, 0, MAX_LAYOUT) ? { type: 'layout', layout } : null)),
  snapshot: number('a number that counts up', (count) => ({ type: 'snapshot', count })),
  crop: list('four numbers from -1 to 1 (two of x, two of y) with a part of the picture between them', 4, cropOrder),
  keystone_set: list('two numbers from -0.95 to 0.95', 2, ([horizontal = 0, vertical = 0]) => ({
    type: 'keystone',
    skew: [clamped(horizontal, -MAX_SKEW, MAX_SKEW), clamped(vertical, -MAX_SKEW, MAX_SKEW)],
  })),
  throttle_set: number('the number of frames to leave out after each', (frames) =>
    live({ skip: Math.floor(clamped(frames, 0, MAX_SKIP)) }),
  ),
  priorityid: number('the id of a tag, or -1 for any', (id) => {
    if (id === -1) return live({ priority_id: null })
    return isWhole(id, 0, MAX_ID) ? live({ priority_id: id }) : null
  }),
  fiducial_offset_set: list('three numbers of metres, at most 100', 3, ([x = 0, y = 0, z = 0]) => {
    if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > FARTHEST_AIM_M) return null
    return live({ aim_m: x === 0 && y === 0 && z === 0 ? null : [x, y, z] })
  }),
  robot_orientation_set: list(
    'six numbers: yaw, its rate, pitch, its rate, roll, its rate; degrees and degrees per second',
    6,
    ([yaw_deg = 0, yaw_rate_dps = 0]) =>
      Math.abs(yaw_deg) <= MAX_TURN_DEG && Math.abs(yaw_rate_dps) <= MAX_TURN_DEG
        ? { type: 'heading', yaw_deg, yaw_rate_dps }
        : null,
  ),
  fiducial_id_filters_set: list('a list of ids of tags, at most 1000; an empty one for all', undefined, (ids) => {
    const wanted = [...new Set(ids)]
    if (wanted.length > MAX_IDS || !wanted.every((id) => isWhole(id, 0, MAX_ID))) return null
    return live({ localization_ids: wanted.length === 0 ? null : wanted })
  }),
  fiducial_downscale_set: number('a whole number: 0 as the pipeline says, 1 to 5 for 1, 1.5, 2, 3 and 4', (which) =>
    Number.isInteger(which) ? live({ decimate: DOWNSCALES[which] ?? null }) : null,
  ),
  camerapose_robotspace_set: list(
    'six numbers: metres forward, right and up, and degrees of roll, pitch and yaw, at most 360',
    6,
    mountOrder,
  ),
  rewind_enable_set: number('0 or 1', (value) =>
    value === 0 || value === 1 ? { type: 'rewind', isKept: value === 1 } : null,
  ),
  capture_rewind: list('two numbers: one that counts up, and seconds', 2, ([count = 0, seconds = 0]) => ({
    type: 'clip',
    count,
    seconds: clamped(seconds, 1, MAX_CLIP_S),
  })),
}
