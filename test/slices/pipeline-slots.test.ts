// A stream is switched between its slots while somebody watches: he sees every picture. What its slots refer to is
// changed, cannot run, and is there again after a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { viewer } from '../support/api/preview.ts'
import { tagsFile } from '../support/engine/engine-task.ts'
import { tagsAs } from '../support/engine/graphs.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

interface Smoke {
  readonly plan: number
  readonly slot: number | null
  readonly graph_id: string | null
  readonly pipeline_fault: { readonly code: string } | null
  readonly frame_time_us: number
  readonly processing: { readonly median_us: number; readonly max_us: number }
  readonly nodes: readonly { id: string; median_us: number; max_us: number; share: number }[]
}

const OF_FRONT = '/v1/streams/front/pipeline'

/** Waits until results have tags in that output. */
const gives = (daemon: Daemon, port: string) =>
  until(
    `tags in ${port}`,
    () => daemon.send<{ sample: { rows: object[] } | null }>('GET', `${OF_FRONT}/outputs/${port}/sample`),
    ({ status, body }) => status === 200 && (body.sample?.rows.length ?? 0) > 0,
  )

test('a stream is switched between its slots while it runs', async (t) => {
  const place = site(t)
  const { path } = await tagsFile(t, place.dataDir)
  const daemon = await place.start()
  for (const id of ['near', 'far']) await daemon.send('POST', '/v1/pipelines/graphs', { id, ...tagsAs(id) })
  await daemon.addStream({ id: 'front', source: { backend: 'images', path, fps: 60 } })
  const { shown, isOpen } = await viewer(t, `${daemon.url}/v1/streams/front/preview`)
  const change = async (body: object) => (await daemon.send('POST', `${OF_FRONT}/graph`, body)).status
  const store = (id: string, graph: object) => daemon.send('PUT', `/v1/pipelines/graphs/${id}`, graph)
  const smoke = () => daemon.get<Smoke>(`${OF_FRONT}/smoke`)
  const before = await daemon.metrics('front')

  await t.test('by number, again and again', async () => {
    assert.equal(await change({ graph_id: 'near', slot: 2 }), 204)
    assert.equal(await change({ graph_id: 'far', slot: 3, activate: false }), 204)
    for (let n = 0; n < 6; n++) {
      assert.equal(await change({ slot: 3 - (n % 2) }), 204)
      await gives(daemon, n % 2 === 0 ? 'far' : 'near')
    }
    const { plan, slot, graph_id, processing, nodes, frame_time_us } = await smoke()
    assert.deepEqual([slot, graph_id, frame_time_us], [2, 'near', 16_667])
    assert.ok(plan > 6, 'each switch makes another plan')
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ['source', 'tags'],
    )
    assert.ok(nodes.every(({ median_us, max_us }) => median_us <= max_us && max_us <= processing.max_us))
    assert.ok(nodes.reduce((all, { share }) => all + share, 0) <= 1)
  })

  await t.test('to what a stored pipeline becomes, also by live parameters alone', async () => {
    await store('near', tagsAs('nearer'))
    await gives(daemon, 'nearer')
    const { plan } = await smoke()
    await store('near', tagsAs('nearer', { ids: [999] }))
    await until(
      'results without tags',
      () => daemon.get<{ sample: { rows: object[] } | null }>(`${OF_FRONT}/outputs/nearer/sample`),
      ({ sample }) => sample?.rows.length === 0,
    )
    assert.equal((await smoke()).plan, plan)
  })

  await t.test('but not to one that cannot run, nor away from one that is not deleted', async () => {
    await store('near', tagsAs('nearer'))
    await gives(daemon, 'nearer')
    await store('near', { ...tagsAs('nowhere'), edges: [] })
    const { status } = await until(
      'a refusal',
      () => daemon.get<StreamView>('/v1/streams/front'),
      (view) => view.status.pipeline.fault !== null,
    )
    assert.equal(status.pipeline.fault?.code, 'pipeline.invalid')
    await gives(daemon, 'nearer')
    assert.equal((await daemon.send('DELETE', '/v1/pipelines/graphs/near')).status, 409)
  })

  const after = await daemon.metrics('front')
  assert.deepEqual([after.engine_pid, after.restarts], [before.engine_pid, before.restarts])
  assert.ok(isOpen() && shown.every(({ isPlaceholder }) => !isPlaceholder), 'the viewer saw pictures alone')
  assert.ok(
    shown.every(({ seq }, n) => seq > (shown[n - 1]?.seq ?? -1)),
    'of a camera that was opened once',
  )

  await t.test('and after a restart all is as it was: the copy runs, and why not the stored one is told', async () => {
    const { spec } = await daemon.get<StreamView>('/v1/streams/front')
    await daemon.end('SIGTERM')
    const again = await place.start()
    await gives(again, 'nearer')
    const view = await until(
      'the refusal',
      () => again.get<StreamView>('/v1/streams/front'),
      ({ status }) => status.pipeline.fault !== null,
    )
    assert.deepEqual(view.spec, spec)
    await again.send('PUT', '/v1/pipelines/graphs/near', tagsAs('repaired'))
    await gives(again, 'repaired')
  })
})
