import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pack, unpack } from 'msgpackr'
import { Check } from 'typebox/value'
import { mountAsVendor } from '../../../../machines/extcam/geometry.ts'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { WRITE_KEYS, type WriteKey } from '../../../../machines/extcam/writes/keys.ts'
import { readWrite } from '../../../../machines/extcam/writes/read-write.ts'
import type { RobotOrder } from '../../../../machines/extcam/writes/robot-order.ts'
import { PoseDocument } from '../../../../machines/localization/pose.ts'
import { isHeading, oddLiveField } from '../../../../native/engine/protocol/live.ts'

const ordered = (key: WriteKey, value: unknown): RobotOrder => {
  const read = readWrite(key, value)
  assert.ok(read.ok, read.ok ? '' : read.why)
  return read.order
}
const live = (key: WriteKey, value: unknown) => {
  const order = ordered(key, value)
  assert.equal(order.type, 'live')
  return order.type === 'live' ? order.change : {}
}
const why = (key: WriteKey, value: unknown) => {
  const read = readWrite(key, value)
  assert.ok(!read.ok)
  return read.why
}

/** Whether an order is one that may be carried out as it is. */
const isLegal = (order: RobotOrder): boolean => {
  switch (order.type) {
    case 'pipeline':
      return Number.isInteger(order.slot) && order.slot >= 0 && order.slot <= 9
    case 'lights':
      return Number.isInteger(order.mode) && order.mode >= 0 && order.mode <= 8
    case 'layout':
      return [0, 1, 2].includes(order.layout)
    case 'keystone':
      return order.skew.every((skew) => Math.abs(skew) <= 0.95)
    case 'live':
      return oddLiveField({ ...NO_LIVE_CONTROLS, ...order.change }) === undefined
    case 'heading':
      return isHeading({ at_us: 1, ...order })
    case 'mount':
      return order.mount === null || Check(PoseDocument, order.mount)
    case 'rewind':
      return typeof order.isKept === 'boolean'
    case 'snapshot':
      return Number.isFinite(order.count)
    case 'clip':
      return Number.isFinite(order.count) && order.seconds >= 1 && order.seconds <= 165
  }
}

const number = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 12 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.constantFrom(0, -0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e308),
)
/** What MessagePack can hold. */
const anything = fc.oneof(
  number,
  fc.array(number, { maxLength: 8 }),
  fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 1200 }),
  fc.anything({ withBigInt: false, withTypedArray: false, withDate: true }),
  fc.uint8Array(),
  fc.float64Array({ maxLength: 8 }),
)

test('whatever is written on any key is something legal, or refused with a sentence', () => {
  fc.assert(
    fc.property(fc.constantFrom(...WRITE_KEYS), anything, (key, value) => {
      const read = readWrite(key, value)
      if (read.ok) assert.ok(isLegal(read.order), JSON.stringify(read.order))
      else assert.ok(read.why.startsWith(`${key} takes `) && read.why.length < 600)
    }),
    { numRuns: 5_000 },
  )
})

test('a number survives the wire as double, float, int and beyond 2^53, alone and in lists', () => {
  const sameAs = (key: WriteKey, ...values: readonly unknown[]) => {
    const orders = values.map((value) => ordered(key, unpack(pack(value))))
    for (const order of orders) assert.deepEqual(order, orders[0])
  }
  sameAs('pipeline', 3, 3.0, 3n)
  sameAs('throttle_set', 100, 100n, 100.5)
  sameAs('fiducial_id_filters_set', [1, 2], [1n, 2n], [1, 2, 1])
  assert.deepEqual(ordered('crop', Float64Array.of(-1, 0, -1, 0)), ordered('crop', [-1, 0, -1, 0]))
  assert.deepEqual(ordered('snapshot', 2n ** 60n), { type: 'snapshot', count: 2 ** 60 })
})

test('a pipeline, a light or a layout that there cannot be is refused, and the sentence says what was given', () => {
  assert.deepEqual(ordered('pipeline', 9), { type: 'pipeline', slot: 9 })
  assert.deepEqual(ordered('ledMode', 8), { type: 'lights', mode: 8 })
  assert.deepEqual(ordered('stream', 2), { type: 'layout', layout: 2 })
  assert.equal(why('pipeline', 10), 'pipeline takes a whole number from 0 to 9, but was given 10')
  assert.equal(why('ledMode', 1.5), 'ledMode takes a whole number from 0 to 8, but was given 1.5')
  assert.equal(why('stream', true), 'stream takes 0, 1 or 2, but was given true')
  assert.match(why('crop', [1, 2, 3]), /given \[1, 2, 3\]$/)
  assert.match(why('throttle_set', Number.NaN), /given NaN$/)
  assert.match(why('rewind_enable_set', Uint8Array.of(1)), /given 1 bytes$/)
})

