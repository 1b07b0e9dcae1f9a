// What pipelines for other things than tags bring to the vendor's keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOpticalAxes } from '../../../machines/extcam/geometry.ts'
import type { Installation } from '../../../machines/extcam/installation.ts'
import { resultsJson } from '../../../machines/extcam/results-json.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { TableFrames } from '../../../machines/extcam/table-frame.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { compose, invert, poseFromDocument } from '../../../machines/localization/pose.ts'
import { type FrameFacts, frame, frameOf, intrinsics, type SeenRows, seenFrom } from './frames.ts'

const mount = { x_m: 0.3, y_m: -0.1, z_m: 0.4, roll_deg: 0, pitch_deg: -20, yaw_deg: 90 }
const installation: Installation = { map: demoMap, intrinsics, mount }
const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const times = { monotonicUs: 1_010_500, unixMs: 1_760_000_000_123, ntUs: 7_654_321, uptimeUs: 4_321_000 }
const deg = (tangent: number) => (Math.atan(tangent) * 180) / Math.PI

const shown = (seen: readonly SeenRows[], facts?: FrameFacts, place = installation): Snapshot => {
  const snapshot = new Snapshot()
  snapshot.read(frameOf(seen, facts), place)
  snapshot.stamp(times)
  return snapshot
}

const document = (snapshot: Snapshot) => JSON.parse(resultsJson(snapshot))

const near = (actual: ArrayLike<number>, expected: readonly number[], tolerance: number, name: string) => {
  assert.equal(actual.length, expected.length, `${name} has ${actual.length} numbers`)
  expected.forEach((value, i) => {
    assert.ok(Math.abs((actual[i] as number) - value) <= tolerance, `${name}[${i}] is ${actual[i]} instead of ${value}`)
  })
}

const box = (x: number, y: number, width: number, height: number) => ({
  cx_px: x,
  cy_px: y,
  width_px: width,
  height_px: height,
  x0_px: x - width / 2,
  y0_px: y - height / 2,
  x1_px: x + width / 2,
  y1_px: y - height / 2,
  x2_px: x + width / 2,
  y2_px: y + height / 2,
  x3_px: x - width / 2,
  y3_px: y + height / 2,
})

const ball = { kind: 'objects', labels: ['cube', 'ball "red" ü'] } as const
const balls: SeenRows = {
  ...ball,
  rows: [
    { label: 1, confidence: 0.875, ...box(820, 310, 64, 40) },
    { label: 0, confidence: 0.5, ...box(100, 700, 10, 10) },
  ],
}

test('an object is aimed at, and the keys of detectors are filled', () => {
  const snapshot = shown([balls])

  assert.deepEqual([snapshot.tv, snapshot.tid, snapshot.getpipetype], [1, -1, 'pipe_neuraldetector'])
  near([snapshot.tx, snapshot.ty, snapshot.ta], [deg(180 / 900), deg(90 / 900), 0.25], 1e-9, 'aim')
  assert.deepEqual([snapshot.tclass, snapshot.tdclass, snapshot.tcclass], ['ball "red" ü', 'ball "red" ü', ''])
  const corners = [788, 290, 852, 290, 852, 330, 788, 330]
  near(snapshot.rawdetections.subarray(0, 12), [1, deg(0.2), deg(0.1), 0.0025, ...corners], 1e-9, 'rawdetections')
  assert.equal(snapshot.rawdetections.length, 24)
  near(snapshot.tcornxy, corners, 1e-9, 'tcornxy')
  assert.deepEqual(
    [...snapshot.t2d.subarray(0, 2), snapshot.t2d[9], ...snapshot.t2d.subarray(10, 17)],
    [1, 2, -1, 1, 0, 64, 40, 64, 40, 0],
  )
  const { Detector, v, pTYPE } = document(snapshot)
  assert.deepEqual([v, pTYPE, Detector.length], [1, 'pipe_neuraldetector', 2])
  assert.deepEqual(Detector[0], {
    class: 'ball "red" ü',
    classID: 1,
    conf: 0.875,
    ta: 0.0025,
    tx: 11.30993,
    ty: 5.71059,
    tx_nocross: 11.30993,
    ty_nocross: 5.71059,
    txp: 820,
    typ: 310,
    pts: [
      [788, 290],
      [852, 290],
      [852, 330],
      [788, 330],
    ],
  })
})

