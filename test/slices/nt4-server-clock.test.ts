// The robot's server sets its clock while the service publishes to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monotonicUs } from '../../native/clock/system.ts'
import { crudeServer } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const HOUR_US = 3_600_000_000
const FPS = 20
const FOLLOWED_WITHIN_S = 2
const NEAR_US = 300_000 // the way through two processes on a busy machine

test('the stamps of all tables follow a server whose clock steps back, within two seconds', async (t) => {
  let aheadUs = 2 * HOUR_US
  const server = await crudeServer(t, { timeUs: () => monotonicUs() + aheadUs })
  const daemon = await site(t).start({ nt4: `127.0.0.1:${server.port}` })
  await daemon.addStream({
    id: 'front',
    source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: FPS },
  })
  const idOf = (name: string) => {
    const all = server.texts.flatMap((text) => JSON.parse(text) as { params: { name?: string; pubuid: number } }[])
    return all.find(({ params }) => params.name === name)?.params.pubuid
  }
  /** By how much the newest stamp of a topic is off. */
  const errorUs = (name: string) => {
    const newest = server.values.findLast(({ id }) => id === idOf(name))
    return newest ? newest.timestampUs - (monotonicUs() + aheadUs) : Number.NaN
  }
  const keys = ['/limelight/hb', '/limelight/botpose', '/vedette/front/captured_us']
  const near = () => keys.map(errorUs).every((us) => Math.abs(us) < NEAR_US)
  await until('values of now', near)

  aheadUs -= HOUR_US
  assert.ok(!near())
  const heartbeats = () => server.values.filter(({ id }) => id === idOf('/limelight/hb')).length
  const before = heartbeats()
  await until('values of the new time', near)
  const wrong = heartbeats() - before // in frames: the machine may pause
  assert.ok(wrong <= FOLLOWED_WITHIN_S * FPS, `${wrong} frames came meanwhile`)
})
