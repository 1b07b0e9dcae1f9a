// The disk takes its time, as a card under load does: who writes waits for it, and nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { slowSync } from '../support/processes/slow-sync.ts'
import { until } from '../support/until.ts'

const SYNC_MS = 250
const FPS = 30
const WRITES = 4
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
  const write = async () => {
    const before = heartbeats.length
    const { status } = await daemon.send('PUT', '/v1/streams/front/pose', { ...pose, z_m: perWrite.length / 100 })
    assert.equal(status, 204)
    perWrite.push(heartbeats.length - before)
    return perWrite
  }
  // a machine that pauses everything for the length of a write has none in that one; who waits for the disk, in none
  await until('heartbeats during writes', write, (all) => all.filter((heard) => heard >= 3).length >= WRITES)
  const tookMs = performance.now() - startMs

  const leastMs = perWrite.length * SYNC_MS
  assert.ok(tookMs >= leastMs, `${perWrite.length} writes took ${tookMs} ms: the disk was not slow`)
  const { items } = await daemon.get<{ items: { code: string }[] }>('/v1/errors')
  assert.deepEqual(
    items.filter(({ code }) => code.startsWith('nt4.')),
    [],
  )
})

test('what needs no disk is answered while a write waits for it', async (t) => {
  const daemon = await site(t, undefined, slowSync(4 * SYNC_MS)).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: FPS } })
  let writes = 0
  /** How many of three questions are answered while a write is under way. */
  const askMeanwhile = async () => {
    let isDone = false
    const written = daemon.send('PUT', '/v1/streams/front/pose', { ...pose, z_m: writes++ / 100 }).finally(() => {
      isDone = true
    })
    let answered = 0
    for (let n = 0; n < 3; n += 1) {
      await daemon.get('/v1/streams/front')
      if (!isDone) answered += 1
    }
    assert.equal((await written).status, 204)
    return answered
  }

  await until('three answers during one write', askMeanwhile, (answered) => answered === 3)
})
