// Power is cut in the middle of everything: what was acknowledged is there afterwards.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { type Daemon, isRunning, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const pose = { x_m: 0.31, y_m: -0.12, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 30 }

test('what was acknowledged survives a killed service, and runs again with the next one', async (t) => {
  const { dataDir, start } = site(t)
  const first = await start()
  await first.addStream({
    id: 'front',
    alias: 'Front',
    source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15, seed: 7 },
  })
  await first.send('POST', '/v1/streams', { id: 'rear', source: { backend: 'images', path: join(dataDir, 'nowhere') } })
  const fault = await first.error('camera.missing', 'streams/rear')
  const [front, rear] = await specsOf(first)
  const { engine_pid: engine } = await first.metrics('front')

  const { status } = await first.send('PUT', '/v1/streams/front/pose', pose)
  await first.end('SIGKILL')
  assert.equal(status, 204)
  await until(
    'the end of the engine',
    () => isRunning(engine as number),
    (running) => !running,
  )

  const second = await start()
  t.diagnostic(`exec to ready ${second.readyMs.toFixed(0)} ms`)
  assert.deepEqual(await specsOf(second), [{ ...front, revision: 2, spec: { ...front?.spec, pose } }, rear])
  const { applied_revision, restarts } = (await second.stream('front', 'live')).status
  assert.deepEqual({ applied_revision, restarts }, { applied_revision: 2, restarts: 0 })
  const sameFault = await second.error('camera.missing', 'streams/rear', ({ count }) => count > fault.count)
  assert.equal(sameFault.first_at_ms, fault.first_at_ms)
})

test('a revision of the error history stands for one content of it, whichever run is asked', async (t) => {
  const { dataDir, start } = site(t)
  const missing = (id: string) => ({ id, source: { backend: 'images', path: join(dataDir, 'nowhere') } })
  const revisionIn = async (daemon: Daemon) => (await daemon.get<{ revision: number }>('/v1/errors')).revision
  const first = await start()
  await first.send('POST', '/v1/streams', missing('rear'))
  await first.error('camera.missing', 'streams/rear')
  const seen = await revisionIn(first)
  await first.end('SIGKILL')

  const second = await start()
  const before = await revisionIn(second)
  await second.error('camera.missing', 'streams/rear', ({ count }) => count > 1)
  const answer = await second.send('DELETE', '/v1/errors', { expected_revision: seen })

  assert.ok(before > seen, `${before} after ${seen}`)
  assert.equal(answer.status, 409)
})

/** All that users want of the streams. */
const specsOf = async (daemon: Daemon): Promise<Omit<StreamView, 'status'>[]> => {
  const { items: streams } = await daemon.get<{ items: StreamView[] }>('/v1/streams')
  return streams.map(({ status: _, ...wanted }) => wanted)
}

test('a request that was carried out is not carried out again by the next run, and has the same answer', async (t) => {
  const { start } = site(t)
  const request = { alias: 'Side', source: { backend: 'synthetic', fps: 5 }, enabled: false, request_id: 'create-side' }
  const first = await start()
  const created = await first.send<StreamView>('POST', '/v1/streams', request)
  const moved = await first.send('PUT', `/v1/streams/${created.body.id}/pose`, { ...pose, request_id: 'move-side' })
  await first.end('SIGKILL')

  const second = await start()
  const again = await second.send<StreamView>('POST', '/v1/streams', request)
  const movedAgain = await second.send('PUT', `/v1/streams/${created.body.id}/pose`, {
    ...pose,
    request_id: 'move-side',
  })

  assert.deepEqual([created.status, again.body], [200, created.body])
  assert.deepEqual(movedAgain, moved)
  const sides = (await specsOf(second)).filter(({ spec }) => spec.alias === 'Side')
  assert.deepEqual(
    sides.map(({ id, revision }) => [id, revision]),
    [['side', 2]],
  )
})
