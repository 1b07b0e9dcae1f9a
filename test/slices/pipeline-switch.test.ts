// The pipeline of a stream is changed while somebody watches: he sees every picture, and results are of the new one at
// once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { defaultGraph } from '../../machines/pipeline/graph.ts'
import { viewer } from '../support/api/preview.ts'
import { tagsAs } from '../support/engine/graphs.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

interface Sample {
  readonly sample: { readonly seq: number; readonly rows: readonly { readonly id: number }[] } | null
}

const GRAPH = '/v1/streams/front/pipeline/graph'

test('a pipeline is changed while a stream runs', async (t) => {
  const { daemon } = await tagsDaemon(t)
  const { shown, isOpen } = await viewer(t, `${daemon.url}/v1/streams/front/preview`)
  const before = await daemon.metrics('front')
  const sampleOf = (port: string) => daemon.get<Sample>(`/v1/streams/front/pipeline/outputs/${port}/sample`)
  const rowsIn = (port: string, isWanted: (count: number) => boolean) =>
    until(
      `rows in ${port}`,
      () => sampleOf(port),
      ({ sample }) => sample !== null && isWanted(sample.rows.length),
    )

  await t.test('another one takes its place, with its outputs', async () => {
    const { status } = await daemon.send('POST', GRAPH, { graph: tagsAs('only') })
    await rowsIn('only', (count) => count > 0)

    assert.equal(status, 204)
    assert.equal((await daemon.send('GET', '/v1/streams/front/pipeline/outputs/pose/sample')).status, 404)
  })

  await t.test('a parameter that is live takes effect', async () => {
    const { status } = await daemon.send('POST', GRAPH, { graph: tagsAs('only', { ids: [999] }) })
    await rowsIn('only', (count) => count === 0)

    assert.equal(status, 204)
  })

  await t.test('an output is added and taken away', async () => {
    const output = (body: object) => daemon.send<{ code: string }>('POST', '/v1/streams/front/pipeline/output', body)
    await daemon.send('POST', GRAPH, { graph: tagsAs('only') })
    const added = await output({ port: 'more', from: 'tags.detections' })
    await rowsIn('more', (count) => count > 0)
    const away = await output({ port: 'more', from: null })
    const again = await output({ port: 'more', from: null })
    const nowhere = await output({ port: 'odd', from: 'teapot.tea' })

    assert.deepEqual([added.status, away.status], [204, 204])
    assert.deepEqual([again.status, again.body.code], [404, 'output.not_found'])
    assert.deepEqual([nowhere.status, nowhere.body.code], [400, 'body.invalid'])
  })

  await t.test('one that does not hold together is refused with the place, and the one of before goes on', async () => {
    const graph = { ...tagsAs('only'), edges: [{ from: 'source.image', to: 'tags.tea' }] }
    const refused = await daemon.send<{ code: string; errors: { pointer: string }[] }>('POST', GRAPH, { graph })
    await rowsIn('only', (count) => count > 0)

    assert.deepEqual([refused.status, refused.body.code], [400, 'body.invalid'])
    assert.ok(refused.body.errors.some(({ pointer }) => pointer === '/graph/edges/0/to'))
  })

  await t.test('who expects another revision changes nothing', async () => {
    const { revision } = await daemon.get<StreamView>('/v1/streams/front')
    const body = { graph: defaultGraph, expected_revision: revision - 1 }

    assert.equal((await daemon.send('POST', GRAPH, body)).status, 409)
    assert.equal((await daemon.send('POST', GRAPH, { ...body, expected_revision: revision })).status, 204)
    await rowsIn('tags', (count) => count > 0)
  })

  const after = await daemon.metrics('front')
  assert.deepEqual([after.engine_pid, after.restarts], [before.engine_pid, before.restarts])
  assert.ok(
    isOpen() && shown.length > 0 && shown.every(({ isPlaceholder }) => !isPlaceholder),
    'the viewer saw pictures alone',
  )
})
