// A part of the pictures, in a real engine process: what comes out is of that part, and stands where it stood.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Crop } from '../../../../machines/cameras/crop.ts'
import { header, type Result } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { TABLE_FRAME, TableFrames, TableFrameViews } from '../../../../machines/extcam/table-frame.ts'
import type { PoseDocument } from '../../../../machines/localization/pose.ts'
import type { StreamManifest } from '../../../../machines/stream/manifest.ts'
import type { EngineOpened } from '../../../../native/engine/port.ts'
import { startEngine, tagsFile, takePicture } from '../../../support/engine/engine-task.ts'
import { oneTag } from '../../../support/engine/field-maps.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const crop: Crop = { x_px: 420, y_px: 236, width_px: 404, height_px: 300 }
const asTheyAre = { key: 'camera', max_width_px: 0, quality: 0, overlay: false, fps: 0 }
const mount: PoseDocument = { x_m: 0.1, y_m: -0.05, z_m: 0.6, roll_deg: 0, pitch_deg: -5, yaw_deg: 3 }

/** A robot in front of that tag, a little aslant, with a lens that bends. */
const before = (part?: Crop): StreamManifest => ({
  source: {
    backend: 'synthetic',
    width_px: 1280,
    height_px: 800,
    fps: 30,
    motion: 'still',
    pose: { x_m: 2.6, y_m: 3.2, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 176 },
  },
  intrinsics: {
    width_px: 1280,
    height_px: 800,
    fx_px: 830,
    fy_px: 826,
    cx_px: 652,
    cy_px: 391,
    distortion: [-0.12, 0.04, 0.001, -0.0005],
  },
  pose: mount,
  ...(part && { crop: part }),
})

const rowOf = (result: Result, port: string): Record<string, number> => {
  const rows = rowObjects(result, port)
  assert.equal(rows?.length, 1, `one row at ${port}`)
  return rows?.[0] as Record<string, number>
}

const isNear = (actual: number | undefined, expected: number | undefined, tolerance: number, what: string): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - (expected ?? 0)) <= tolerance, `${what}: ${actual}, not ${expected}`)

/** What the robot would read. */
const robotReads = (result: Result, { intrinsics, crop: applied }: EngineOpened) => {
  const numbers = new TableFrames().of(result, { map: oneTag, intrinsics, crop: applied, mount })
  const { tcornxy, botpose_wpiblue } = new TableFrameViews(numbers).get()
  const of = (name: keyof typeof TABLE_FRAME) => numbers[TABLE_FRAME[name]] as number
  return { tx: of('tx'), ty: of('ty'), txnc: of('txnc'), ta: of('ta'), tcornxy, botpose_wpiblue }
}

