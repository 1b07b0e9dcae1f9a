// The pipelines to begin with, in the engine: each gives what it promises of a picture with such things in it, and its
// pictures show them.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { RESULT_FIELDS } from '../../../../machines/engine/result.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { templates } from '../../../../machines/pipeline/templates.ts'
import type { Intrinsics, StreamManifest } from '../../../../machines/stream/manifest.ts'
import { MODEL_FOLDER } from '../../../../native/models/folder.ts'
import { smallCamera, startEngine } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { tinyYolov8 } from '../../../support/engine/tiny-models.ts'
import { BLOCK_PX, blockJpeg } from '../../../support/media/block-jpeg.ts'
import { outlinesOf, planesOf, sharesOf } from '../../../support/media/seen-in.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const graphOf = (id: string): GraphDocument => {
  const graph = templates.find((each) => each.id === id)?.graph
  assert.ok(graph, `there is a template ${id}`)
  return graph
}

type NodeParams = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** With what its user chooses, by the ids of nodes. */
const chosen = (graph: GraphDocument, params: NodeParams): GraphDocument => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, params: { ...node.params, ...params[node.id] } })),
})

/**
 * What a template gives of a source. params: what its user chooses. rows: of a result. pictures: JPEGs of these
 * outputs.
 */
const given = async (
  t: TestContext,
  id: string,
  source: StreamManifest['source'],
  pictures: readonly string[],
  { intrinsics, params = {} }: { readonly intrinsics?: Intrinsics; readonly params?: NodeParams } = {},
) => {
  const camera = await startEngine(t)
  await camera.open({ source, pipeline: chosen(graphOf(id), params), ...(intrinsics && { intrinsics }) })
  const result = await camera.nextResult()
  const want = { max_width_px: 0, quality: 90, overlay: false, fps: 0 }
  camera.engine.setPictureKinds(pictures.map((output) => ({ key: output, output, ...want })))
  const jpegs = new Map<string, Uint8Array>()
  while (jpegs.size < pictures.length) {
    const { key, jpeg } = await camera.nextPicture()
    jpegs.set(key, jpeg)
  }
  await camera.release()
  assert.deepEqual(
    camera.events.filter(({ type }) => type === 'warned'),
    [],
  )
  const rows = (port: string) => rowObjects(result, port) ?? []
  return { result, rows, jpeg: (output: string) => jpegs.get(output) as Uint8Array }
}

// of what is drawn
const HUES = { tags: [100, 140], targets: [20, 50], outlines: [180, 210], objects: [290, 310] } as const
const lensed = smallCamera.source

/** Of a lens that shows the corners farther out than they are. */
const bent: Intrinsics = {
  width_px: 640,
  height_px: 400,
  fx_px: 400,
  fy_px: 400,
  cx_px: 320,
  cy_px: 200,
  distortion: [0.3, 0, 0, 0],
}

test('apriltag-3d tells where the robot stands, and its picture shows the tags', async (t) => {
  const { rows, jpeg } = await given(t, 'apriltag-3d', lensed, ['overlay'])

  assert.ok(rows('tags').length >= 2)
  assert.deepEqual([rows('pose').length, rows('tag_poses').length], [1, rows('tags').length])
  assert.ok((await outlinesOf(t, jpeg('overlay'), HUES.tags)).length >= 2)
})

test('apriltag-2d tells which tags there are, and its picture shows them', async (t) => {
  const { rows, jpeg } = await given(t, 'apriltag-2d', lensed, ['overlay'])

  assert.ok(rows('tags').length >= 2)
  assert.ok((await outlinesOf(t, jpeg('overlay'), HUES.tags)).length >= 2)
})

test('driver gives pictures and no results', async (t) => {
  const { result } = await given(t, 'driver', lensed, [])

  assert.deepEqual(
    result.layout.outputs.map(({ port }) => port),
    ['truth', 'visible'],
  )
})

