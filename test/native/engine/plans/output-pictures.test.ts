// Pictures that a pipeline makes, for those who watch them: made while somebody does, and not one step of them before.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { RESULT_HEADER, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import type { Picture, PictureKind } from '../../../../machines/stream/picture.ts'
import { type EngineProbe, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { planOf } from '../../../support/engine/graphs.ts'
import { BLOCK_PX, blockJpeg } from '../../../support/media/block-jpeg.ts'
import { outlinesOf, planesOf, sharesOf } from '../../../support/media/seen-in.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const GREEN = [100, 140] as const // what tags are drawn in
const FPS = 6
const EARLY = 0.25 // of a period: a frame that comes so much early still counts, or jitter would halve a rate
const CAPTURED = RESULT_HEADER.indexOf('captured_us')

/** How bright the picture is; and tags, which are looked for to be drawn and for nothing else. */
const sight = (outputs: GraphDocument['outputs'] = [{ port: 'sight', from: 'drawn.image' }]): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'light', type: 'exposure-stats' },
    { id: 'tags', type: 'apriltag' },
    { id: 'drawn', type: 'overlay' },
  ],
  edges: [
    { from: 'source.image', to: 'light.image' },
    { from: 'source.image', to: 'tags.image' },
    { from: 'source.colour', to: 'drawn.image' },
    { from: 'tags.detections', to: 'drawn.detections' },
  ],
  outputs: [{ port: 'light', from: 'light.exposure' }, ...outputs],
})

const kindOf = (output: string, changes: Partial<PictureKind> = {}): PictureKind => ({
  key: output,
  output,
  max_width_px: 0,
  quality: 90,
  overlay: false,
  fps: 0,
  ...changes,
})

/** Whether a node was run. */
const hasRun = ({ layout, data }: Result, id: string): boolean =>
  (data[RESULT_HEADER.length + layout.stages.indexOf(id)] ?? 0) > 0

const resultThat = async (probe: EngineProbe, isWanted: (result: Result) => boolean): Promise<Result> => {
  for (;;) {
    const result = await probe.nextResult()
    if (isWanted(result)) return result
  }
}

const pictureThat = async (probe: EngineProbe, isWanted: (picture: Picture) => boolean): Promise<Picture> => {
  for (;;) {
    const picture = await probe.nextPicture()
    if (isWanted(picture)) return picture
  }
}

test('what only a picture needs is run while somebody watches it, and the picture is in colour', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 60 }, pipeline: sight() })
  for (let n = 0; n < 3; n++) await camera.nextResult()
  const before = [...camera.results]

  camera.engine.setPictureKinds([kindOf('sight'), kindOf('sight', { key: 'small', max_width_px: 160 })])
  const [large, small] = [
    await pictureThat(camera, ({ key }) => key === 'sight'),
    await pictureThat(camera, ({ key }) => key === 'small'),
  ]
  await resultThat(camera, (result) => hasRun(result, 'tags') && hasRun(result, 'drawn'))
  camera.engine.setPictureKinds([])
  const after = await resultThat(camera, (result) => !hasRun(result, 'tags') && !hasRun(result, 'drawn'))

  assert.ok(before.every((result) => !hasRun(result, 'tags') && !hasRun(result, 'drawn')))
  assert.ok(before.every((result) => rowsOf(result, 'light')?.count === 1 && result.layout.outputs.length === 1))
  assert.equal(rowsOf(after, 'light')?.count, 1)
  assert.deepEqual([large.width_px, large.height_px, large.passthrough], [640, 400, false])
  assert.deepEqual([small.width_px, small.height_px], [160, 100])
  assert.deepEqual([planesOf(large.jpeg), planesOf(small.jpeg)], [3, 3])
  assert.ok((await outlinesOf(t, large.jpeg, GREEN)).length > 0, 'tags are drawn')
})

test('a picture for fewer frames a second is made of no more than these', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 60, pace: 'lossless' }, pipeline: sight() })

  camera.engine.setPictureKinds([kindOf('sight', { fps: FPS })])
  for (let n = 0; n < 3; n++) await camera.nextPicture()

  const [first = 0, ...others] = camera.results
    .filter((result) => hasRun(result, 'drawn'))
    .map(({ data }) => data[CAPTURED] as number)
  assert.ok(others.length > 0)
  const periodUs = 1e6 / FPS
  others.forEach((capturedUs, n) => {
    const periods = (capturedUs - first) / periodUs
    assert.ok(periods >= n + 1 - EARLY, `picture ${n + 2} is of a frame ${periods} periods after the first`)
  })
})

test('a mask is shown in black and white', async (t) => {
  const path = join(folderOf(t), 'green.jpg')
  const isGreen = (column: number, row: number) => column < 20 && row < 15
  writeFileSync(
    path,
    blockJpeg(40, 30, (column, row) => (isGreen(column, row) ? [40, 210, 60] : [110, 110, 110])),
  )
  const pipeline: GraphDocument = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'green', type: 'hsv-threshold', params: { hue_min_deg: 80, hue_max_deg: 160 } },
    ],
    edges: [{ from: 'source.colour', to: 'green.image' }],
    outputs: [{ port: 'mask', from: 'green.mask' }],
  }
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 60 }, pipeline })

  camera.engine.setPictureKinds([kindOf('mask')])
  const { jpeg, width_px, height_px } = await camera.nextPicture()

  assert.deepEqual([width_px, height_px, planesOf(jpeg)], [40 * BLOCK_PX, 30 * BLOCK_PX, 1])
  const { white, black } = await sharesOf(t, jpeg)
  assert.deepEqual([white, black], [0.25, 0.75])
})

test('a picture comes again when a pipeline gives one of that name, whatever ran between', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 60 }, pipeline: sight() })
  camera.engine.setPictureKinds([kindOf('sight')])
  await camera.nextPicture()

  await Effect.runPromise(camera.engine.setPlan(planOf(sight([]))))
  const isOther = (result: Result) => !result.layout.stages.includes('drawn')
  await resultThat(camera, isOther)
  await Effect.runPromise(camera.engine.ping)
  const without = camera.pictures.length
  for (let n = 0; n < 5; n++) await camera.nextResult()
  const meanwhile = camera.pictures.length - without
  await Effect.runPromise(camera.engine.setPlan(planOf(sight([{ port: 'sight', from: 'source.colour' }]))))
  const again = await camera.nextPicture()

  assert.ok(meanwhile <= 1, 'at most the one that was being encoded')
  assert.equal(planesOf(again.jpeg), 3)
  assert.deepEqual(
    camera.events.filter(({ type }) => type !== 'first-frame'),
    [],
  )
})
