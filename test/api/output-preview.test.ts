// Pictures that a pipeline makes, watched over real sockets: which can be, and what is shown while a pipeline gives
// none.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Problem } from '../../api/problems/problem.ts'
import type { GraphDocument } from '../../machines/pipeline/graph.ts'
import { sourceAlone } from '../../machines/stream/what-runs.ts'
import { isJpeg, pictures, viewer } from '../support/api/preview.ts'
import { type WatchedStream, watchedStream } from '../support/engine/watched-stream.ts'
import { until } from '../support/until.ts'

/** Tags, and with these outputs beside them. */
const graphWith = (...more: GraphDocument['outputs']): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag' },
    { id: 'drawn', type: 'overlay' },
  ],
  edges: [
    { from: 'source.image', to: 'tags.image' },
    { from: 'source.colour', to: 'drawn.image' },
    { from: 'tags.detections', to: 'drawn.detections' },
  ],
  outputs: [{ port: 'tags', from: 'tags.detections' }, ...more],
})
const DRAWN = { port: 'drawn', from: 'drawn.image' }

const problemAt = async (url: string): Promise<Problem> => (await (await fetch(url)).json()) as Problem

const givePipeline = async ({ url }: WatchedStream, graph: GraphDocument): Promise<void> => {
  const { status } = await fetch(`${url}/v1/streams/front/pipeline/graph`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ graph }),
  })
  assert.equal(status, 204)
}

/** A stream whose pipeline draws. shoot: shows everybody the next picture, as its engine does. */
const drawingStream = async (t: TestContext) => {
  const api = await watchedStream(t)
  await givePipeline(api, graphWith(DRAWN))
  await until('the pipeline', () => api.stream.engine.applied.value?.revision === api.stream.stored.revision)
  const shoot = () => {
    api.fake.clock.advanceMs(33)
    api.fake.engine('front').showFrame()
  }
  return { ...api, shoot, of: (query: string) => `${api.preview}?${query}` }
}

test('who watches an output shares its encoding with others, and nothing more is drawn onto it', async (t) => {
  const { of, stream, shoot } = await drawingStream(t)
  const watching = [await viewer(t, of('output=drawn&overlay=true')), await viewer(t, of('output=drawn&fps=5'))]
  await viewer(t, of('overlay=true'))

  shoot()
  await until('a picture for both', () => watching.every(({ shown }) => pictures(shown).length === 1))

  assert.deepEqual(
    stream.viewers.pictures.wanted().map(({ output, overlay, fps }) => [output, overlay, fps]),
    [
      ['drawn', false, 0],
      ['', true, 0],
    ],
  )
})

test('an unknown output, or one without pictures, is refused with a sentence, and so is its frame', async (t) => {
  const { preview, url } = await drawingStream(t)
  for (const path of [preview, `${url}/v1/streams/front/frame`]) {
    const unknown = await problemAt(`${path}?output=teapot`)
    const rows = await problemAt(`${path}?output=tags`)
    const odd = await problemAt(`${path}?output=Tea%20pot`)

    assert.deepEqual([unknown.status, unknown.code], [404, 'output.not_found'])
    assert.match(unknown.detail, /the stream front has no output "teapot"/)
    assert.deepEqual([rows.status, rows.code], [400, 'output.other_kind'])
    assert.match(rows.detail, /the output tags gives detections.*pipeline\/outputs\/tags\/sample/)
    assert.deepEqual([odd.status, odd.code], [400, 'query.invalid'])
  }
  const rows = await problemAt(`${url}/v1/streams/front/pipeline/outputs/drawn/sample`)
  assert.deepEqual([rows.status, rows.code], [400, 'output.other_kind'])
  assert.match(rows.detail, /preview\?output=drawn/)
})

test('H.264 of an output is refused with the way out', async (t) => {
  const { of } = await drawingStream(t)

  const { status, code, detail } = await problemAt(of('output=drawn&codec=h264'))

  assert.deepEqual([status, code], [400, 'query.invalid'])
  assert.match(detail, /watch the output drawn as mjpeg/)
})

test('pictures stand among the outputs', async (t) => {
  const { url } = await drawingStream(t)

  const answer = await fetch(`${url}/v1/streams/front/pipeline/outputs`)

  const { outputs } = (await answer.json()) as { outputs: { port: string; kind: string; from: string | null }[] }
  assert.deepEqual(
    outputs.map(({ port, kind, from }) => [port, kind, from]),
    [
      ['tags', 'detections', 'tags.detections'],
      ['drawn', 'image', 'drawn.image'],
      ['truth', 'truth', null],
      ['visible', 'visible', null],
    ],
  )
})

test('a viewer of an output stays connected while a pipeline lacks it, is told so, and sees it again', async (t) => {
  const api = await drawingStream(t)
  const { shown, isOpen } = await viewer(t, api.of('output=drawn'))
  const camera = await viewer(t, api.preview)
  api.shoot()
  await until('a picture', () => pictures(shown).length === 1)

  await givePipeline(api, graphWith())
  await until('the sentence, twice', () => shown.filter(({ isPlaceholder }) => isPlaceholder).length >= 2)
  const late = await problemAt(api.of('output=drawn'))
  await givePipeline(api, graphWith(DRAWN))
  await until('the pipeline', () => api.stream.engine.applied.value?.revision === api.stream.stored.revision)
  api.shoot()
  await until('the picture', () => pictures(shown).length === 2)

  assert.ok(isOpen() && shown.every(({ jpeg }) => isJpeg(jpeg)))
  assert.equal(late.code, 'output.not_found')
  await until('the pictures of the camera', () => pictures(camera.shown).length === 2)
  assert.ok(
    camera.shown.every(({ isPlaceholder }) => !isPlaceholder),
    'the camera was there all the time',
  )
})

test('a viewer of an output is told that no picture comes while the source alone stands in', async (t) => {
  const { of, stream, shoot } = await drawingStream(t)
  const { shown } = await viewer(t, of('output=drawn'))
  shoot()
  await until('a picture', () => pictures(shown).length === 1)

  const { manifest, stored } = stream
  const value = { ...manifest, pipeline: sourceAlone }
  stream.engine.applied.set({ revision: null, cameraRevision: stored.revision, value })

  await until('the sentence', () => shown.some(({ isPlaceholder }) => isPlaceholder))
  assert.equal(stream.state, 'live', 'it is not told of a stream without pictures')
})