test('of a pipeline that sorts pictures the class of the picture is read', () => {
  const labels = ['empty', 'full']
  const snapshot = shown([{ kind: 'classes', labels, rows: [{ label: 1, confidence: 0.75 }] }])

  assert.deepEqual([snapshot.tv, snapshot.tclass, snapshot.tcclass, snapshot.tdclass], [1, 'full', 'full', ''])
  assert.deepEqual([snapshot.t2d[10], snapshot.t2d[11], snapshot.tcornxy.length], [0, 1, 0])
  const { Classifier, pTYPE } = document(snapshot)
  assert.deepEqual([pTYPE, Classifier], ['pipe_neuralclassifier', [{ class: 'full', classID: 1, conf: 0.75 }]])
})

test('a class without a name is called by its number', () => {
  const snapshot = shown([{ kind: 'classes', rows: [{ label: 7, confidence: 1 }] }])

  assert.equal(snapshot.tclass, '7')
})

test('codes are aimed at, with what they say', () => {
  const text = 'naïve\n"ABC"'
  const bytes = Buffer.byteLength(text)
  const rows = [
    { ...box(640, 300, 90, 90), text_at: 0, text_bytes: bytes - 5 },
    { ...box(640, 500, 9, 9), text_at: bytes - 5, text_bytes: 5, symbology: 3 },
  ]

  const snapshot = shown([{ kind: 'barcodes', rows, text }])

  near([snapshot.tx, snapshot.ty, snapshot.ta], [0, deg(100 / 900), (100 * 8100) / 1_024_000], 1e-9, 'aim')
  const { Barcode, pTYPE } = document(snapshot)
  assert.deepEqual([pTYPE, Barcode.map(({ data }: { data: string }) => data)], ['pipe_barcode', ['naïve\n', '"ABC"']])
  assert.deepEqual(
    Barcode.map(({ fam }: { fam: string }) => fam),
    ['QR', 'CODE128'],
  )
  assert.deepEqual(Barcode[0].pts[2], [685, 345])
  assert.match(resultsJson(snapshot), /^[\x20-\x7e]*$/, 'one line of ASCII')
})

const targetInCamera = { x: 0.5, y: -0.3, z: 2, qw: 1, qx: 0, qy: 0, qz: 0 }
const camera_target = Object.fromEntries(
  Object.entries(targetInCamera).map(([axis, value]) => [
    `camera_target_${axis}${'xyz'.includes(axis) ? '_m' : ''}`,
    value,
  ]),
)

