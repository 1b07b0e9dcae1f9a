// Room in the store of media: who is told that there is none, and what goes for others.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { jpegFile, storedFiles } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'

const DISK_BYTES = 100_000 // pictures may take a quarter of it, recordings three
const jpeg = jpegFile(40, 30, { scan: Buffer.alloc(9_000, 7) })
const recording = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', stream_id: 'front' } as const
const picture = { kind: 'picture', origin: 'upload', media_type: 'image/jpeg' } as const
const upload = (name: string, automatic = false) => ({ body: Readable.from([jpeg]), name, automatic })

/** A store on a disk of which as much is free as a test says. */
const started = async (t: TestContext) => {
  const dataDir = folderOf(t)
  const used = new Set<string>()
  const inUse = async (name: string): Promise<Fault | undefined> =>
    used.has(name) ? { code: 'media.in_use', detail: 'a stream plays it' } : undefined
  const { store } = await openStore(t, dataDir, { inUse })
  const disk = { total_bytes: DISK_BYTES, free_bytes: DISK_BYTES }
  t.mock.method(store.folder, 'disk', async () => disk)
  const names = async () => good(await store.page({ order: 'created', limit: 99 })).items.map(({ name }) => name)
  return { dataDir, store, disk, used, names }
}

test('a recording that takes more than recordings may ends; the picture that arrives meanwhile does not', async (t) => {
  const { store } = await started(t)
  const [match, photo] = [good(await store.begin(recording)), good(await store.begin(picture))]
  writeFileSync(match.path, Buffer.alloc(70_000))
  assert.equal(await store.keepRoom(), null)

  writeFileSync(match.sidecarPath, Buffer.alloc(6_000))
  const fault = await store.keepRoom()

  assert.equal(fault?.code, 'storage.full')
  assert.match(fault.detail, /recordings take/)
  assert.deepEqual([match.noRoom.aborted, photo.noRoom.aborted], [true, false])
  assert.ok(!isFault(await store.receive(upload('other'))), 'a picture has room of its own')
  const next = await store.begin(recording)
  assert.ok(isFault(next) && next.code === 'storage.full', 'what is being written counts')
})

test('a full disk ends all that is being written', async (t) => {
  const { store, disk } = await started(t)
  const drafts = [good(await store.begin(recording)), good(await store.begin(picture))]

  disk.free_bytes = 4_000
  await store.keepRoom()

  assert.deepEqual(
    drafts.map(({ noRoom }) => noRoom.aborted),
    [true, true],
  )
})

test('what a stream plays does not go for others, be it the oldest', async (t) => {
  const { store, used, names } = await started(t)
  used.add(good(await store.receive(upload('played', true))).name)
  await store.receive(upload('older', true))

  const newer = good(await store.receive(upload('newer', true)))

  assert.deepEqual(await names(), ['played.jpg', newer.name])
  await store.receive(upload('newest', true))
  assert.deepEqual(await names(), ['played.jpg', 'newest.jpg'])
})

test('an item that goes for others while it is being changed is gone, and stays away', async (t) => {
  const { dataDir, store, names } = await started(t)
  const { name } = good(await store.receive(upload('old', true)))
  await store.receive(upload('kept'))
  const settling = Promise.withResolvers<void>()
  const settles = Promise.withResolvers<void>()
  const { settleNames } = store.folder
  t.mock.method(store.folder, 'settleNames', async () => {
    settling.resolve()
    await settles.promise
    await settleNames.call(store.folder)
  })

  const changed = store.attach(name, 'label', { body: Readable.from([Buffer.from('0 0.5 0.5 0.1 0.2\n')]) })
  await settling.promise
  const arrives = store.receive(upload('new'))
  settles.resolve()
  await Promise.all([changed, arrives])

  assert.deepEqual(await names(), ['kept.jpg', 'new.jpg'])
  assert.deepEqual(storedFiles(dataDir), ['kept.jpg', 'new.jpg'])
})

test('an item of which somebody says in time that it is to stay does not go', async (t) => {
  const { store, names } = await started(t)
  const { name } = good(await store.receive(upload('old', true)))
  await store.receive(upload('kept'))

  const [, arrived] = await Promise.all([
    store.carryOut({ type: 'media.describe', name, automatic: false }),
    store.receive(upload('new')),
  ])

  assert.ok(isFault(arrived) && arrived.code === 'storage.full')
  assert.deepEqual(await names(), ['old.jpg', 'kept.jpg'])
})

test('what is put beside an item leaves the device its room, and takes none of a kind', async (t) => {
  const { dataDir, store, disk } = await started(t)
  for (const name of ['one', 'two']) good(await store.receive(upload(name))) // no third has room
  const label = Buffer.from('0 0.5 0.5 0.25 0.25\n'.repeat(100))
  const attach = (length?: number) =>
    store.attach('one.jpg', 'label', { body: Readable.from([label]), ...(length !== undefined && { length }) })
  good(await attach(label.length))

  disk.free_bytes = 6_000
  const said = await attach(label.length)
  disk.free_bytes = 4_000
  const unsaid = await attach()

  for (const fault of [said, unsaid]) assert.ok(isFault(fault) && fault.code === 'storage.full')
  assert.deepEqual(storedFiles(dataDir), ['one.jpg', 'one.jpg.label', 'two.jpg'])
})
