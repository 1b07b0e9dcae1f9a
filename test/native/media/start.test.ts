// Right after a start: whoever comes before files and index fit waits for that, and loses nothing.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { jpegFile, storedFiles } from '../../support/media/media-files.ts'
import { good, openStore, unreadyStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'

const LABEL = Buffer.from('0 0.5 0.5 0.25 0.25\n')
const LOOKS = 50 // into the folder: more than writing a line takes

/** A data directory with one picture in it, and a store on it that has just been made. */
const restarted = async (t: TestContext, readyLimitMs?: number) => {
  const dataDir = folderOf(t)
  const { store: before, close } = await openStore(t, dataDir)
  const { name } = good(await before.receive({ body: Readable.from([jpegFile(40, 30)]) }))
  await close()
  const { store } = await unreadyStore(t, dataDir, { ...(readyLimitMs !== undefined && { readyLimitMs }) })
  return { dataDir, store, name }
}

test('a label and measurements that come while the media are looked through are kept', async (t) => {
  const { dataDir, store, name } = await restarted(t)
  const { list } = store.folder
  t.mock.method(store.folder, 'list', async () => {
    for (let look = 1; look < LOOKS; look += 1) await list.call(store.folder)
    return list.call(store.folder)
  })
  const imu = Buffer.from('{"pts_us":0,"gyro_rad_s":[0,0,0.1]}\n')

  const mending = store.reconcile()
  const label = store.attach(name, 'label', { body: Readable.from([LABEL]) })
  const measured = store.attach(name, 'imu', { body: Readable.from([imu]) })

  good(await label)
  good(await measured)
  assert.deepEqual(good(await mending), [])
  assert.deepEqual(storedFiles(dataDir), [name, `${name}.imu`, `${name}.label`])
})

test('pictures that come before the media have been looked through are kept', async (t) => {
  const { store, name } = await restarted(t)

  const received = store.receive({ body: Readable.from([jpegFile(40, 30)]), name })
  good(await store.reconcile())

  assert.equal(good(await received).state, 'ready')
})

test('who waits for too long is told so, and told to come again', async (t) => {
  const { store, name } = await restarted(t, 1)

  const early = await store.attach(name, 'label', { body: Readable.from([LABEL]) })

  assert.ok(isFault(early) && early.code === 'actor.unavailable', JSON.stringify(early))
  good(await store.reconcile())
  good(await store.attach(name, 'label', { body: Readable.from([LABEL]) }))
})
