// The disk is full: what cannot be stored is refused, the rest runs on.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { site } from '../support/processes/daemon.ts'
import { fillDisk, smallDisk } from '../support/processes/small-disk.ts'
import { until } from '../support/until.ts'

const EXIT_TRY_LATER = 75

const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }

test('on a full disk writes are refused and nothing else is', async (t) => {
  const { start } = site(t)
  const disk = smallDisk(t)
  if (!disk) return t.skip('a disk to be filled can only be mounted by root, and not in every container')
  const first = await start({ 'data-dir': disk })
  await first.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const ballast = join(disk, 'ballast')
  fillDisk(ballast)

  const refused = await first.send('PUT', '/v1/streams/front/pose', pose)
  const peer = await first.send('POST', '/v1/peers', { base_url: 'http://127.0.0.1:9', token: 'a-token' })
  const { frames } = await first.metrics('front')
  await until(
    'frames',
    () => first.metrics('front'),
    (now) => now.frames > frames + 3,
  )

  assert.deepEqual([refused.status, refused.body.code], [507, 'storage.full'])
  assert.deepEqual([peer.status, peer.body.code], [507, 'storage.full'])
  const { revision, spec, status } = await first.stream('front', 'live')
  assert.deepEqual([revision, spec.pose, status.restarts], [1, undefined, 0])
  await first.error('storage.full', '')

  await first.end('SIGTERM')
  const second = await start({ 'data-dir': disk })
  assert.equal((await second.stream('front', 'live')).revision, 1)
  assert.equal((await second.send('PUT', '/v1/streams/front/pose', pose)).status, 507)

  rmSync(ballast)
  assert.equal((await second.send('PUT', '/v1/streams/front/pose', pose)).status, 204)
  assert.equal((await second.stream('front', 'live')).revision, 2)
})

test('a first start on a full disk says so, and that it is worth another try', async (t) => {
  const disk = smallDisk(t)
  if (!disk) return t.skip('a disk to be filled can only be mounted by root, and not in every container')
  fillDisk(join(disk, 'ballast'))

  const { code, output } = await site(t).attempt({ 'data-dir': disk })

  assert.match(output, /there is no room left to store settings in .*vedette\.db; free some space/)
  assert.equal(code, EXIT_TRY_LATER)
})