test('colour-target finds where to aim; one picture shows the colour, the other what counts of it', async (t) => {
  const path = join(folderOf(t), 'target.jpg')
  const isGreen = (column: number, row: number) => column >= 50 && column < 62 && row >= 10 && row < 16
  writeFileSync(
    path,
    blockJpeg(80, 60, (column, row) => (isGreen(column, row) ? [40, 210, 60] : [110, 110, 110])),
  )
  const { rows, jpeg } = await given(t, 'colour-target', { backend: 'images', path, fps: 30 }, ['overlay', 'mask'])

  const [target, ...others] = rows('targets')
  assert.deepEqual([others.length, rows('contours').length], [0, 1])
  assert.ok(Math.hypot((target?.cx_px ?? 0) - 56 * BLOCK_PX, (target?.cy_px ?? 0) - 13 * BLOCK_PX) < 2)
  assert.ok(Math.abs((await sharesOf(t, jpeg('mask'))).white - (12 * 6) / (80 * 60)) < 0.001)
  assert.equal(planesOf(jpeg('mask')), 1)
  const [drawn] = await outlinesOf(t, jpeg('overlay'), HUES.targets)
  assert.ok(Math.hypot((drawn?.cx_px ?? 0) - 56 * BLOCK_PX, (drawn?.cy_px ?? 0) - 13 * BLOCK_PX) < 4)
})

test('focus tells how sharp and how bright the picture is, and shows the tags that can be read', async (t) => {
  const { rows, jpeg } = await given(t, 'focus', lensed, ['overlay'])

  const [[focus], [light]] = [rows('focus'), rows('exposure')]
  assert.ok(focus && (focus.sharpness ?? 0) > 0 && (focus.best ?? 0) >= (focus.sharpness ?? 0))
  assert.ok(light && (light.mean ?? 0) > 20 && (light.mean ?? 0) < 235)
  assert.equal(Object.keys(light).length, RESULT_FIELDS.exposure.length)
  assert.ok((await outlinesOf(t, jpeg('overlay'), HUES.tags)).length >= 2)
})

test('calibration-view shows the picture without distortion, with the tags where they are then', async (t) => {
  const { rows, jpeg } = await given(t, 'calibration-view', lensed, ['overlay'], { intrinsics: bent })

  assert.ok(rows('tags').length >= 2 && rows('focus').length === 1 && rows('exposure').length === 1)
  assert.ok((await outlinesOf(t, jpeg('overlay'), HUES.tags)).length >= 2)
  const [light] = rows('exposure')
  const { black } = await sharesOf(t, jpeg('overlay'))
  assert.ok(black > (light?.dark_share ?? 1) + 0.02, `${black} is black: what the camera has not seen`)
})

test('object-detection tells what its model sees and where, and its picture shows it', async (t) => {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'colours.onnx'), tinyYolov8())
  process.env[MODEL_FOLDER] = folder // the engine inherits it
  const path = join(folder, 'drawn.jpg')
  const isRed = (column: number, row: number) => column >= 16 && column < 24 && row >= 24 && row < 32
  writeFileSync(
    path,
    blockJpeg(64, 64, (column, row) => (isRed(column, row) ? [255, 0, 0] : [0, 0, 0])),
  )
  const params = {
    detect: { model: 'colours.onnx', min_confidence: 0.6, timeout_ms: 1000 },
    overlay: { labels: false },
  }

  const source = { backend: 'images', path, fps: 30 } as const
  const { rows, jpeg } = await given(t, 'object-detection', source, ['overlay'], { params })

  const [object, ...others] = rows('objects')
  const centre = { x: 20 * BLOCK_PX, y: 28 * BLOCK_PX }
  const isThere = (found: Readonly<Record<string, number>> | undefined) =>
    Math.hypot((found?.cx_px ?? 0) - centre.x, (found?.cy_px ?? 0) - centre.y) < 4
  assert.ok(others.length === 0 && isThere(object), JSON.stringify(object))
  const [drawn] = await outlinesOf(t, jpeg('overlay'), HUES.objects)
  assert.ok(isThere(drawn), JSON.stringify(drawn))
})

test('every template is tried here', () => {
  const tried = [
    'apriltag-3d',
    'apriltag-2d',
    'driver',
    'colour-target',
    'focus',
    'calibration-view',
    'object-detection',
  ]
  assert.deepEqual(templates.map(({ id }) => id).toSorted(), tried.toSorted())
})
