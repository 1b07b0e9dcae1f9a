// The store of media on a real folder and a real index: an item is there whole or not at all.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { isFault } from '../../../machines/errors/fault.ts'
import type { MediaNews } from '../../../native/media/port.ts'
import { fragment, jpegFile, mp4File, storedFiles } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { grayPng } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const jpeg = jpegFile(40, 30)
const upload = (bytes: Uint8Array, name?: string) => ({ body: Readable.from([bytes]), ...(name && { name }) })
const contentOf = async (store: Awaited<ReturnType<typeof openStore>>['store'], name: string) => {
  const file = good(await store.open(name, 'content'))
  return buffer(file.stream(0, file.size_bytes - 1))
}
test('what was stored is listed, can be read, and is still there after a restart', async (t) => {
  const dataDir = folderOf(t)
  const { store, close } = await openStore(t, dataDir)
  const told: MediaNews[] = []
  store.news.add((news) => told.push(news))

  const item = good(await store.receive(upload(jpeg, 'Märchen Wald.PNG')))

  assert.deepEqual(
    [item.name, item.kind, item.origin, item.state, item.media_type, item.size_bytes, item.width_px, item.height_px],
    ['marchen-wald.jpg', 'picture', 'upload', 'ready', 'image/jpeg', jpeg.length, 40, 30],
  )
  assert.deepEqual(await contentOf(store, item.name), jpeg)
  assert.deepEqual(
    told.map(({ name, item }) => [name, item?.state]),
    [
      [item.name, 'writing'],
      [item.name, 'ready'],
    ],
  )
  await close()
  const again = await openStore(t, dataDir)
  assert.deepEqual(again.mended, [])
  assert.deepEqual(good(await again.store.get(item.name)), item)
  assert.deepEqual(await contentOf(again.store, item.name), jpeg)
})

test('no name leads out of the folder, and no two items have the same', async (t) => {
  const dataDir = folderOf(t)
  const { store } = await openStore(t, dataDir)
  const wishes = [
    '../../etc/passwd',
    '/root/.ssh/id',
    'a\0b.jpg',
    '..',
    '',
    'x'.repeat(5000),
    'C:\\x\\front.jpg',
    'front',
    'front.jpeg',
    '.jpg',
    '🎯',
  ]

  const names = await Promise.all(wishes.map(async (wish) => good(await store.receive(upload(jpeg, wish))).name))

  assert.equal(new Set(names).size, wishes.length)
  for (const name of names) assert.match(name, /^[a-z0-9_][a-z0-9_-]{0,79}\.jpg$/)
  assert.deepEqual(storedFiles(dataDir), names.toSorted())
})

test('a fault while something arrives leaves nothing behind', async (t) => {
  const dataDir = folderOf(t)
  const { store } = await openStore(t, dataDir)
  const broken = async function* () {
    yield jpeg.subarray(0, 70_000)
    throw new Error('the cable was pulled')
  }

  const faults = [
    await store.receive(upload(Buffer.alloc(200_000, 'text '))),
    await store.receive(upload(jpegFile(40, 30, { scan: Buffer.alloc(200_000, 7) }).subarray(0, 150_000))),
    await store.receive({ body: Readable.from(broken()) }),
    await store.receive(upload(Buffer.alloc(0))),
    await store.receive({ body: Readable.from([]), length: 5 * 1024 ** 3 }),
  ]

  assert.deepEqual(
    faults.map((fault) => isFault(fault) && fault.code),
    ['media.invalid', 'media.invalid', 'request.malformed', 'media.invalid', 'body.too_large'],
  )
  assert.deepEqual([storedFiles(dataDir), good(await store.page({ order: '-created', limit: 9 })).items], [[], []])
})

test('a sender who drips, or takes too long in all, is told so', async (t) => {
  const dripping = async function* () {
    yield jpeg.subarray(0, 12)
    await new Promise(() => {})
  }
  for (const patience of [
    { windowMs: 20, minBytes: 100, totalMs: 60_000, maxBytes: 1e6 },
    { windowMs: 60_000, minBytes: 1, totalMs: 20, maxBytes: 1e6 },
  ]) {
    const dataDir = folderOf(t)
    const { store } = await openStore(t, dataDir, { patience })
    const fault = await store.receive({ body: Readable.from(dripping()) })

    assert.ok(isFault(fault))
    assert.equal(fault.code, 'request.timeout')
    assert.deepEqual(storedFiles(dataDir), [])
  }
})

test('an item that is deleted is gone with all that lies beside it, and its readers read on', async (t) => {
  const dataDir = folderOf(t)
  const { store } = await openStore(t, dataDir)
  const { name } = good(await store.receive(upload(jpeg)))
  good(await store.attach(name, 'label', upload(Buffer.from('0 0.5 0.5 0.1 0.2\n'))))
  const open = good(await store.open(name, 'content'))

  const gone = good(await store.carryOut({ type: 'media.remove', name }))

  assert.equal(gone.revision, 4)
  assert.deepEqual(storedFiles(dataDir), [])
  assert.deepEqual(await buffer(open.stream(0, jpeg.length - 1)), jpeg)
  const missing = await store.get(name)
  assert.ok(isFault(missing) && missing.code === 'media.not_found')
})

