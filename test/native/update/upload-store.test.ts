import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, test } from 'node:test'
import * as Effect from 'effect/Effect'
import fc from 'fast-check'
import type { Fault } from '../../../machines/errors/fault.ts'
import { CannotBundle, updateKeyOf } from '../../../native/update/bundle/sign.ts'
import type { BundleStore } from '../../../native/update/port.ts'
import { type BundleStoreParts, fileBundleStore } from '../../../native/update/upload-store.ts'
import { shortOrLong } from '../../support/long.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { smallDisk } from '../../support/processes/small-disk.ts'
import { bundleIn, signingKey } from '../../support/update/releases.ts'

const ROOT = join(import.meta.dirname, '../../..')

const key = signingKey()
const made = await bundleIn(folderOf({ after }), { keys: [key] })
const bundle = readFileSync(made.path)
const judging = async () => ({
  keys: [updateKeyOf(key, null)],
  timeMs: 0,
  device: { hardware: 'linux-x64', base: 'debian-12' },
})

const storeOn = (folder: string, more: Partial<BundleStoreParts> = {}): BundleStore =>
  fileBundleStore({ folder: join(folder, 'upload'), judging, minFreeBytes: 0, ...more })
const filesIn = (folder: string) => readdirSync(join(folder, 'upload')).toSorted()

const done = <Value>(work: Effect.Effect<Value, Fault>): Promise<Value> => Effect.runPromise(work)
/** The fault that something ends with. */
const refused = async <Value>(work: Effect.Effect<Value, Fault>): Promise<string> => {
  const fault = await Effect.runPromise(Effect.flip(work))
  return `${fault.code}: ${fault.detail}`
}
const quiet = () => {}
const append = (store: BundleStore, id: string, offset: number, ...parts: readonly Buffer[]) =>
  store.append(id, offset, Readable.from(parts), quiet)

test('a bundle that arrives whole is completed, checked and forgotten', async (t) => {
  const folder = folderOf(t)
  const store = storeOn(folder)
  const told: unknown[] = []

  const { id } = await done(store.begin({ bytes: bundle.length, resumable: false }))
  const offset = await done(store.append(id, 0, Readable.from([bundle]), (...all) => told.push(all)))
  await done(store.complete(id))
  const { manifest, path } = await done(store.verify(quiet))

  assert.equal(offset, bundle.length)
  assert.deepEqual(told, [[bundle.length, bundle.length]])
  assert.deepEqual(manifest, made.manifest)
  assert.deepEqual(readFileSync(path), bundle)
  assert.deepEqual(await done(store.kept), { id, bytes: bundle.length, resumable: false, offset: bundle.length })
  await done(store.clear)
  assert.deepEqual(filesIn(folder), [])
  assert.equal(await done(store.kept), null)
  assert.match(await refused(store.verify(quiet)), /^update.no_upload/)
})

test('a bundle whose length nobody announced is whole when it ends as bundles do', async (t) => {
  const store = storeOn(folderOf(t))
  const { id } = await done(store.begin({ bytes: null, resumable: false }))
  await done(append(store, id, 0, bundle.subarray(0, 7), bundle.subarray(7)))
  await done(store.complete(id))

  assert.deepEqual(await done(store.kept), { id, bytes: bundle.length, resumable: false, offset: bundle.length })
})

test('damage on the way is found as the last byte arrives, and nothing is left of the upload', async (t) => {
  const folder = folderOf(t)
  for (const at of [6, 700, bundle.length - 1]) {
    const store = storeOn(folder)
    const changed = Buffer.from(bundle)
    changed[at] = (changed[at] ?? 0) ^ 1
    const { id } = await done(store.begin({ bytes: null, resumable: true }))
    await done(append(store, id, 0, changed))

    assert.match(await refused(store.complete(id)), /^update.refused: .*damaged or cut short/)
    assert.deepEqual(filesIn(folder), [])
  }
})

test('what is no bundle is refused by its first bytes, however much would follow', async (t) => {
  const store = storeOn(folderOf(t))
  let pieces = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        pieces += 1
        yield Buffer.alloc(65_536, 'PK')
      }
    })(),
  )
  const { id } = await done(store.begin({ bytes: null, resumable: false }))

  assert.match(await refused(store.append(id, 0, endless, quiet)), /^update.refused: .*it is no bundle/)
  endless.destroy()
  assert.ok(pieces < 100, `${pieces} pieces were taken`)
})

