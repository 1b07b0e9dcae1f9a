// Learned models in a real engine, on the real runtime: what they see in pictures, and what becomes of a stream whose
// model is none.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { header, type Result, rowsOf } from '../../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../../machines/engine/row-documents.ts'
import type { GraphDocument, Plan } from '../../../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../../../machines/pipeline/plan.ts'
import { MODEL_FOLDER } from '../../../../../native/models/folder.ts'
import { type EngineProbe, startEngine } from '../../../../support/engine/engine-task.ts'
import { tinyClassifier, tinySsd, tinyYolov5, tinyYolov8 } from '../../../../support/engine/tiny-models.ts'
import { blockJpeg, type Colour } from '../../../../support/media/block-jpeg.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-models-'))
after(() => rmSync(folder, { recursive: true }))
process.env[MODEL_FOLDER] = folder // engines inherit it

const BLACK: Colour = [0, 0, 0]
const RED: Colour = [255, 0, 0]
const BLUE: Colour = [0, 0, 255]

/** 64x48 pixels: the model sees them with a bar of a field above and below. */
const picture = join(folder, 'drawn.jpg')
writeFileSync(
  picture,
  blockJpeg(8, 6, (column, row) => (column === 2 && row === 1 ? RED : column === 6 && row === 4 ? BLUE : BLACK)),
)

mkdirSync(join(folder, 'side-cars'))

const stored = (name: string, bytes: Uint8Array, classNames?: string): string => {
  writeFileSync(join(folder, name), bytes)
  if (classNames !== undefined) writeFileSync(join(folder, 'side-cars', `${name}.label`), classNames)
  return name
}

const graphWith = (type: string, params: Readonly<Record<string, unknown>>): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'look', type, params: { timeout_ms: 1000, ...params } },
  ],
  edges: [{ from: 'source.colour', to: 'look.image' }],
  outputs: [{ port: 'seen', from: `look.${type === 'classifier' ? 'classes' : 'objects'}` }],
})

const planOf = (graph: GraphDocument): Plan => {
  const planned = planGraph(graph)
  assert.ok(planned.ok, JSON.stringify(planned))
  return planned.plan
}

const opened = async (t: TestContext, graph: GraphDocument): Promise<EngineProbe> => {
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path: picture, fps: 30, pace: 'lossless' }, pipeline: graph })
  return camera
}

const settle = (camera: EngineProbe, graph: GraphDocument) =>
  Effect.runPromise(Effect.exit(camera.engine.setPlan(planOf(graph))))

/** On a busy machine a model is late for some pictures, whose results have nothing of it. */
const MAX_LATE = 200

/** A result of the plan that was made last, in which something was seen. */
const nextOf = async (camera: EngineProbe, plan: number): Promise<Result> => {
  for (let late = 0; late < MAX_LATE; ) {
    const result = await camera.nextResult()
    if (header(result, 'plan') !== plan) continue
    if ((rowsOf(result, 'seen')?.count ?? 0) > 0) return result
    late += 1
  }
  return assert.fail('nothing is seen')
}

/** What was warned of, but that. */
const warningsOf = ({ events }: EngineProbe) =>
  events.filter((event) => event.type === 'warned' && event.fault.code !== 'step.too_slow')

const objects = (result: Result) =>
  (rowDocuments(result, 'seen', 'objects') ?? []).map(({ label, confidence, center, width_px, height_px }) => ({
    label,
    confidence: Math.round(confidence * 100) / 100,
    at: [center.x_px, center.y_px],
    size: [width_px, height_px],
  }))

const FIELDS = [
  { label: 'red', confidence: 1, at: [20, 12], size: [8, 8] },
  { label: 'blue', confidence: 1, at: [52, 36], size: [8, 8] },
]

test('detectors of each head find the same fields where they are, under the names of the model', async (t) => {
  const models = { yolov8: tinyYolov8(), yolov5: tinyYolov5(), ssd: tinySsd() }
  const named = (head: string) => graphWith('object-detector', { model: `${head}.onnx`, min_confidence: 0.6 })
  for (const [head, bytes] of Object.entries(models)) stored(`${head}.onnx`, bytes)
  const camera = await opened(t, named('yolov8'))

  assert.deepEqual(objects(await nextOf(camera, 1)), FIELDS)
  for (const [n, head] of ['yolov5', 'ssd'].entries()) {
    assert.ok(Exit.isSuccess(await settle(camera, named(head))))
    assert.deepEqual(objects(await nextOf(camera, n + 2)), FIELDS, head)
  }
  assert.deepEqual(warningsOf(camera), [])
})