test('a crop is a window from the top left, whichever end of an axis comes first, and within the picture', () => {
  assert.deepEqual(live('crop', [-1, 1, -1, 1]), { window: null })
  assert.deepEqual(live('crop', [-7, 7, 1, -1]), { window: null })
  const rightHalfOfTop = { window: { x0: 0.5, y0: 0, x1: 1, y1: 0.25 } }
  for (const crop of [
    [0, 1, 0.5, 1],
    [1, 0, 1, 0.5],
    [0, 3, 0.5, 9],
  ])
    assert.deepEqual(live('crop', crop), rightHalfOfTop)
  assert.match(why('crop', [0.5, 0.5, -1, 1]), /part of the picture between them/)
})

test('resets are what the vendor has for them', () => {
  assert.deepEqual(live('priorityid', 7), { priority_id: 7 })
  assert.deepEqual(live('priorityid', -1), { priority_id: null })
  assert.deepEqual(live('fiducial_offset_set', [0.1, -0.2, 0]), { aim_m: [0.1, -0.2, 0] })
  assert.deepEqual(live('fiducial_offset_set', [0, -0, 0]), { aim_m: null })
  assert.deepEqual(live('fiducial_id_filters_set', [3, 4]), { localization_ids: [3, 4] })
  assert.deepEqual(live('fiducial_id_filters_set', []), { localization_ids: null })
  assert.deepEqual(live('throttle_set', -5), { skip: 0 })
  assert.deepEqual(live('throttle_set', 1e9), { skip: 10_000 })
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, -1].map((which) => live('fiducial_downscale_set', which).decimate),
    [null, 1, 1.5, 2, 3, 4, null, null],
  )
  assert.deepEqual(ordered('camerapose_robotspace_set', [0, 0, 0, 0, 0, 0]), { type: 'mount', mount: null })
})

test('a list of another length says nothing', () => {
  for (const key of ['crop', 'keystone_set', 'fiducial_offset_set', 'robot_orientation_set', 'capture_rewind'] as const)
    for (const length of [0, 1, 5, 7]) why(key, Array(length).fill(0))
  why('camerapose_robotspace_set', [])
  why('fiducial_id_filters_set', [1, 2.5])
  why('fiducial_id_filters_set', [1, -1])
  why('fiducial_id_filters_set', 7)
})

test('the camera on the robot is what is told back of it', () => {
  fc.assert(
    fc.property(
      fc.tuple(...[10, 10, 10, 179, 179, 179].map((most) => fc.double({ min: -most, max: most, noNaN: true }))),
      (pose) => {
        const order = ordered('camerapose_robotspace_set', pose)
        assert.ok(order.type === 'mount')
        const back = order.mount ? mountAsVendor(order.mount) : new Float64Array(6)
        for (const [n, value] of pose.entries()) assert.ok(Math.abs((back[n] as number) - value) < 1e-9)
      },
    ),
  )
  const lookingUpAndRight = ordered('camerapose_robotspace_set', [0.1, 0.2, 0.3, 0, 20, 90])
  assert.deepEqual(lookingUpAndRight, {
    type: 'mount',
    mount: { x_m: 0.1, y_m: -0.2, z_m: 0.3, roll_deg: 0, pitch_deg: -20, yaw_deg: -90 },
  })
})

test('of an orientation the yaw and its rate are taken, and a yaw need not be wrapped', () => {
  const order = ordered('robot_orientation_set', [725, -30, 1, 2, 3, 4])
  assert.deepEqual(order, { type: 'heading', yaw_deg: 725, yaw_rate_dps: -30 })
  why('robot_orientation_set', [1e9, 0, 0, 0, 0, 0])
})

test('of a clip the seconds are brought to what can be asked for', () => {
  assert.deepEqual(ordered('capture_rewind', [1, 200]), { type: 'clip', count: 1, seconds: 165 })
  assert.deepEqual(ordered('capture_rewind', [2, 0]), { type: 'clip', count: 2, seconds: 1 })
})