test('what came in small pieces is kept, though the connection ends before they make a large one', async (t) => {
  const folder = folderOf(t)
  const store = storeOn(folder)
  const sent = Buffer.concat([bundle.subarray(0, 100), randomBytes(699_900)])
  const cut = Readable.from(
    (function* () {
      for (let at = 0; at < sent.length; at += 1000) yield sent.subarray(at, at + 1000)
      throw new Error('the connection ends')
    })(),
    { highWaterMark: 1 },
  )
  const told: number[] = []
  const { id } = await done(store.begin({ bytes: 1_000_000, resumable: true }))

  assert.match(await refused(store.append(id, 0, cut, (bytes) => told.push(bytes))), /the connection ended before/)

  const { offset = 0 } = (await done(store.kept)) ?? {}
  assert.ok(offset > 650_000, `${offset} bytes are kept`)
  const [file = ''] = filesIn(folder).filter((name) => name.endsWith('.vedette'))
  assert.deepEqual(readFileSync(join(folder, 'upload', file)), sent.subarray(0, offset))
  assert.ok(told.length < 300, `it was written ${told.length} times`)
})

test('an upload that is shorter than announced is not completed, and can be gone on with', async (t) => {
  const store = storeOn(folderOf(t))
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  await done(append(store, id, 0, bundle.subarray(0, 100)))

  assert.match(await refused(store.complete(id)), new RegExp(`update.other_offset: 100 of ${bundle.length} bytes`))
  assert.equal(await done(append(store, id, 100, bundle.subarray(100))), bundle.length)
  await done(store.complete(id))
})

test('a bundle may not be larger than it may, nor than it was announced', async (t) => {
  const store = storeOn(folderOf(t), { maxBytes: 1_000 })

  assert.match(await refused(store.begin({ bytes: 1_001, resumable: true })), /^body.too_large: .*1000 bytes at most/)
  const one = await done(store.begin({ bytes: null, resumable: false }))
  assert.match(await refused(append(store, one.id, 0, bundle.subarray(0, 1_001))), /^body.too_large/)
  const two = await done(store.begin({ bytes: 50, resumable: true }))
  assert.match(await refused(append(store, two.id, 0, bundle.subarray(0, 51))), /^body.too_large/)
  assert.match(await refused(append(store, two.id, 0, bundle.subarray(0, 20), bundle.subarray(20, 51))), /too_large/)
})

test('where there is no room nothing begins, and what was uploaded before stays', async (t) => {
  const folder = folderOf(t)
  const before = storeOn(folder)
  const { id } = await done(before.begin({ bytes: bundle.length, resumable: true }))
  await done(append(before, id, 0, bundle))
  await done(before.complete(id))

  const store = storeOn(folder, { minFreeBytes: 2 ** 60 })
  const found = await refused(store.begin({ bytes: bundle.length, resumable: true }))

  assert.match(found, /^storage.full: there is no room for the bundle in .* MB are free/)
  assert.equal((await done(store.kept))?.id, id)
  await done(store.verify(quiet))
})

test('an upload ends when others fill the disk meanwhile, and keeps what is there', async (t) => {
  const folder = folderOf(t)
  const first = storeOn(folder)
  const { id } = await done(first.begin({ bytes: bundle.length, resumable: true }))
  const store = storeOn(folder, { minFreeBytes: 2 ** 60, noteEveryBytes: 64 })

  const found = await refused(append(store, id, 0, bundle.subarray(0, 64), bundle.subarray(64)))

  assert.match(found, /^storage.full/)
  assert.equal((await done(store.kept))?.offset, 64)
})

test('a disk that is full to its last byte ends an upload, and what is on it stays', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return t.skip('this process may not mount a disk')
  const store = storeOn(disk, { noteEveryBytes: 100_000 })
  const large = Buffer.concat([bundle, Buffer.from(Array.from({ length: 2_000_000 }, (_, n) => (n * n * n) % 251))])
  const { id } = await done(store.begin({ bytes: null, resumable: true }))
  const pieces = Array.from({ length: 30 }, (_, n) => large.subarray(n * 65_536, (n + 1) * 65_536))

  assert.match(await refused(append(store, id, 0, ...pieces)), /^storage.full: the disk with .* became full/)

  const { offset = 0 } = (await done(store.kept)) ?? {}
  assert.ok(offset >= 65_536 && offset < 1024 ** 2, `${offset} bytes are kept`)
  assert.deepEqual(readFileSync(join(disk, 'upload/upload.vedette')).subarray(0, offset), large.subarray(0, offset))
  await done(store.clear)
  assert.deepEqual(filesIn(disk), [])
})