test('targets by colour are aimed at, with their place in space where it is known', () => {
  const rows = [
    { ...box(865, 265, 60, 30), area_share: 0.0015, has_pose: 1, ...camera_target },
    { ...box(100, 100, 20, 20), area_share: 0.0004 },
  ]

  const snapshot = shown([{ kind: 'targets', rows }])

  near([snapshot.tx, snapshot.ty, snapshot.ta], [deg(0.25), deg(0.15), 0.15], 1e-9, 'aim')
  assert.equal(snapshot.tdist, Math.hypot(0.5, 0.3, 2))
  near(snapshot.targetpose_cameraspace, [0.5, -0.3, 2, 0, 0, 0], 1e-12, 'targetpose_cameraspace')
  const targetInRobot = compose(inOpticalAxes(poseFromDocument(mount)), targetInCamera)
  const { x, y, z } = invert(targetInRobot)
  near(snapshot.botpose_targetspace.subarray(0, 3), [x, y, z], 1e-12, 'botpose_targetspace')
  near(snapshot.rawtargets, [0.3515625, 0.3375, 0.0015, -0.84375, 0.75, 0.0004], 1e-9, 'rawtargets')
  const { Retro, pTYPE } = document(snapshot)
  assert.equal(pTYPE, 'pipe_color')
  assert.deepEqual(
    [Retro[0].t6t_cs, Retro[0].t6r_fs],
    [
      [0.5, -0.3, 2, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ],
  )
  for (const pose of ['t6c_ts', 't6r_fs', 't6r_ts', 't6t_cs', 't6t_rs']) assert.deepEqual(Retro[1][pose], [], pose)
  assert.deepEqual(Retro[1].pts[0], [90, 90])
})

test('the raw targets are the outlines before they were grouped, where a pipeline gives those too', () => {
  const targets: SeenRows = { kind: 'targets', rows: [{ ...box(640, 400, 60, 30), area_share: 0.002 }] }
  const halves: SeenRows = {
    kind: 'contours',
    rows: [620, 660].map((x) => ({ ...box(x, 400, 20, 30), area_px: 512 })),
  }

  const both = shown([targets, halves])
  const outlines = shown([halves])

  assert.deepEqual([document(both).Retro.length, both.rawtargets.length], [1, 6])
  near(both.rawtargets, [-0.03125, 0, 0.0005, 0.03125, 0, 0.0005], 1e-9, 'rawtargets')
  assert.deepEqual([document(outlines).Retro.length, outlines.getpipetype], [2, 'pipe_color'])
  near([outlines.tx, outlines.ta], [deg(-20 / 900), 0.05], 1e-9, 'aim')
})

test('in a part of the picture the keys are those of the whole', () => {
  const rows = [{ label: 1, confidence: 1, ...box(180, 110, 64, 40) }]
  const crop = {
    x_px: 640,
    y_px: 200,
    width_px: 1280,
    height_px: 800,
    picture: { width_px: 2560, height_px: 1600 },
  } as NonNullable<Installation['crop']>
  const moved = { ...intrinsics, width_px: 1280, cx_px: intrinsics.cx_px }

  const snapshot = shown([{ ...ball, rows }], undefined, { ...installation, intrinsics: moved, crop })

  near(snapshot.tcornxy.subarray(0, 2), [180 - 32 + 640, 110 - 20 + 200], 1e-9, 'tcornxy')
  near([snapshot.ta], [(100 * 64 * 40) / (2560 * 1600)], 1e-9, 'ta')
})

test('of a pipeline for tags and objects a tag is aimed at, and the objects are listed', () => {
  const snapshot = shown([balls], { tags: [seenFrom(robot, 6)], robot })
  const without = shown([balls], {})

  assert.deepEqual(
    [snapshot.tid, snapshot.getpipetype, snapshot.tclass, snapshot.tdclass],
    [6, 'pipe_fiducial', '', 'ball "red" ü'],
  )
  assert.deepEqual([document(snapshot).Detector.length, snapshot.t2d[10]], [2, 1])
  assert.deepEqual([without.tv, without.rawdetections.length], [0, 24])
})

test('what a pipeline is called follows from what comes out of it', () => {
  const called = (kind: SeenRows['kind']) => shown([{ kind, rows: [] }]).getpipetype

  assert.deepEqual(
    (['tag_poses', 'contours', 'objects', 'classes', 'barcodes', 'values', 'focus', 'exposure'] as const).map(called),
    [
      ...['pipe_fiducial', 'pipe_color', 'pipe_neuraldetector', 'pipe_neuralclassifier', 'pipe_barcode'],
      ...['pipe_python', 'pipe_focus', 'pipe_viewfinder'],
    ],
  )
  assert.equal(document(shown([{ kind: 'focus', rows: [{ sharpness: 12.5 }] }])).focus_metric, 12.5)
})

test('a frame without finds leaves nothing of the one before, nor does another pipeline', () => {
  const sightings = new TableFrames()
  const of = (result: ReturnType<typeof frame>) => Float64Array.from(sightings.of(result, installation))
  const none = frameOf([{ ...ball, rows: [] }])
  const tags = frame({ tags: [seenFrom(robot, 6)], robot })
  const fresh = [none, tags].map((result) => Float64Array.from(new TableFrames().of(result, installation)))

  of(frameOf([balls]))
  const after = [none, tags].map(of)

  assert.deepEqual(after, fresh)
})

test('what the vendor has no room for is cut off', () => {
  const many = (row: Readonly<Record<string, number>>) => Array.from({ length: 40 }, () => row)
  const text = 'x'.repeat(60_000)
  const snapshot = shown([
    { ...ball, rows: many({ label: 1, ...box(5, 5, 2, 2) }) },
    { kind: 'targets', rows: many(box(5, 5, 2, 2)) },
    { kind: 'barcodes', rows: many({ text_at: 0, text_bytes: 60_000 }), text },
  ])

  const { Detector, Retro, Barcode } = document(snapshot)
  assert.deepEqual([Detector.length, Retro.length, Barcode.length], [32, 32, 1])
  assert.equal(Barcode[0].data.length, 60_000)
  assert.deepEqual([snapshot.rawdetections.length, snapshot.rawtargets.length], [12 * 32, 3 * 32])
})