test('a part has its own pixels and the poses, the truth and the values for the robot of the whole', async (t) => {
  const camera = await startEngine(t)
  const openedWhole = await camera.open(before(), oneTag)
  const whole = await camera.nextResult()
  const opened = await camera.open(before(crop), oneTag)
  const part = await camera.nextResult()

  const picture = { width_px: 1280, height_px: 800 }
  assert.deepEqual(opened.crop, { ...crop, by: 'engine', sensor: null, picture })
  assert.deepEqual([opened.width_px, opened.height_px, openedWhole.crop], [404, 300, null])
  assert.deepEqual([header(part, 'width_px'), header(part, 'height_px')], [404, 300])
  const { intrinsics } = opened
  assert.deepEqual(
    [intrinsics?.width_px, intrinsics?.height_px, intrinsics?.fx_px, intrinsics?.cx_px, intrinsics?.cy_px],
    [404, 300, 830, 652 - 420, 391 - 236],
  )

  const [seen, seenWhole] = [rowOf(part, 'tags'), rowOf(whole, 'tags')]
  for (const [field, value] of Object.entries(seenWhole)) {
    if (/^c?x\d?_px$/.test(field)) isNear(seen[field], value - crop.x_px, 0.1, field)
    if (/^c?y\d?_px$/.test(field)) isNear(seen[field], value - crop.y_px, 0.1, field)
  }
  const [truth, truthWhole] = [rowOf(part, 'visible'), rowOf(whole, 'visible')]
  isNear(truth.cx_px, (truthWhole.cx_px ?? 0) - crop.x_px, 1e-9, 'the true centre')
  assert.deepEqual(rowOf(part, 'truth'), rowOf(whole, 'truth'))

  const [pose, poseWhole] = [rowOf(part, 'pose'), rowOf(whole, 'pose')]
  for (const axis of ['x', 'y', 'z'])
    isNear(
      pose[`field_robot_${axis}_m`],
      poseWhole[`field_robot_${axis}_m`],
      4 * (poseWhole[`std_${axis}_m`] as number), // of frames with a noise each
      `the robot's ${axis}`,
    )

  const [reads, readsWhole] = [robotReads(part, opened), robotReads(whole, openedWhole)]
  for (const name of ['tx', 'ty', 'txnc'] as const) isNear(reads[name], readsWhole[name], 0.02, name)
  isNear(reads.ta, readsWhole.ta, 0.01 * readsWhole.ta, 'ta')
  for (const [n, pixel] of readsWhole.tcornxy.entries()) isNear(reads.tcornxy[n], pixel, 0.1, `tcornxy[${n}]`)
  for (const n of [0, 1]) isNear(reads.botpose_wpiblue[n], readsWhole.botpose_wpiblue[n], 0.05, `botpose[${n}]`)
})

test('a calibration of the size of the part is not one of the whole picture', async (t) => {
  const camera = await startEngine(t)
  const { path } = await tagsFile(t)
  const warned = camera.nextEvent('warned')
  const lens = { width_px: 320, height_px: 208, fx_px: 400, fy_px: 400, cx_px: 160, cy_px: 100, distortion: [] }

  const { intrinsics } = await camera.open({
    source: { backend: 'images', path },
    intrinsics: lens,
    crop: { x_px: 160, y_px: 96, width_px: 320, height_px: 208 },
  })
  const event = await warned

  assert.equal(intrinsics, null)
  assert.equal(event.type === 'warned' && event.fault.code, 'camera.intrinsics_mismatch')
  assert.match(event.type === 'warned' ? event.fault.detail : '', /320x208.*640x400/)
})

test('who watches a part of JPEGs sees that part, cut so that played again it gives the same results', async (t) => {
  const { picture, result } = await takePicture(t)
  const [tag] = rowObjects(result, 'tags') ?? []
  const around = (centre = 0, least = 0) => 16 * Math.floor(Math.max(least, centre - 100) / 16)
  const folder = folderOf(t)
  const [path, cutPath] = [join(folder, 'tags.jpg'), join(folder, 'cut.jpg')]
  writeFileSync(path, picture.jpeg)
  const camera = await startEngine(t)
  const part = { x_px: around(tag?.cx_px), y_px: around(tag?.cy_px), width_px: 203, height_px: 171 }
  await camera.open({ source: { backend: 'images', path }, crop: part })
  camera.engine.setPictureKinds([asTheyAre])

  const cut = await camera.nextPicture()
  const found = await camera.nextResult()
  writeFileSync(cutPath, cut.jpeg)
  await camera.open({ source: { backend: 'images', path: cutPath } })
  const replayed = await camera.nextResult()

  assert.deepEqual([cut.width_px, cut.height_px, cut.passthrough], [203, 171, false])
  const tags = rowDocuments(found, 'tags', 'detections')
  assert.ok(tags?.length)
  assert.deepEqual(rowDocuments(replayed, 'tags', 'detections'), tags)
})

test('a part that does not lie in the pictures of a source is refused with their size', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)

  const [x_px, y_px, width_px, height_px] = [400, 0, 300, 100]
  const fault = camera.open({ source: { backend: 'images', path }, crop: { x_px, y_px, width_px, height_px } })

  await assert.rejects(fault, ({ code, detail }: Fault) => {
    assert.equal(code, 'camera.mode')
    assert.match(detail, /300x100 at \(400, 0\), does not lie in the picture, which has 640x400 pixels/)
    return true
  })
})