test('an upload that broke off is gone on with, in the same run and in the next', async (t) => {
  const folder = folderOf(t)
  const first = storeOn(folder)
  const { id } = await done(first.begin({ bytes: bundle.length, resumable: true }))
  const broken = new PassThrough()
  broken.write(bundle.subarray(0, 500))

  assert.match(await refused(first.append(id, 0, broken, () => broken.destroy())), /^request.malformed: the connection/)
  assert.deepEqual(await done(first.kept), { id, bytes: bundle.length, resumable: true, offset: 500 })
  await done(append(first, id, 500, bundle.subarray(500, 800)))

  const next = storeOn(folder)
  assert.deepEqual(await done(next.kept), { id, bytes: bundle.length, resumable: true, offset: 800 })
  await done(append(next, id, 800, bundle.subarray(800)))
  await done(next.complete(id))
  await done(next.verify(quiet))

  const last = storeOn(folder)
  assert.equal((await done(last.kept))?.offset, bundle.length)
  assert.deepEqual((await done(last.verify(quiet))).manifest, made.manifest)
  assert.match(await refused(append(last, id, bundle.length, bundle)), /^update.other_offset/)
})

test('what came after the last note is not counted after a kill, and is sent again', async (t) => {
  const folder = folderOf(t)
  const first = storeOn(folder, { noteEveryBytes: 300 })
  const { id } = await done(first.begin({ bytes: bundle.length, resumable: true }))
  const body = new PassThrough()
  const seen = Promise.withResolvers<void>()
  const killed = done(first.append(id, 0, body, (bytes) => bytes === 650 && seen.resolve())).catch(quiet)
  body.write(bundle.subarray(0, 350))
  body.write(Buffer.from(bundle.subarray(350, 650)))
  await seen.promise
  const left = [readFileSync(join(folder, 'upload/upload.json')), readFileSync(join(folder, 'upload/upload.vedette'))]
  body.destroy()
  await killed
  // as the kill found them, and with what a cut of the power may make of bytes that were not synced
  writeFileSync(join(folder, 'upload/upload.json'), left[0] as Buffer)
  writeFileSync(join(folder, 'upload/upload.vedette'), Buffer.concat([left[1] as Buffer, Buffer.alloc(999)]))

  const next = storeOn(folder)
  const kept = await done(next.kept)
  const offset = kept?.offset ?? 0
  assert.ok(offset >= 350 && offset <= 650, `${offset} bytes are kept`)
  await done(append(next, id, offset, bundle.subarray(offset)))
  await done(next.complete(id))
  await done(next.verify(quiet))
})

test('a note that is torn, or says more than there is, keeps nothing; the next upload begins as ever', async (t) => {
  const folder = folderOf(t)
  const note = join(folder, 'upload/upload.json')
  const spoilers: readonly (() => void)[] = [
    () => truncateSync(note, 20),
    () => writeFileSync(note, '{"format": 2}'),
    () => truncateSync(join(folder, 'upload/upload.vedette'), 99),
  ]
  for (const spoil of spoilers) {
    const store = storeOn(folder)
    const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
    await done(append(store, id, 0, bundle.subarray(0, 100)))
    spoil()

    const next = storeOn(folder)
    assert.equal(await done(next.kept), null)
    assert.match(await refused(append(next, id, 100, bundle)), /^update.no_upload/)
  }
})

test('there is one upload at a time, and its offset and id have to be right', async (t) => {
  const store = storeOn(folderOf(t))
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  const body = new PassThrough()
  const running = done(store.append(id, 0, body, quiet))

  assert.match(await refused(store.begin({ bytes: 1, resumable: true })), /^update.busy/)
  assert.match(await refused(append(store, id, 0, bundle)), /^update.busy/)
  body.end(bundle.subarray(0, 10))
  assert.equal(await running, 10)
  assert.match(await refused(append(store, id, 9, bundle)), /^update.other_offset: 10 bytes of this upload are here/)
  assert.match(await refused(append(store, 'another', 10, bundle)), /^update.no_upload/)
  assert.match(await refused(store.complete('another')), /^update.no_upload/)
  const replaced = await done(store.begin({ bytes: 1, resumable: true }))
  assert.notEqual(replaced.id, id)
  assert.match(await refused(append(store, id, 10, bundle)), /^update.no_upload/)
})

test('what is cancelled while it arrives ends at once, and is gone', async (t) => {
  const folder = folderOf(t)
  const store = storeOn(folder)
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  const body = new PassThrough()
  const running = refused(store.append(id, 0, body, quiet))
  body.write(bundle.subarray(0, 10))

  await done(store.clear)

  assert.match(await running, /^update.cancelled/)
  assert.deepEqual(filesIn(folder), [])
  assert.equal(await done(store.kept), null)
})