test('a threshold, classes and a limit take effect without a new plan; names beside a model come first', async (t) => {
  const model = stored('named.onnx', tinyYolov8(), 'cube\ncone\nrobot\n')
  const params = { model, min_confidence: 0.6 }
  const camera = await opened(t, graphWith('object-detector', params))
  assert.deepEqual(
    objects(await nextOf(camera, 1)).map(({ label }) => label),
    ['cube', 'robot'],
  )

  const step = planOf(graphWith('object-detector', { ...params, classes: [2] })).steps[1]
  assert.ok(step)
  camera.engine.setParams([step])

  for (;;) {
    const found = objects(await nextOf(camera, 1))
    if (found.length === 2) continue
    assert.deepEqual(
      found.map(({ label }) => label),
      ['robot'],
    )
    break
  }
  assert.equal(header(await camera.nextResult(), 'plan'), 1)
})

test('names that are put beside a model while it runs stand in the results of the next plan', async (t) => {
  const graph = graphWith('object-detector', { model: stored('renamed.onnx', tinyYolov8()), min_confidence: 0.6 })
  const camera = await opened(t, graph)
  const labels = async (plan: number) => objects(await nextOf(camera, plan)).map(({ label }) => label)
  assert.deepEqual(await labels(1), ['red', 'blue'])

  stored('renamed.onnx', tinyYolov8(), 'cube\ncone\nrobot\n')
  assert.ok(Exit.isSuccess(await settle(camera, graph)))

  assert.deepEqual(await labels(2), ['cube', 'robot'])
})

test('a classifier gives shares of 1, the likeliest first', async (t) => {
  const model = stored('colours.onnx', tinyClassifier())
  const camera = await opened(t, graphWith('classifier', { model, fit: 'whole', limit: 2 }))

  const seen = rowDocuments(await nextOf(camera, 1), 'seen', 'classes') ?? []

  // A field of 64 is red, one blue, and of 16 fields of bars each has 114 of 255.
  const bars = ((114 / 255) * 16) / 64
  const shares = [1 / 64 + bars, bars, 1 / 64 + bars].map((logit) => Math.exp(logit))
  const sum = shares.reduce((all, share) => all + share, 0)
  assert.deepEqual(new Set(seen.map(({ label }) => label)), new Set(['red', 'blue']))
  for (const { confidence } of seen)
    assert.ok(Math.abs(confidence - (shares[0] as number) / sum) < 1e-4, `${confidence}`)
})

test('a model that is none, or another, keeps the pipeline of before running, and says why', async (t) => {
  const whole = tinyYolov8()
  const bad = {
    [stored('empty.onnx', Buffer.alloc(0))]: /the model empty\.onnx cannot be loaded/,
    [stored('text.onnx', Buffer.from('hello, I am a model'))]: /the model text\.onnx (is not whole|cannot be loaded)/,
    [stored('half.onnx', whole.subarray(0, whole.length / 2))]: /the model half\.onnx (is not whole|cannot be loaded)/,
    [stored('sized.onnx', tinyYolov8({ inputs: [{ name: 'images', dims: [1, 3, 60, 60] }] }))]: /sized\.onnx cannot be/,
    [stored('classes.onnx', tinyClassifier())]: /the model classes\.onnx gives 1x3, which is no detector/,
    'gone.onnx': /the model gone\.onnx is not on this device/,
  }
  const camera = await opened(
    t,
    graphWith('object-detector', { model: stored('good.onnx', whole), min_confidence: 0.6 }),
  )
  await nextOf(camera, 1)

  for (const [model, why] of Object.entries(bad)) {
    const exit = await settle(camera, graphWith('object-detector', { model }))
    const said = Exit.isFailure(exit) ? JSON.stringify(exit.cause) : 'it was taken'
    assert.match(said, why)
    assert.match(said, /engine\.bad_task/)
    assert.ok(!said.includes(folder), said)
    assert.deepEqual(objects(await nextOf(camera, 1)), FIELDS)
  }
})

test('a node that has no model yet runs, and finds nothing', async (t) => {
  const camera = await opened(t, graphWith('object-detector', {}))

  assert.deepEqual(objects(await camera.nextResult()), [])
  assert.deepEqual(warningsOf(camera), [])
})
