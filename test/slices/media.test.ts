// Media as users have them: stored by a process that may be killed at any moment, on a disk that may be full.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { MediaItem } from '../../machines/media/item.ts'
import { jpegFile, storedFiles } from '../support/media/media-files.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { fillDisk, smallDisk } from '../support/processes/small-disk.ts'
import { until } from '../support/until.ts'

const picture = (bytes: number, value = 1) => jpegFile(64, 48, { scan: Buffer.alloc(bytes, value) })

const send = async ({ url }: Daemon, bytes: Buffer, name: string) => {
  const response = await fetch(`${url}/v1/media?name=${name}`, { method: 'POST', body: Buffer.from(bytes) })
  return { status: response.status, body: (await response.json()) as MediaItem & { readonly code?: string } }
}

/** Without saying how much will come, so that the disk is full in the middle. */
const sendInPieces = async ({ url }: Daemon, bytes: Buffer, name: string) => {
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
  }
  const body = Readable.toWeb(Readable.from(pieces())) as never
  const response = await fetch(`${url}/v1/media?name=${name}`, { method: 'POST', body, duplex: 'half' })
  return { status: response.status, body: (await response.json()) as { readonly code?: string } }
}

const items = async (daemon: Daemon): Promise<readonly MediaItem[]> => {
  const ready = () => daemon.get<{ parts: { name: string; state: string }[] }>('/v1/health')
  await until('the media', ready, ({ parts }) =>
    parts.some(({ name, state }) => name === 'media' && state.startsWith('ready')),
  )
  return (await daemon.get<{ items: MediaItem[] }>('/v1/media?limit=500')).items
}

const contentOf = async ({ url }: Daemon, name: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${url}/v1/media/${name}`)).arrayBuffer())

test('a service killed at any moment has whole items afterwards, with all that were acknowledged', async (t) => {
  const { dataDir, start } = site(t)
  const acknowledged = new Map<string, Buffer>()
  const deleted = new Set<string>()

  for (let round = 0; round < 6; round += 1) {
    const daemon = await start()
    await items(daemon)
    let isOver = false
    const upload = async (worker: number) => {
      for (let n = 0; !isOver; n += 1) {
        const bytes = picture(1000 + ((n * 7919) % 200_000), (n + worker) % 200)
        const answered = await send(daemon, bytes, `r${round}w${worker}n${n}`).catch(() => undefined)
        if (!answered) return
        assert.equal(answered.status, 201)
        acknowledged.set(answered.body.name, bytes)
        if (n % 3 !== 2) continue
        deleted.add(answered.body.name) // ordered: it may be gone even if nobody has heard so
        const gone = await daemon.send('DELETE', `/v1/media/${answered.body.name}`).catch(() => undefined)
        if (gone) acknowledged.delete(answered.body.name)
      }
    }
    const before = acknowledged.size
    const workers = [upload(0), upload(1)]
    await until('some uploads', () => acknowledged.size > before + 3 + round)
    isOver = true
    await daemon.end('SIGKILL')
    await Promise.all(workers)
  }

  const daemon = await start()
  const there = await items(daemon)
  const names = new Set(there.map(({ name }) => name))
  for (const [name, bytes] of acknowledged) {
    if (deleted.has(name) && !names.has(name)) continue
    assert.deepEqual(await contentOf(daemon, name), bytes, name)
  }
  for (const { name, state, size_bytes } of there) {
    assert.equal(state, 'ready')
    assert.equal((await contentOf(daemon, name)).length, size_bytes)
  }
  assert.deepEqual(storedFiles(dataDir), [...names].sort())
})

test('a full disk refuses what does not fit, keeps what is there, and takes more when it has room', async (t) => {
  const disk = smallDisk(t)
  if (!disk) return t.skip('a disk to be filled can only be mounted by root, and not in every container')
  const { start } = site(t)
  const daemon = await start({ 'data-dir': disk })
  await items(daemon)

  const small = await send(daemon, picture(20_000), 'small')
  const medium = await send(daemon, picture(100_000), 'medium')
  const told = await send(daemon, picture(900_000), 'large')
  const untold = await sendInPieces(daemon, picture(2_000_000), 'untold')
  const ballast = join(disk, 'ballast')
  fillDisk(ballast)
  const full = await send(daemon, picture(50_000), 'more')

  assert.deepEqual([small.status, medium.status, told.status, untold.status, full.status], [201, 201, 507, 507, 507])
  assert.equal(untold.body.code, 'storage.full')
  assert.equal(full.body.code, 'storage.full')
  assert.deepEqual(storedFiles(disk), ['medium.jpg', 'small.jpg'])
  assert.equal((await contentOf(daemon, 'small.jpg')).length, small.body.size_bytes)
  assert.equal((await daemon.send('DELETE', '/v1/media/medium.jpg')).status, 204, 'who deletes makes room')
  assert.deepEqual(storedFiles(disk), ['small.jpg'])
  assert.deepEqual(
    (await items(daemon)).map(({ name }) => name),
    ['small.jpg'],
  )
  rmSync(ballast)
  assert.equal((await send(daemon, picture(20_000), 'again')).status, 201)
})
