// Pictures at the pace `lossless`: each one once, in order, however slow the pipeline or the reader is.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { header, type Result } from '../../../../machines/engine/result.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { defaultGraph } from '../../../../machines/pipeline/graph.ts'
import { holdUp } from '../../../support/clock/clock.ts'
import { type EngineProbe, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { emptyPng, grayPng } from '../../../support/media/png.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const REAL = fileURLToPath(new URL('../../../../../shared/data/images/photonvision/', import.meta.url))
const FIRST_WIDTH = 640
const SLOW = 8 // detectors: more of them no graph may have

/** Pictures that are told apart by their widths, one pixel wider each, in the order of their names. */
const numbered = (t: TestContext, count: number): string => {
  const folder = folderOf(t)
  for (let n = 0; n < count; n++)
    writeFileSync(join(folder, `${String(n).padStart(4, '0')}.png`), grayPng(FIRST_WIDTH + n, 480))
  return folder
}

const numberOf = (result: Result): number => header(result, 'width_px') - FIRST_WIDTH

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/**
 * A detector after the other, all at full resolution, and no two alike, which would be one: a picture takes many times
 * as long as it lies in front of the camera, also on a fast machine.
 */
const slowGraph: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    ...upTo(SLOW).map((n) => ({
      id: `tags${n}`,
      type: 'apriltag',
      params: { engine: 'reference', decimate: 1, blur: 1 + n / 100 },
    })),
  ],
  edges: upTo(SLOW).map((n) => ({ from: 'source.image', to: `tags${n}.image` })),
  outputs: upTo(SLOW).map((n) => ({ port: `tags${n}`, from: `tags${n}.detections` })),
}

/** The same tags two hundred times: results that are long. */
const longResults: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: upTo(200).map((n) => ({ port: `tags${n}`, from: 'tags.detections' })),
}

const play = async (
  files: EngineProbe,
  path: string,
  more: { readonly pipeline?: GraphDocument; readonly pace?: 'realtime' } = {},
) => {
  const { pipeline = defaultGraph, pace = 'lossless' } = more
  const before = files.results.length
  const ended = files.nextEvent('ended')
  await files.open({ source: { backend: 'images', path, fps: 240, loop: false, pace }, pipeline })
  await ended
  return files.results.slice(before)
}

test('a pipeline that is slower than the camera gets each picture once and in order', async (t) => {
  const folder = numbered(t, 60)
  const files = await startEngine(t)

  const each = await play(files, folder, { pipeline: slowGraph })
  const newest = await play(files, folder, { pipeline: slowGraph, pace: 'realtime' })

  assert.deepEqual(each.map(numberOf), upTo(60))
  assert.deepEqual(
    each.map((result) => [header(result, 'seq'), header(result, 'skipped')]),
    upTo(60).map((n) => [n, 0]),
  )
  assert.ok(newest.length < 60, 'a camera would have skipped some: the pipeline is slow')
})

test('a reader that is slower than the engine gets each result, and the end after the last', async (t) => {
  const { path } = await tagsFile(t)
  const files = await startEngine(t)
  let afterLast = 0
  files.engine.subscribe(({ type }) => {
    if (type === 'ended') afterLast = files.results.length
  })
  const ended = files.nextEvent('ended')
  files.onResult((result) => {
    // meanwhile the engine could make more than fits between the processes
    if (header(result, 'seq') === 5) holdUp(3_000)
  })

  const source = { backend: 'images', path: Array(100).fill(path), fps: 240, loop: false, pace: 'lossless' } as const
  await files.open({ source, pipeline: longResults })
  await ended

  const bytes = files.results.reduce((sum, { data }) => sum + data.byteLength, 0)
  assert.ok(bytes > 2_000_000, `${bytes} bytes might lie between the processes`)
  assert.deepEqual(
    files.results.map((result) => [header(result, 'seq'), header(result, 'skipped')]),
    upTo(100).map((n) => [n, 0]),
  )
  assert.equal(afterLast, 100)
})

test('pictures that loop come once in each pass', async (t) => {
  const folder = numbered(t, 7)
  const files = await startEngine(t)

  await files.open({ source: { backend: 'images', path: folder, fps: 240, pace: 'lossless' } })
  while (files.results.length < 24) await files.nextResult()

  assert.deepEqual(files.results.slice(0, 24).map(numberOf), [...upTo(7), ...upTo(7), ...upTo(7), 0, 1, 2])
})

test('a picture that cannot be decoded is the only one that is missing, and is counted', async (t) => {
  const folder = numbered(t, 9)
  writeFileSync(join(folder, '0004.png'), emptyPng(320, 240))
  const files = await startEngine(t)

  const results = await play(files, folder)

  assert.deepEqual(results.map(numberOf), [0, 1, 2, 3, 5, 6, 7, 8])
  assert.equal(header(results.at(-1) as Result, 'skipped'), 1)
  assert.equal(header(results.at(-1) as Result, 'seq'), 8)
})

test('a stream that waits for its reader can be opened anew, from the first picture', async (t) => {
  const folder = numbered(t, 400)
  const files = await startEngine(t)
  await files.open({ source: { backend: 'images', path: folder, fps: 240, pace: 'lossless' }, pipeline: slowGraph })
  await files.nextResult()

  holdUp(300)
  const again = await play(files, folder)

  const first = again.length - 400 // those before were still on their way
  assert.deepEqual(again.slice(first).map(numberOf), upTo(400))
})

test('real pictures come each once', {
  skip: existsSync(REAL) ? false : `there are no pictures in ${REAL}`,
}, async (t) => {
  const files = await startEngine(t)

  const results = await play(files, REAL, { pipeline: slowGraph })

  const count = readdirSync(REAL).filter((name) => /\.(jpe?g|png)$/.test(name)).length
  assert.deepEqual(
    results.map((result) => [header(result, 'seq'), header(result, 'skipped')]),
    upTo(count).map((n) => [n, 0]),
  )
})