test('whoever appends is told when another takes over, who goes on where it was said', async (t) => {
  const store = storeOn(folderOf(t))
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  const body = new PassThrough()
  const came = Promise.withResolvers<void>()
  const running = refused(store.append(id, 0, body, () => came.resolve()))
  body.write(bundle.subarray(0, 10))
  await came.promise

  await done(store.endAppending)
  body.end(bundle.subarray(10, 20))

  assert.match(await running, /^update.taken_over/)
  assert.equal((await done(store.kept))?.offset, 10)
  assert.equal(await done(append(store, id, 10, bundle.subarray(10))), bundle.length)
  await done(store.complete(id))
})

test('a sender that is too slow is let go, and what it sent stays', async (t) => {
  const store = storeOn(folderOf(t), { patience: { windowMs: 20, minBytes: 1_000, totalMs: 60_000 } })
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  const body = new PassThrough()
  body.write(bundle.subarray(0, 10))

  assert.match(await refused(store.append(id, 0, body, quiet)), /^request.timeout/)
  assert.equal((await done(store.kept))?.offset, 10)
})

test('keys that cannot be read are a fault of the device, and say why', async (t) => {
  const store = storeOn(folderOf(t), {
    judging: async () => {
      throw new CannotBundle('/etc/vedette/update-keys.json cannot be used')
    },
  })
  const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
  await done(append(store, id, 0, bundle))
  await done(store.complete(id))

  assert.match(await refused(store.verify(quiet)), /^device.failed: .*update-keys.json cannot be used/)
})

test('a disk that cannot be written is a fault of the device', async (t) => {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'upload'), 'a file where the folder has to be')

  assert.match(await refused(storeOn(folder).begin({ bytes: 1, resumable: true })), /^device.failed: .*EEXIST/)
})

test('however it is cut into pieces, interrupted and restarted, the bundle that arrives is the one sent', async (t) => {
  const cuts = fc.array(
    fc.record({ bytes: fc.integer({ min: 0, max: 700 }), restarts: fc.boolean(), breaks: fc.boolean() }),
    { maxLength: 6 },
  )
  const folder = folderOf(t)
  await fc.assert(
    fc.asyncProperty(cuts, fc.integer({ min: 1, max: 900 }), async (steps, noteEveryBytes) => {
      let store = storeOn(folder, { noteEveryBytes })
      const { id } = await done(store.begin({ bytes: bundle.length, resumable: true }))
      for (const { bytes, restarts, breaks } of steps) {
        const { offset = 0 } = (await done(store.kept)) ?? {}
        const body = new PassThrough()
        const sent = done(store.append(id, offset, body, quiet)).catch(quiet)
        body.write(bundle.subarray(offset, offset + bytes), () => (breaks ? body.destroy() : body.end()))
        await sent
        if (restarts) store = storeOn(folder, { noteEveryBytes })
      }
      const { offset = 0 } = (await done(store.kept)) ?? {}
      await done(append(store, id, offset, bundle.subarray(offset)))
      await done(store.complete(id))
      assert.deepEqual((await done(store.verify(quiet))).manifest, made.manifest)
    }),
    { numRuns: shortOrLong(25, 1_000) },
  )
})

test('a process that is killed in the middle leaves an upload that the next one goes on with', async (t) => {
  const folder = folderOf(t)
  const first = storeOn(folder)
  const { id } = await done(first.begin({ bytes: bundle.length, resumable: true }))
  const script = `
    import { PassThrough } from 'node:stream'
    import { readFileSync } from 'node:fs'
    import * as Effect from 'effect/Effect'
    import { fileBundleStore } from ${JSON.stringify(join(ROOT, 'native/update/upload-store.ts'))}
    const store = fileBundleStore({ folder: ${JSON.stringify(join(folder, 'upload'))}, judging: async () => {},
      minFreeBytes: 0, noteEveryBytes: 200 })
    const body = new PassThrough()
    body.write(readFileSync(${JSON.stringify(made.path)}).subarray(0, 300))
    Effect.runPromise(store.append(${JSON.stringify(id)}, 0, body, (bytes) => {
      if (bytes === 300) body.write(readFileSync(${JSON.stringify(made.path)}).subarray(300, 450))
      else process.kill(process.pid, 'SIGKILL')
    }))
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')

  const next = storeOn(folder)
  assert.equal((await done(next.kept))?.offset, 300)
  await done(append(next, id, 300, bundle.subarray(300)))
  await done(next.complete(id))
  await done(next.verify(quiet))
})