test('changes of one item made at once are made one after the other', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const { name } = good(await store.receive(upload(jpeg)))
  const notes = Array.from({ length: 20 }, (_, n) => `note_${n}`)

  await Promise.all(notes.map((note) => store.carryOut({ type: 'media.describe', name, metadata: { [note]: 1 } })))

  assert.deepEqual(Object.keys(good(await store.get(name)).metadata), notes)
  assert.equal(good(await store.get(name)).revision, 22)
})

test('what a killed process left is finished, kept as far as it is whole, or removed, recorded once', async (t) => {
  const dataDir = folderOf(t)
  const { store, close } = await openStore(t, dataDir)
  const kept = good(await store.receive(upload(jpeg, 'kept')))
  const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', stream_id: 'front' } as const
  const recording = good(await store.begin({ ...wish, name: 'match' }))
  const index = mp4File({ durationMs: 0 })
  writeFileSync(recording.path, Buffer.concat([index, fragment(), fragment(), fragment().subarray(0, 100)]))
  writeFileSync(recording.sidecarPath, '{"seq":1}\n')
  const nothing = good(await store.begin({ ...wish, name: 'nothing' }))
  writeFileSync(nothing.path, index.subarray(0, 40))
  const half = good(await store.begin({ kind: 'picture', origin: 'upload', media_type: 'image/png', name: 'half' }))
  writeFileSync(half.path, grayPng(9, 9).subarray(0, 30))
  const gone = good(await store.receive(upload(jpeg, 'gone')))
  rmSync(join(dataDir, 'media', gone.name))
  writeFileSync(join(dataDir, 'media', 'by-hand.png'), grayPng(9, 9))
  writeFileSync(join(dataDir, 'media', 'notes.txt'), 'a text')
  writeFileSync(join(dataDir, 'media', 'text.jpg'), 'a text')
  symlinkSync('/etc/passwd', join(dataDir, 'media', 'link.jpg'))
  writeFileSync(join(dataDir, 'media', 'incoming', 'left-over'), 'x')
  await close()

  const again = await openStore(t, dataDir)

  assert.deepEqual(
    again.mended
      .map(({ code, resource, detail }) => [code, resource === 'media' ? detail.split(' ')[2] : resource])
      .sort(),
    [
      ['media.found', 'media/by-hand.png'],
      ['media.interrupted', 'media/half.png'],
      ['media.interrupted', 'media/match.mp4'],
      ['media.interrupted', 'media/nothing.mp4'],
      ['media.lost', 'media/gone.jpg'],
      ['media.stray', 'notes.txt'],
      ['media.stray', 'text.jpg'],
      ['media.stray', 'link.jpg'],
    ].sort(),
  )
  const { items } = good(await again.store.page({ order: 'name', limit: 99 }))
  assert.deepEqual(
    items.map(({ name, state, flaw, origin }) => [name, state, flaw, origin]),
    [
      ['by-hand.png', 'ready', null, 'found'],
      [kept.name, 'ready', null, 'upload'],
      ['match.mp4', 'ready', 'interrupted', 'recording'],
    ],
  )
  const whole = Buffer.concat([index, fragment(), fragment()])
  assert.deepEqual(await contentOf(again.store, 'match.mp4'), whole)
  assert.deepEqual(items[2]?.side_cars.results, { media_type: 'application/x-ndjson', size_bytes: 10 })
  assert.equal(items[2]?.size_bytes, whole.length)
  assert.ok(!existsSync(join(dataDir, 'media', 'incoming', 'left-over')))
  await again.close()
  const third = await openStore(t, dataDir)
  assert.deepEqual(third.mended.map(({ code }) => code).sort(), ['media.stray', 'media.stray', 'media.stray'])
})

test('a recording was taken when its first picture was, not when it was ordered', async (t) => {
  const { store, clock } = await openStore(t, folderOf(t))
  const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', stream_id: 'front' } as const
  const record = async (name: string, sidecar: string) => {
    const draft = good(await store.begin({ ...wish, name, captured_ms: clock.nowMs() }))
    writeFileSync(draft.path, mp4File())
    writeFileSync(draft.sidecarPath, sidecar)
    return good(await draft.complete({})).captured_at_ms
  }
  const orderedMs = clock.nowMs()

  assert.equal(
    await record('whole', `{"epoch_ms":${orderedMs + 700},"stream":"front"}\n{"pts_us":0}\n`),
    orderedMs + 700,
  )
  for (const [n, odd] of ['', 'null\n', '{"epoch_ms":"now"}\n', '{"epoch'].entries())
    assert.equal(await record(`odd${n}`, odd), orderedMs)
})

