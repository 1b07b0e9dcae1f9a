import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import { wrapDeg } from '../../../machines/extcam/geometry.ts'
import type { Installation } from '../../../machines/extcam/installation.ts'
import { type FrameTimes, type Hardware, Snapshot } from '../../../machines/extcam/snapshot.ts'
import { EXTCAM_TOPICS, topicValue } from '../../../machines/extcam/topics.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { compose, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import { type FrameFacts, frame, frameOf, HEADING_STD, intrinsics, layout, STD, seenFrom } from './frames.ts'
import { mountFromVendor, readEstimate, readRawFiducials, readT2d } from './vendor-arrays.ts'
import { vectors } from './vendor-vectors.ts'

const installation: Installation = { map: demoMap, intrinsics, mount: null }
const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const twoTags = [seenFrom(robot, 5), seenFrom(robot, 6)]

const at = (monotonicUs: number): FrameTimes => ({
  monotonicUs,
  unixMs: 1_760_000_000_000,
  ntUs: 5_000_000,
  uptimeUs: 9_000_000,
})

const shown = (facts: FrameFacts, place = installation): Snapshot => {
  const snapshot = new Snapshot()
  snapshot.read(frame(facts), place)
  snapshot.stamp(at(1_010_500))
  return snapshot
}

const near = (actual: number | undefined, expected: number, tolerance: number, name = 'value') =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${name} is ${actual} instead of ${expected}`)

const nearAll = (actual: ArrayLike<number>, expected: readonly number[], tolerance: number, name: string) =>
  expected.forEach((value, i) => {
    near(actual[i], value, tolerance, `${name}[${i}]`)
  })

const zeros = { tv: 0, tx: 0, ty: 0, txnc: 0, tync: 0, ta: 0, tid: 0, tdist: 0 }

const assertFinite = (snapshot: Snapshot) => {
  for (const { key } of EXTCAM_TOPICS) {
    const value = topicValue(snapshot, key)
    if (typeof value === 'string') assert.doesNotMatch(value, /NaN|Infinity|null/)
    else
      for (const number of typeof value === 'number' ? [value] : value)
        assert.ok(Number.isFinite(number), `${key} has ${number}`)
  }
}

test('a robot that sees two tags is found where it stands, in all three frames of the field', () => {
  const snapshot = shown({ tags: twoTags, robot })

  nearAll(snapshot.botpose_wpiblue, [12, 2.2, 0.5, 0, 0, 2], 1e-9, 'blue')
  nearAll(snapshot.botpose, [12 - 16.54 / 2, 2.2 - 8.07 / 2, 0.5, 0, 0, 2], 1e-9, 'centre')
  nearAll(snapshot.botpose_wpired, [4.54, 5.87, 0.5, 0, 0, -178], 1e-9, 'red')
})

test('the helper finds each used tag behind a botpose', () => {
  const snapshot = shown({ tags: twoTags, robot })

  for (const array of [snapshot.botpose, snapshot.botpose_wpiblue, snapshot.botpose_wpired]) {
    const estimate = readEstimate(array)
    assert.deepEqual(
      estimate?.tags.map((tag) => tag.id),
      [6, 5],
    )
    near(estimate?.latencyMs, 10.5, 1e-9)
    near(estimate?.span, 0.6, 1e-9)
    near(estimate?.avgDistance, 4.607, 1e-3)
    near(estimate?.tags[0]?.ambiguity, 0.1, 1e-12)
  }
})

test('the figures of a captured frame come out as the vendor published them', () => {
  // Mount B of the capture: areas 0.008101 and 0.007691 as squares, at the poses the vendor measured.
  const square = (share: number) => {
    const side = Math.sqrt(share * 1280 * 800)
    return [0, side, side, side, side, 0, 0, 0]
  }
  const pose = (x_m: number, y_m: number, z_m: number, roll_deg: number, pitch_deg: number, yaw_deg: number): Pose =>
    poseFromDocument({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg })
  const tags = [
    { id: 9, tagInCamera: pose(-0.36718, -0.62261, 1.27043, -11.69175, -6.6073, 0.27732), cornersPx: square(0.008101) },
    { id: 10, tagInCamera: pose(-0.0047, -0.61355, 1.2843, -11.7719, -4.25534, 0.71733), cornersPx: square(0.007691) },
  ]
  const mount = mountFromVendor([0.079, -0.295, 0.2617, 0, 11.9, -90])
  const map = { ...demoMap, length_m: 16.541, width_m: 8.069 }

  const snapshot = shown({ tags, robot: pose(13.91149, 3.83542, 0, 0, 0, 85.39996) }, { ...installation, map, mount })

  const estimate = readEstimate(snapshot.botpose_wpired)
  nearAll(estimate?.pose ?? [], [2.62951, 4.23359, 0, 0, 0, -94.60019], 1e-3, 'botpose_wpired')
  near(estimate?.span, 0.36286, 1e-5, 'span')
  near(estimate?.avgDistance, 1.4425, 1e-5, 'mean distance')
  near(estimate?.avgArea, 0.7896, 1e-5, 'mean area')
  nearAll(snapshot.camerapose_robotspace, [0.079, -0.295, 0.2617, 0, 11.9, -90], 1e-9, 'camerapose_robotspace')
  nearAll(snapshot.targetpose_robotspace, [-1.40974, -1.1329, -0.28818], 1e-3, 'targetpose_robotspace')
  nearAll(snapshot.targetpose_robotspace.subarray(3), [170.71686, -83.38698, -170.49261], 1e-2, 'targetpose_robotspace')
  nearAll(snapshot.camerapose_targetspace, [0.22155, 0.87232, -1.15171], 1e-3, 'camerapose_targetspace')
  nearAll([snapshot.txnc, snapshot.tync], [-16.12044, 26.10865], 1e-2, 'angles')
  near(readRawFiducials(snapshot.rawfiducials)[0]?.distToRobot, Math.hypot(1.40974, 1.1329, 0.28818), 1e-3)
})

for (const vector of vectors) {
  test(`keys and document say of a captured tag what the vendor said: ${vector.name}`, () => {
    const [x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg] = vector.t6t_cs
    const tagInCamera = poseFromDocument({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg })
    const tangent = (deg: number) => Math.tan((deg * Math.PI) / 180)
    // The crosshair lies in the middle of our pictures, so the lens is what is turned.
    const cx_px = 639.5 - 900 * tangent(vector.nocross[0] - vector.cross[0])
    const cy_px = 399.5 + 900 * tangent(vector.nocross[1] - vector.cross[1])
    const place = { map: demoMap, intrinsics: { ...intrinsics, cx_px, cy_px }, mount: mountFromVendor(vector.t6c_rs) }

    const snapshot = shown({ tags: [{ id: 3, tagInCamera, cornersPx: [10, 20, 20, 20, 20, 10, 10, 10] }] }, place)

    const { Fiducial, t6c_rs, tx, ty } = JSON.parse(topicValue(snapshot, 'json') as string)
    const alike = (actual: readonly number[], expected: readonly number[], name: string) => {
      nearAll(actual.slice(0, 3), expected.slice(0, 3), 0.001, name)
      nearAll(
        actual.slice(3).map((angle, i) => wrapDeg(angle - (expected[3 + i] as number))),
        [0, 0, 0],
        0.01,
        name,
      )
    }
    for (const name of ['t6t_cs', 't6c_ts', 't6t_rs', 't6r_ts'] as const) alike(Fiducial[0][name], vector[name], name)
    alike(t6c_rs, vector.t6c_rs, 't6c_rs')
    alike([...snapshot.targetpose_cameraspace], vector.t6t_cs, 'targetpose_cameraspace')
    alike([...snapshot.targetpose_robotspace], vector.t6t_rs, 'targetpose_robotspace')
    alike([...snapshot.camerapose_targetspace], vector.t6c_ts, 'camerapose_targetspace')
    alike([...snapshot.botpose_targetspace], vector.t6r_ts, 'botpose_targetspace')
    nearAll([snapshot.txnc, snapshot.tync], vector.nocross, 0.01, 'txnc, tync')
    nearAll([snapshot.tx, snapshot.ty], vector.cross, 0.01, 'tx, ty')
    nearAll([tx, ty, Fiducial[0].tx, Fiducial[0].ty], [...vector.cross, ...vector.cross], 0.01, 'of the document')
  })
}

test('each tag alone puts the robot where it stands, whatever the mount', () => {
  const mount = { x_m: 0.3, y_m: -0.1, z_m: 0.4, roll_deg: 0, pitch_deg: -20, yaw_deg: 90 }
  const camera = poseFromDocument({ x_m: 4.2, y_m: 3, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: -85 })
  const seen = seenFrom(camera, 9)

  const atOrigin = shown({ tags: [seen], robot: camera })
  const mounted = shown({ tags: [seen], robot: camera }, { ...installation, mount })

  const own = (snapshot: Snapshot) => JSON.parse(topicValue(snapshot, 'json') as string).Fiducial[0].t6r_fs as number[]
  nearAll(own(atOrigin), [4.2 - 8.27, 3 - 4.035, 0.6, 0, -10, -85], 1e-4, 't6r_fs')
  assert.ok(Math.hypot((own(mounted)[0] as number) - (own(atOrigin)[0] as number)) > 0.05, 'the mount counts')
})

test('the tag that fills most of the picture is the primary target', () => {
  const close = poseFromDocument({ x_m: 14.5, y_m: 2.4, z_m: 1.2, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 })
  const tags = [seenFrom(close, 7), seenFrom(close, 6), seenFrom(close, 5)]

  const snapshot = shown({ tags, robot: close })

  assert.deepEqual(
    readRawFiducials(snapshot.rawfiducials).map((tag) => tag.id),
    [snapshot.tid, ...[7, 6, 5].filter((id) => id !== snapshot.tid)],
  )
  const t2d = readT2d(snapshot.t2d)
  assert.deepEqual([t2d?.valid, t2d?.count, t2d?.tid], [true, 3, snapshot.tid])
  assert.deepEqual([t2d?.tx, t2d?.ty, t2d?.tl, t2d?.cl], [snapshot.tx, snapshot.ty, 6.5, 4])
  assert.equal(snapshot.tcornxy.length, 8)
})

test('a tag above and to the right has positive angles, and its corners run clockwise from the top left', () => {
  const tagInCamera: Pose = { x: 0.5, y: -0.3, z: 2, qw: 1, qx: 0, qy: 0, qz: 0 }

  const snapshot = shown({ tags: [{ id: 30, tagInCamera }] })

  nearAll([snapshot.txnc, snapshot.tync], [14.0362, 8.5308], 1e-3, 'angles')
  const [x0, y0, x1, y1, x2, y2, x3, y3] = snapshot.tcornxy as unknown as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  assert.ok(x0 < x1 && y0 < y3 && x1 === x2 && y2 === y3 && x3 === x0 && y1 === y0)
  nearAll(snapshot.targetpose_cameraspace, [0.5, -0.3, 2, 0, 0, 0], 1e-12, 'targetpose_cameraspace')
  nearAll(snapshot.camerapose_targetspace, [-0.5, 0.3, -2, 0, 0, 0], 1e-12, 'camerapose_targetspace')
})

test('the area is that of the undistorted tag, in percent of the picture', () => {
  const tagInCamera: Pose = { x: 0, y: 0, z: 2, qw: 1, qx: 0, qy: 0, qz: 0 }

  const snapshot = shown({ tags: [{ id: 1, tagInCamera }] })

  const side = (900 * 0.1651) / 2
  near(snapshot.ta, (100 * side * side) / (1280 * 800), 1e-9)
  near(readRawFiducials(snapshot.rawfiducials)[0]?.ta, snapshot.ta / 100, 1e-12)
  nearAll(snapshot.t2d.subarray(12), [side, side, side, side, 0], 1e-9, 't2d sides')
})

test('the crosshair is the centre of the picture, wherever the lens has its axis', () => {
  const decentred = { ...intrinsics, cx_px: 600, cy_px: 420 }
  const tagInCamera: Pose = { x: 0.2, y: 0.1, z: 2, qw: 1, qx: 0, qy: 0, qz: 0 }

  const snapshot = shown({ tags: [{ id: 1, tagInCamera }] }, { ...installation, intrinsics: decentred })

  const deg = (tangent: number) => (Math.atan(tangent) * 180) / Math.PI
  near(snapshot.tx, snapshot.txnc - deg((640 - 600.5) / 900), 1e-9)
  near(snapshot.ty, snapshot.tync + deg((400 - 420.5) / 900), 1e-9)
})

test('without a target the keys have the values that mean none', () => {
  const snapshot = shown({})

  assert.deepEqual(
    [snapshot.tv, snapshot.tx, snapshot.ty, snapshot.txnc, snapshot.tync, snapshot.ta],
    [0, 0, 0, 0, 0, 0],
  )
  assert.equal(snapshot.tid, -1)
  assert.deepEqual([snapshot.tl, snapshot.cl], [6.5, 4])
  assert.deepEqual([...snapshot.t2d], [0, 0, 6.5, 4, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0])
  for (const key of [
    'botpose',
    'botpose_wpiblue',
    'botpose_wpired',
    'botpose_orb',
    'botpose_orb_wpiblue',
    'botpose_orb_wpired',
  ] as const) {
    assert.deepEqual([...snapshot[key]], new Array(11).fill(0), key)
  }
  for (const key of ['targetpose_cameraspace', 'targetpose_robotspace', 'camerapose_targetspace'] as const) {
    assert.deepEqual([...snapshot[key]], [0, 0, 0, 0, 0, 0], key)
  }
  for (const key of ['rawfiducials', 'rawdetections', 'rawtargets', 'tcornxy'] as const)
    assert.equal(snapshot[key].length, 0, key)
  assert.deepEqual([...snapshot.stddevs], new Array(12).fill(0))
})

test('a frame without targets leaves nothing of the frame before it', () => {
  const snapshot = shown({ tags: twoTags, robot })
  const fresh = shown({})

  snapshot.read(frame({}), installation)
  snapshot.stamp(at(1_010_500))

  for (const { key } of EXTCAM_TOPICS) assert.deepEqual(topicValue(snapshot, key), topicValue(fresh, key), key)
})

test('tags that are not on the map are targets but do not count for the robot pose', () => {
  const stranger = { ...seenFrom(robot, 6), id: 99 }
  const otherFamily = { ...seenFrom(robot, 5), family: 1 }

  const alone = shown({ tags: [stranger, otherFamily], robot })
  const together = shown({ tags: [stranger, seenFrom(robot, 5)], robot })

  assert.equal(alone.tv, 1)
  assert.equal(readRawFiducials(alone.rawfiducials).length, 2)
  assert.deepEqual([...alone.botpose_wpiblue], new Array(11).fill(0))
  assert.deepEqual(
    readEstimate(together.botpose_wpiblue)?.tags.map((tag) => tag.id),
    [5],
  )
  assert.equal(readEstimate(together.botpose_wpiblue)?.span, 0)
})

test('a tag of its own family is on the map by that family', () => {
  const map: FieldMap = {
    ...demoMap,
    tags: demoMap.tags.map((tag) => (tag.id === 6 ? { ...tag, family: 'tag25h9' } : tag)),
  }
  const seen = (family: number) => {
    const tags = [seenFrom(robot, 5), { ...seenFrom(robot, 6), family }]
    return readEstimate(shown({ tags, robot }, { ...installation, map }).botpose)
      ?.tags.map((tag) => tag.id)
      .sort()
  }

  assert.deepEqual(seen(1), [5, 6])
  assert.deepEqual(seen(0), [5])
})

test('a tag that is seen twice is a target twice but does not count for the robot pose', () => {
  const mirrored = seenFrom({ ...robot, y: 3 }, 5)

  const snapshot = shown({ tags: [seenFrom(robot, 5), seenFrom(robot, 6), mirrored], robot })

  assert.equal(readRawFiducials(snapshot.rawfiducials).length, 3)
  assert.deepEqual(
    readEstimate(snapshot.botpose)?.tags.map((tag) => tag.id),
    [6],
  )
})

test('one ambiguous tag still gives a robot pose, with its ambiguity', () => {
  const snapshot = shown({ tags: [{ ...seenFrom(robot, 6), ambiguity: 0.95 }], robot })

  const estimate = readEstimate(snapshot.botpose_wpiblue)
  assert.deepEqual([estimate?.tagCount, estimate?.tags[0]?.ambiguity], [1, 0.95])
  nearAll(estimate?.pose ?? [], [12, 2.2, 0.5], 1e-9, 'pose')
})

test('the standard deviations are those of the two solvers, none for one without a solution', () => {
  const none = [0, 0, 0, 0, 0, 0]

  assert.deepEqual([...shown({ tags: twoTags, robot }).stddevs], [...STD, ...none])
  assert.deepEqual([...shown({ tags: twoTags, byHeading }).stddevs], [...none, ...HEADING_STD, 0.5, 0.5, 0.5])
})

const byHeading = poseFromDocument({ x_m: 12.1, y_m: 2.3, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })

test('a robot that says its heading is placed by it beside the pose by the corners, with the same tags behind', () => {
  const snapshot = shown({ tags: twoTags, robot, byHeading })

  nearAll(snapshot.botpose_orb_wpiblue, [12.1, 2.3, 0.4, 0, 0, 2], 1e-9, 'blue')
  nearAll(snapshot.botpose_orb, [12.1 - 16.54 / 2, 2.3 - 8.07 / 2, 0.4, 0, 0, 2], 1e-9, 'centre')
  nearAll(snapshot.botpose_orb_wpired, [4.44, 5.77, 0.4, 0, 0, -178], 1e-9, 'red')
  nearAll(snapshot.botpose_wpiblue, [12, 2.2, 0.5, 0, 0, 2], 1e-9, 'by the corners')
  for (const [mine, other] of [
    [snapshot.botpose_orb, snapshot.botpose],
    [snapshot.botpose_orb_wpiblue, snapshot.botpose_wpiblue],
    [snapshot.botpose_orb_wpired, snapshot.botpose_wpired],
  ] as const)
    assert.deepEqual([...mine.subarray(6)], [...other.subarray(6)])
})

test('where the corners leave the pose open, the heading alone tells it', () => {
  const snapshot = shown({ tags: [seenFrom(robot, 6)], byHeading })

  assert.deepEqual([...snapshot.botpose_wpiblue], new Array(11).fill(0))
  const estimate = readEstimate(snapshot.botpose_orb_wpired)
  assert.deepEqual(
    estimate?.tags.map((tag) => tag.id),
    [6],
  )
  near(estimate?.latencyMs, 10.5, 1e-9)
  nearAll(estimate?.pose ?? [], [4.44, 5.77, 0.4, 0, 0, -178], 1e-9, 'red')
})

test('each tag alone places a robot with a known heading, whatever the mount and the apparent tilt', () => {
  const mount = { x_m: 0.3, y_m: -0.1, z_m: 0.4, roll_deg: 0, pitch_deg: -20, yaw_deg: 90 }
  const stands = { x_m: 4.2, y_m: 3, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: -175 }
  const level = poseFromDocument(stands)
  const seen = seenFrom(compose(level, poseFromDocument(mount)), 9)
  const tilted = { ...seen, tagInCamera: { ...(seen.tagInCamera as Pose), qw: 1, qx: 0, qy: 0, qz: 0 } }
  const own = (snapshot: Snapshot) => JSON.parse(topicValue(snapshot, 'json') as string).Fiducial[0].t6r_fs_orb

  for (const tag of [seen, tilted]) {
    const snapshot = shown({ tags: [tag], byHeading: level }, { ...installation, mount })
    nearAll(own(snapshot), [4.2 - 8.27, 3 - 4.035, 0, 0, 0, -175], 1e-4, 't6r_fs_orb')
  }
  assert.deepEqual(own(shown({ tags: [seen], robot: level }, { ...installation, mount })), [0, 0, 0, 0, 0, 0])
})

test('tags from which the robot does not want to be found are targets, and stand behind no pose', () => {
  const live = { priority_id: null, aim_m: null, localization_ids: [5] }

  const snapshot = shown({ tags: twoTags, robot, byHeading }, { ...installation, live })
  const none = shown({ tags: twoTags, robot, byHeading }, { ...installation, live: { ...live, localization_ids: [] } })

  assert.equal(readRawFiducials(snapshot.rawfiducials).length, 2)
  for (const array of [snapshot.botpose, snapshot.botpose_orb])
    assert.deepEqual(
      readEstimate(array)?.tags.map((tag) => tag.id),
      [5],
    )
  assert.deepEqual([...none.botpose_orb_wpiblue, ...none.botpose_wpiblue], new Array(22).fill(0))
})

test('a tag whose pose was not found is still a target, at no distance and fully ambiguous', () => {
  const posed = seenFrom(robot, 6)
  const unposed = { id: 3, tagInCamera: undefined, cornersPx: [100, 120, 120, 120, 120, 100, 100, 100] }

  const snapshot = shown({ tags: [unposed, posed], robot })

  const [first, second] = readRawFiducials(snapshot.rawfiducials)
  assert.deepEqual([first?.id, second?.id], [6, 3])
  assert.deepEqual([second?.distToCamera, second?.distToRobot, second?.ambiguity], [0, 0, 1])
  near(second?.txnc, (Math.atan((100 - 640) / 900) * 180) / Math.PI, 1e-9)
  near(first?.distToCamera, Math.hypot(4.54, 0.7), 0.5)
})

test('a camera without intrinsics has targets with about the right angles, and no robot pose', () => {
  const tags = [{ id: 6, tagInCamera: undefined, cornersPx: [1000, 120, 1020, 120, 1020, 100, 1000, 100] }]

  const snapshot = shown({ tags }, { ...installation, intrinsics: null })

  assert.equal(snapshot.tv, 1)
  assert.ok(snapshot.txnc > 15 && snapshot.txnc < 25 && snapshot.tync > 10, `${snapshot.txnc}, ${snapshot.tync}`)
  near(snapshot.ta, (100 * 400) / (1280 * 800), 1e-9)
  assert.equal(readEstimate(snapshot.botpose)?.tagCount, 0)
})

test('a graph without some of the outputs gives what can be known', () => {
  const only = (kind: 'detections' | 'field_pose') => ({
    ...layout,
    outputs: layout.outputs.filter((output) => output.kind === kind),
  })

  const detections = shown({ tags: twoTags, robot, layout: only('detections') })
  const fieldPose = shown({ tags: twoTags, robot, layout: only('field_pose') })

  assert.deepEqual([detections.tv, detections.botpose.length], [1, 11])
  assert.deepEqual([fieldPose.tv, [...fieldPose.botpose]], [0, new Array(11).fill(0)])
})

test('more tags than the vendor knows are cut off, and the arrays keep their forms', () => {
  const wall = Array.from({ length: 40 }, (_, id) => ({
    id,
    pose: { x_m: 16, y_m: id / 10, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
  }))
  const map = { ...demoMap, tags: wall }
  const tags = wall.map(({ id }) => seenFrom(robot, id, map))

  const snapshot = shown({ tags, robot }, { ...installation, map })

  assert.equal(readRawFiducials(snapshot.rawfiducials).length, 32)
  assert.equal(readEstimate(snapshot.botpose)?.tags.length, 32)
  assert.equal(JSON.parse(topicValue(snapshot, 'json') as string).Fiducial.length, 32)
})

test('no number of a broken result leaves as NaN or infinity', () => {
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, -1e308, 0, 1e-320]
  const sound = frame({ tags: twoTags, robot })
  const lenses = [
    intrinsics,
    null,
    { ...intrinsics, fx_px: 1e-300, distortion: [1000, -1000, 1000, -1000, 1000, 0, 0, 0] },
  ]
  const first = RESULT_HEADER.length + layout.stages.length
  const counts = new Set([first, first + 1 + 28, first + 2 + 28 + 38]) // row counts are the engine's own arithmetic

  for (const lens of lenses) {
    for (let i = 0; i < sound.data.length; i++) {
      if (counts.has(i)) continue
      for (const value of bad) {
        const broken: Result = { layout: sound.layout, data: Float64Array.from(sound.data) }
        broken.data[i] = value
        const snapshot = new Snapshot()
        snapshot.read(broken, { ...installation, intrinsics: lens })
        snapshot.stamp(at(1_010_500))
        assertFinite(snapshot)
      }
    }
  }
})

test('each second the hardware is told with the frames per second, with 0 for what is not known', () => {
  let known: Hardware | undefined = { temp: 51, cpu: 30, ram: 40 }
  const snapshot = new Snapshot({ pipeline: () => 3, hardware: () => known })
  const seconds = (from: number) => {
    for (let n = 0; n < 20; n++) {
      snapshot.countFrames(1)
      snapshot.stamp(at(1_000_000 * from + 50_000 * n))
    }
  }

  seconds(1)
  seconds(2)
  const told = snapshot.hw
  known = { cpu: 30, ram: 40 }
  seconds(3)

  nearAll(told, [51, 30, 40, 20], 1.01, 'hw')
  nearAll(snapshot.hw, [0, 30, 40, 20], 1.01, 'hw')
  assert.deepEqual([...new Snapshot().hw], [0, 0, 0, 0])
  assert.equal(snapshot.getpipe, 3)
  assert.equal(JSON.parse(topicValue(snapshot, 'json') as string).pID, 3)
})

test('what is said of nothing is of the same pipeline', () => {
  const snapshot = new Snapshot({ pipeline: () => 3, hardware: () => undefined })
  snapshot.read(frameOf([{ kind: 'objects', rows: [] }]), installation)
  snapshot.stamp(at(1_010_500))

  const nothing = snapshot.ofNothing()
  snapshot.clear(installation)

  assert.deepEqual([nothing.getpipe, nothing.getpipetype, nothing.times], [3, 'pipe_neuraldetector', snapshot.times])
  assert.equal(snapshot.getpipetype, 'pipe_neuraldetector')
})

test('the pose of the robot in the space of its target is the inverse of that of the target', () => {
  const snapshot = shown({ tags: [{ id: 30, tagInCamera: { x: 0.5, y: -0.3, z: 2, qw: 1, qx: 0, qy: 0, qz: 0 } }] })

  nearAll(snapshot.botpose_targetspace, [-0.5, 0.3, -2, 0, 0, 0], 1e-12, 'botpose_targetspace')
  assert.deepEqual([...snapshot.crosshairs], [0, 0, 0, 0])
})

test('the heartbeat counts frames and begins again at two thousand million', () => {
  const snapshot = new Snapshot()
  snapshot.hb = 1_999_999_998

  const heartbeats = [0, 1, 2].map(() => {
    snapshot.countFrames(1)
    return snapshot.hb
  })

  assert.deepEqual(heartbeats, [1_999_999_999, 0, 1])
})

test('latencies are never negative', () => {
  const snapshot = new Snapshot()
  snapshot.read(frame({ tags: twoTags, robot, capturedUs: 2_000_000, startedUs: 1_900_000 }), installation)

  snapshot.stamp(at(1_000_000))

  assert.deepEqual([snapshot.tl, snapshot.cl, snapshot.botpose[6]], [0, 0, 0])
})

test('the tag that the robot names is the primary target, whatever its size, and its pose is the same', () => {
  const live = { priority_id: 5, aim_m: null }

  const any = shown({ tags: twoTags, robot })
  const named = shown({ tags: twoTags, robot }, { ...installation, live })

  assert.deepEqual([any.tid, named.tid, named.tv], [6, 5, 1])
  assert.deepEqual(
    (JSON.parse(topicValue(named, 'json') as string).Fiducial as { fID: number }[]).map(({ fID }) => fID),
    [5, 6],
  )
  nearAll(named.botpose.subarray(0, 11), [...any.botpose.subarray(0, 11)], 1e-12, 'botpose')
})

test('while the tag that the robot names is not seen there is no target, but others place the robot', () => {
  const snapshot = shown({ tags: twoTags, robot }, { ...installation, live: { priority_id: 9, aim_m: [0, 0, 1] } })

  const { tv, tx, ty, txnc, tync, ta, tid, tdist } = snapshot
  assert.deepEqual({ tv, tx, ty, txnc, tync, ta, tid, tdist }, { ...zeros, tid: -1 })
  assert.deepEqual([...snapshot.t2d], [0, 0, 6.5, 4, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0])
  for (const key of ['targetpose_cameraspace', 'targetpose_robotspace', 'camerapose_targetspace'] as const)
    assert.deepEqual([...snapshot[key]], [0, 0, 0, 0, 0, 0], key)
  assert.equal(snapshot.tcornxy.length, 0)
  assert.equal(readRawFiducials(snapshot.rawfiducials).length, 2)
  assert.equal(readEstimate(snapshot.botpose)?.tagCount, 2)
  const { v, Fiducial } = JSON.parse(topicValue(snapshot, 'json') as string)
  assert.deepEqual([v, Fiducial.length], [0, 2])
})

test('a point beside the tag moves where the robot aims, and nothing else', () => {
  const tagInCamera = poseFromDocument({ x_m: 0.5, y_m: -0.3, z_m: 2, roll_deg: 0, pitch_deg: 0, yaw_deg: 90 })
  const facts = { tags: [{ id: 30, tagInCamera }] }

  const centre = shown(facts)
  const beside = shown(facts, { ...installation, live: { priority_id: null, aim_m: [0.2, 0, -0.5] } })

  // the tag lies on its side: its right is the camera's down
  const deg = (tangent: number) => (Math.atan(tangent) * 180) / Math.PI
  nearAll([beside.tx, beside.ty], [deg(0.5 / 1.5), deg(0.1 / 1.5)], 1e-9, 'aim')
  near(beside.tdist, Math.hypot(0.5, 0.1, 1.5), 1e-12)
  near(centre.tdist, Math.hypot(0.5, 0.3, 2), 1e-12)
  nearAll([beside.txnc, beside.tync, beside.ta], [centre.txnc, centre.tync, centre.ta], 0, 'the tag')
  assert.deepEqual([...beside.targetpose_cameraspace], [...centre.targetpose_cameraspace])
  assert.deepEqual([...beside.rawfiducials], [...centre.rawfiducials])
  const { tx, ty, tdist, Fiducial } = JSON.parse(topicValue(beside, 'json') as string)
  assert.deepEqual([tx, ty], [Fiducial[0].tx, Fiducial[0].ty])
  near(tdist, beside.tdist, 1e-5)
})

test('a tag whose pose was not found is aimed at as it is, also where a point beside it is wanted', () => {
  const unposed = { id: 3, tagInCamera: undefined, cornersPx: [100, 120, 120, 120, 120, 100, 100, 100] }
  const live = { priority_id: null, aim_m: [0.2, 0, 0] } as const

  const snapshot = shown({ tags: [unposed] }, { ...installation, live })

  assert.deepEqual([snapshot.tx, snapshot.ty, snapshot.tdist], [snapshot.txnc, snapshot.tync, 0])
})
