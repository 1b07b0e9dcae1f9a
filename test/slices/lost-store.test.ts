// The place of the settings goes away while the service runs: nothing is acknowledged that would be lost, and health
// says so.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Daemon, site, temporaryFolder } from '../support/processes/daemon.ts'
import { fillDisk, smallDisk } from '../support/processes/small-disk.ts'
import { until } from '../support/until.ts'

const pose = { x_m: 0.2, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 15 } as const
const write = (daemon: Daemon, z_m = 1) => daemon.send('PUT', '/v1/streams/front/pose', { ...pose, z_m })

interface Health {
  readonly status: string
  readonly parts: readonly {
    readonly name: string
    readonly fault: { readonly code: string; readonly detail: string } | null
  }[]
}

/** The fault of the settings, once there is one; or null, once there is none. */
const faultOf = async (daemon: Daemon, isThere: boolean) => {
  const look = async () => {
    const { status, parts } = await daemon.get<Health>('/v1/health')
    return { status, fault: parts.find(({ name }) => name === 'settings')?.fault ?? null }
  }
  const { status, fault } = await until('another health', look, (now) => (now.fault !== null) === isThere)
  if (isThere) assert.equal(status, 'degraded')
  return fault
}

for (const [what, go, comeBack] of [
  ['moved away', (dir: string) => renameSync(dir, `${dir}.away`), (dir: string) => renameSync(`${dir}.away`, dir)],
  [
    'replaced by another',
    (dir: string) => {
      renameSync(dir, `${dir}.away`)
      mkdirSync(dir)
    },
    (dir: string) => {
      rmSync(dir, { recursive: true, maxRetries: 3 }) // the service may just write there
      renameSync(`${dir}.away`, dir)
    },
  ],
] as const) {
  test(`a data folder that is ${what} takes no writes, and takes them again when it is back`, async (t) => {
    const folder = temporaryFolder()
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    const { start } = site(t)
    const daemon = await start({ 'data-dir': dataDir })
    await daemon.addStream({ id: 'front', source })

    go(dataDir)
    const refused = await write(daemon)
    const fault = await faultOf(daemon, true)

    assert.deepEqual([refused.status, refused.body.code], [503, 'storage.unavailable'])
    assert.match(String(refused.body.detail), /was removed while the service runs.*put it back as it was, or restart/)
    assert.equal(fault?.code, 'storage.unavailable')
    await daemon.error('storage.unavailable', '')
    assert.equal((await daemon.stream('front', 'live')).revision, 1)

    comeBack(dataDir)
    assert.equal((await write(daemon)).status, 204)
    await faultOf(daemon, false)
    await daemon.end('SIGKILL')
    const again = await start({ 'data-dir': dataDir })
    assert.equal((await again.stream('front', 'live')).revision, 2)
  })
}

test('a data folder that is deleted is told of, though nobody writes', async (t) => {
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const daemon = await site(t).start({ 'data-dir': dataDir })

  rmSync(dataDir, { recursive: true, maxRetries: 3 })

  assert.match((await faultOf(daemon, true))?.detail ?? '', /vedette\.db was removed while the service runs/)
})

test('a file system that turns read-only, or is full, is told of in health, and no more when it is over', async (t) => {
  const { start } = site(t)
  const disk = smallDisk(t)
  if (!disk) return t.skip('a disk can only be mounted by root, and not in every container')
  const daemon = await start({ 'data-dir': disk })
  await daemon.addStream({ id: 'front', source })
  const remount = (mode: string) => spawnSync('mount', ['-o', `remount,size=1m,${mode}`, disk]).status === 0

  const ballast = join(disk, 'ballast')
  fillDisk(ballast)
  assert.equal((await write(daemon, 2)).status, 507)
  assert.equal((await faultOf(daemon, true))?.code, 'storage.full')
  rmSync(ballast)
  assert.equal((await write(daemon, 3)).status, 204)
  await faultOf(daemon, false)

  if (!remount('ro')) return t.diagnostic('a file system that is written to is not to be made read-only here')
  const refused = await write(daemon, 4)
  assert.deepEqual([refused.status, refused.body.code], [503, 'storage.unavailable'])
  assert.equal((await faultOf(daemon, true))?.code, 'storage.unavailable')
  remount('rw')
  assert.equal((await write(daemon, 5)).status, 204)
  await faultOf(daemon, false)
})

test('a settings file that breaks costs nothing that a copy has, and health says what became of it', async (t) => {
  const { dataDir, start } = site(t)
  const file = join(dataDir, 'vedette.db')
  const first = await start()
  await first.addStream({ id: 'front', source })
  await first.end('SIGTERM')
  const second = await start()
  await until('the copy', () => existsSync(`${file}.copy-1`))
  await second.end('SIGTERM')
  writeFileSync(file, 'not a database'.repeat(1000))

  const third = await start()

  await third.stream('front', 'live')
  const fault = await faultOf(third, true)
  assert.equal(fault?.code, 'storage.corrupt')
  assert.match(fault?.detail ?? '', /of them streams\/front.* as the copy of .* look through/)
  assert.match((await third.error('storage.corrupt', '')).detail, /set aside as .*vedette\.db\.corrupt-1/)
})