test('beside a whole recording no half line is left of results that the disk did not take', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', stream_id: 'front' } as const
  const draft = good(await store.begin({ ...wish, name: 'match' }))
  const lines = '{"epoch_ms":1}\n{"pts_us":0}\n'
  writeFileSync(draft.path, mp4File())
  writeFileSync(draft.sidecarPath, `${lines}{"pts_us":33`)

  const item = good(await draft.complete({}))

  assert.deepEqual([item.state, item.flaw], ['ready', null])
  assert.equal(item.side_cars.results?.size_bytes, lines.length)
})

test('a recording whose row does not fit on the disk any more is whole without its last fragment', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', stream_id: 'front' } as const
  const draft = good(await store.begin({ ...wish, name: 'match' }))
  const whole = Buffer.concat([mp4File({ durationMs: 0 }), fragment(), fragment()])
  writeFileSync(draft.path, Buffer.concat([whole, fragment()]))
  writeFileSync(draft.sidecarPath, '{"epoch_ms":1}\n{"pts_us":0}\n')
  const { keep } = store
  let refusals = 1
  t.mock.method(store, 'keep', async (...wanted: Parameters<typeof keep>) =>
    refusals-- > 0 ? { code: 'storage.full', detail: 'there is no room left' } : keep.apply(store, wanted),
  )

  const item = good(await draft.complete({ width_px: 640, height_px: 480, frames: 90, duration_ms: 3000 }))

  assert.deepEqual([item.state, item.flaw, item.frames, item.size_bytes], ['ready', 'truncated', null, whole.length])
  assert.deepEqual(await contentOf(store, item.name), whole)
})

test('what lies beside an item counts, when that is not what is known of it', async (t) => {
  const dataDir = folderOf(t)
  const { store, close } = await openStore(t, dataDir)
  const { name } = good(await store.receive(upload(jpeg)))
  good(await store.attach(name, 'imu', upload(Buffer.from('{"pts_us":0,"gyro_rad_s":[0,0,1]}\n'))))
  rmSync(join(dataDir, 'media', 'side-cars', `${name}.imu`))
  writeFileSync(join(dataDir, 'media', 'side-cars', `${name}.label`), '{}')
  await close()

  const again = await openStore(t, dataDir)

  assert.deepEqual(again.mended, [])
  assert.deepEqual(good(await again.store.get(name)).side_cars, {
    imu: null,
    label: { media_type: 'application/json', size_bytes: 2 },
    results: null,
  })
})

test('a fault of the index leaves no file', async (t) => {
  const dataDir = folderOf(t)
  const { store, close } = await openStore(t, dataDir)
  await close()

  const fault = await store.receive(upload(jpeg))

  assert.ok(isFault(fault) && fault.code === 'storage.failed', JSON.stringify(fault))
  assert.deepEqual(storedFiles(dataDir), [])
  assert.equal(readFileSync(join(dataDir, 'vedette.db')).length > 0, true)
})

test('the request for an item is kept once that is whole, that for its deletion with the deletion', async (t) => {
  const { store, documents } = await openStore(t, folderOf(t))
  const request = (key: string) => ({ key, fingerprint: 'f' })
  const left = async (key: string) => (await Effect.runPromise(documents.findRequest(key)))?.written
  const wish = { kind: 'picture', origin: 'snapshot', media_type: 'image/jpeg' } as const

  const draft = good(await store.begin({ ...wish, request: request('abandoned') }))
  const early = await left('abandoned')
  await draft.abandon()
  const item = good(await store.put({ ...wish, request: request('put') }, { bytes: jpeg }))
  const gone = good(await store.carryOut({ type: 'media.remove', name: item.name, request: request('remove') }))
  await store.carryOut({ type: 'media.remove', name: item.name, request: request('again') })

  assert.equal(early, undefined)
  assert.deepEqual(
    (await Promise.all(['abandoned', 'put', 'remove', 'again'].map(left))).map(
      (each) => each && [each.id, each.revision],
    ),
    [undefined, [item.name, item.revision], [item.name, gone.revision], undefined],
  )
})

test('on a full disk the request to delete an item is kept when its files have made room', async (t) => {
  const { store, documents } = await openStore(t, folderOf(t))
  const { name, revision } = good(await store.receive(upload(jpeg)))
  t.mock.method(documents.media, 'leave', () => Effect.fail({ code: 'storage.full', detail: 'there is no room left' }))

  good(await store.carryOut({ type: 'media.remove', name, request: { key: 'k', fingerprint: 'f' } }))

  const { written } = (await Effect.runPromise(documents.findRequest('k'))) ?? {}
  assert.deepEqual([written?.id, written?.revision], [name, revision + 1])
})
