// Tier 1: a pipeline is tried on a stream, and whatever happens to those who try it, what is stored comes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { tagsAs } from '../support/engine/graphs.ts'
import type { Daemon } from '../support/processes/daemon.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

const GRAPH = '/v1/streams/front/pipeline/graph'

/** Waits for tags in an output. */
const gives = (daemon: Daemon, port: string) =>
  until(
    `tags in ${port}`,
    () => daemon.send('GET', `/v1/streams/front/pipeline/outputs/${port}/sample`),
    ({ body }) => ((body as { sample?: { rows: readonly unknown[] } | null }).sample?.rows.length ?? 0) > 0,
  )

test('a pipeline that is tried is gone with its time, and with the service', async (t) => {
  const { daemon, place } = await tagsDaemon(t, { manifest: { pipeline: tagsAs('stored') } })
  await gives(daemon, 'stored')
  const before = await daemon.get<StreamView>('/v1/streams/front')
  const { engine_pid } = await daemon.metrics('front')

  await daemon.send('POST', GRAPH, { graph: tagsAs('tried'), trial_s: 5 })
  await gives(daemon, 'tried')
  await gives(daemon, 'stored')
  const over = await daemon.get<StreamView>('/v1/streams/front')
  assert.deepEqual([over.revision, over.status.pipeline.trial], [before.revision, null])
  assert.equal((await daemon.metrics('front')).engine_pid, engine_pid)

  await daemon.send('POST', GRAPH, { graph: tagsAs('tried'), trial_s: 600 })
  await gives(daemon, 'tried')
  await daemon.end('SIGKILL')
  const next = await place.start()

  await gives(next, 'stored')
  const { revision, spec, status } = await next.stream('front', 'live')
  assert.deepEqual([revision, spec, status.pipeline.trial], [before.revision, before.spec, null])
})
