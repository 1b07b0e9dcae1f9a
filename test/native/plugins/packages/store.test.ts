// The packages on a disk: what comes is there whole or not at all, and what goes leaves nothing.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { isFault } from '../../../../machines/errors/fault.ts'
import type { ReleaseNote } from '../../../../machines/plugins/package/release-note.ts'
import { filesOfRoots } from '../../../../native/media-roots/files.ts'
import { fileOpener } from '../../../../native/plugins/packages/open-file.ts'
import type { FilePackages } from '../../../../native/plugins/packages/store.ts'
import { packageWorker } from '../../../../native/plugins/packages/unpack.ts'
import { arriving, packageOf } from '../../../support/plugins/packages.ts'
import { packagesIn } from '../../../support/plugins/store.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const good = <Value>(found: Value): Exclude<Value, { readonly detail: string }> => {
  assert.ok(!isFault(found), JSON.stringify(found))
  return found as Exclude<Value, { readonly detail: string }>
}

const faultOf = (found: unknown) => (isFault(found) ? found.code : assert.fail(JSON.stringify(found)))

const installed = async (store: FilePackages, version = '1.0.0'): Promise<ReleaseNote> => {
  const { upload } = good(await store.receive(arriving(await packageOf({ version }))))
  return good(await store.unpack(upload))
}

test('an upload is kept as it came, and can be read again', async (t) => {
  const store = packagesIn(folderOf(t))
  const bytes = await packageOf({ title: 'Ours' }, { 'a.txt': 'a' })

  const upload = good(await store.receive(arriving(bytes)))
  const opened = good(await store.openUpload(upload.upload))

  assert.deepEqual(
    [upload.upload, upload.size_bytes, upload.manifest.title],
    ['note-finder-1.0.0', bytes.length, 'Ours'],
  )
  assert.deepEqual(Buffer.concat(await opened.stream(0, opened.sizeBytes - 1).toArray()), bytes)
  assert.deepEqual(await store.uploads(), [upload])
})

test('a later upload of the same version takes its place, and the oldest of nine goes', async (t) => {
  const store = packagesIn(folderOf(t))

  for (const minor of [0, 1, 2, 3, 4, 5, 6, 7, 8, 3])
    good(await store.receive(arriving(await packageOf({ version: `1.${minor}.0`, title: `At ${minor}` }))))
  const uploads = await store.uploads()

  assert.deepEqual(
    uploads.map(({ manifest }) => manifest.version),
    ['1.3.0', '1.8.0', '1.7.0', '1.6.0', '1.5.0', '1.4.0', '1.2.0', '1.1.0'],
  )
})

test('an upload that is cut off leaves nothing', async (t) => {
  const folder = folderOf(t)
  const store = packagesIn(folder)
  const body = new PassThrough()
  const found = store.receive({ body, length: 1_000 })

  body.write(Buffer.from('PK\x03\x04'))
  body.destroy()

  assert.equal(faultOf(await found), 'request.malformed')
  assert.deepEqual(readdirSync(join(folder, 'incoming')), [])
})

test('a disk that is too full for a package says so, and leaves nothing', async (t) => {
  const folder = folderOf(t)
  const full = async () => ({ code: 'storage.full', detail: 'there is no room left' }) as const
  const upload = good(await packagesIn(folder).receive(arriving(await packageOf())))

  const store = packagesIn(folder, { ...packageWorker, unpack: full })

  assert.equal(faultOf(await store.unpack(upload.upload)), 'storage.full')
  assert.deepEqual(readdirSync(join(folder, 'incoming')), [])
  assert.ok(!existsSync(join(folder, 'installed', 'note-finder', '1.0.0')))
})

test('releases lie side by side; one that is not kept goes, and the data stays until all is removed', async (t) => {
  const folder = folderOf(t)
  const store = packagesIn(folder)
  const first = await installed(store, '1.0.0')
  const second = await installed(store, '2.0.0')
  const { data_folder } = store.foldersOf('note-finder', first.release)
  writeFileSync(join(data_folder, 'learned'), 'much')

  assert.deepEqual(readdirSync(join(folder, 'installed', 'note-finder')).toSorted(), [first.release, second.release])
  good(await store.sweep('note-finder', [second.release]))
  assert.deepEqual(readdirSync(join(folder, 'installed', 'note-finder')), [second.release])
  good(await store.sweep('note-finder', []))
  assert.deepEqual([readdirSync(join(folder, 'installed')), readdirSync(data_folder)], [[], ['learned']])
  good(await store.remove('note-finder'))

  assert.deepEqual(readdirSync(join(folder, 'data')), [])
})

test('a start removes what was being written, and finds what is whole', async (t) => {
  const folder = folderOf(t)
  const { release } = await installed(packagesIn(folder))
  mkdirSync(join(folder, 'incoming', 'half'))
  writeFileSync(join(folder, 'incoming', 'half', 'package.zip'), 'PK')
  mkdirSync(join(folder, 'installed', 'note-finder', '9.9.9-0123456789ab'))

  const found = good(await packagesIn(folder).restore())

  assert.deepEqual(readdirSync(join(folder, 'incoming')), [])
  assert.deepEqual(
    [...found].map(([name, notes]) => [name, notes.map((note) => note.release)]),
    [['note-finder', [release]]],
  )
})

test('a package in a media root is taken, and no other file of the device', async (t) => {
  const [root, elsewhere, folder] = [folderOf(t), folderOf(t), folderOf(t)]
  const store = packagesIn(folder, packageWorker, { openFile: fileOpener(filesOfRoots([root])) })
  for (const each of [root, elsewhere]) writeFileSync(join(each, 'a.zip'), await packageOf())

  const taken = good(await store.takeFile(join(root, 'a.zip')))

  assert.equal(taken.upload, 'note-finder-1.0.0')
  for (const path of [join(elsewhere, 'a.zip'), join(root, 'b.zip'), `${root}/../a.zip`, 'a.zip', root])
    assert.equal(faultOf(await store.takeFile(path)), 'plugin.no_file', path)
})

test('what is fetched is read to its end or not at all, and its connection is let go', async (t) => {
  const body = Readable.from([Buffer.from('no zip')])
  const store = packagesIn(folderOf(t), packageWorker, { openUrl: async () => ({ body, length: undefined }) })

  const found = await store.fetch('https://plugins.example/a.zip')

  assert.equal(faultOf(found), 'plugin.refused')
  assert.ok(body.destroyed)
})
