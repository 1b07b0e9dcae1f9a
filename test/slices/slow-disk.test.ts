// The disk takes its time, as a card under load does: who writes waits for it, and nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { slowSync } from '../support/processes/slow-sync.ts'
import { until } from '../support/until.ts'

const SYNC_MS = 250
const FPS = 30
const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

test('while a write waits for the disk the heartbeats of a robot go on', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const daemon = await site(t, undefined, slowSync(SYNC_MS)).start({ nt4: `127.0.0.1:${port}` })
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: FPS } })
  const { updates: heartbeats } = gather(await lab.connect(port, 'robot'), ['/limelight/hb'], { all: true })
  await until('the heartbeat', () => heartbeats.length > 1)

  const perWrite: number[] = []
  const startMs = performance.now()
  for (let n = 0; n < 4; n += 1) {
    const before = heartbeats.length
    const { status } = await daemon.send('PUT', '/v1/streams/front/pose', { ...pose, z_m: n })
    assert.equal(status, 204)
    perWrite.push(heartbeats.length - before)
  }
  const tookMs = performance.now() - startMs

  assert.ok(tookMs >= 4 * SYNC_MS, `four writes took ${tookMs} ms: the disk was not slow`)
  for (const heard of perWrite) assert.ok(heard >= 3, `heartbeats heard during each write: ${perWrite}`)
  const { items } = await daemon.get<{ items: { code: string }[] }>('/v1/errors')
  assert.deepEqual(
    items.filter(({ code }) => code.startsWith('nt4.')),
    [],
  )
})

test('what needs no disk is answered while a write waits for it', async (t) => {
  const daemon = await site(t, undefined, slowSync(4 * SYNC_MS)).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: FPS } })
  let isDone = false

  const written = daemon.send('PUT', '/v1/streams/front/pose', pose).finally(() => {
    isDone = true
  })
  const answered: boolean[] = []
  for (let n = 0; n < 3; n += 1) {
    await daemon.get('/v1/streams/front')
    answered.push(isDone)
  }

  assert.deepEqual(answered, [false, false, false])
  assert.equal((await written).status, 204)
})
