// The service on a machine that has no vision addon.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isRunning, site } from '../support/processes/daemon.ts'
import { enginesOf } from '../support/processes/engines.ts'
import { until } from '../support/until.ts'

test('with fake engines the demo runs in one process, without the addon', async (t) => {
  const daemon = await site(t).start({ demo: null, engine: 'fake' })
  await daemon.stream('demo', 'live')

  const { frames } = await daemon.metrics('demo')
  const { engine_pid } = await until(
    'more frames',
    () => daemon.metrics('demo'),
    (now) => now.frames > frames + 5,
  )
  const picture = await daemon.picture('demo')
  const { sample } = await daemon.get<{ sample: { rows: object[] } }>('/v1/streams/demo/pipeline/outputs/tags/sample')

  assert.equal((await daemon.get<{ status: string }>('/v1/health')).status, 'ok')
  assert.equal(sample.rows.length, 2)
  assert.equal(picture.readUInt16BE(0), 0xffd8)
  assert.ok(engine_pid !== null && !isRunning(engine_pid), 'the engine is no process')
  assert.deepEqual(enginesOf(daemon), [])
  assert.doesNotMatch(readFileSync(`/proc/${daemon.pid}/maps`, 'utf8'), /vedette\.node/)
})
