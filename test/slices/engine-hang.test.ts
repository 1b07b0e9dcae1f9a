// Native code hangs: the stream's engine is still there and does nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRunning, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

test('an engine that hangs is noticed, ended and replaced', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const { engine_pid: hung } = await daemon.metrics('front')

  const hungMs = performance.now()
  process.kill(hung as number, 'SIGSTOP')
  await until(
    'the restart',
    () => daemon.metrics('front'),
    ({ restarts }) => restarts === 1,
  )
  t.diagnostic(`hang to crash ${(performance.now() - hungMs).toFixed(0)} ms`)
  await daemon.stream('front', 'live')
  t.diagnostic(`hang to live ${(performance.now() - hungMs).toFixed(0)} ms`)

  assert.notEqual((await daemon.metrics('front')).engine_pid, hung)
  assert.ok(!isRunning(hung as number))
  assert.equal((await daemon.error('engine.hung', 'streams/front')).count, 1)
})

test('an engine that hangs is replaced, though its stream is changed before anybody has noticed', async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const { engine_pid: hung } = await daemon.metrics('front')

  process.kill(hung as number, 'SIGSTOP')
  await daemon.send('PATCH', '/v1/streams/front', { patch: { source: { fps: 20 } } })
  await until(
    'the restart',
    () => daemon.metrics('front'),
    ({ restarts }) => restarts === 1,
  )
  const { spec } = await daemon.stream('front', 'live')

  assert.ok(!isRunning(hung as number))
  assert.equal('fps' in spec.source && spec.source.fps, 20)
  assert.equal((await daemon.error('engine.hung', 'streams/front')).count, 1)
})
