// Recordings whose end could not be stored, and stores that are asked twice to put themselves in order.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import type { MediaItem } from '../../../machines/media/item.ts'
import { fragment, jpegFile, mp4File, storedFiles } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'

const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', name: 'match' } as const
const broken: Fault = { code: 'storage.failed', detail: 'the disk does not answer' }
const whole = Buffer.concat([mp4File({ durationMs: 0 }), fragment(), fragment()])
const facts = { width_px: 640, height_px: 480, frames: 60, duration_ms: 2000 }

/** A store whose index takes no row of a recording that is whole, for as long as it is broken. */
const started = async (t: TestContext) => {
  const dataDir = folderOf(t)
  const { store } = await openStore(t, dataDir)
  const world = { isBroken: true }
  const { keep } = store
  t.mock.method(store, 'keep', (item: MediaItem) =>
    world.isBroken && item.state === 'ready' ? broken : keep.call(store, item),
  )
  const draft = good(await store.begin(wish))
  writeFileSync(draft.path, whole)
  return { dataDir, store, draft, world }
}

test('a recording whose end could not be stored is finished when it can be', async (t) => {
  const { store, draft, world } = await started(t)
  const done = await draft.complete(facts)
  assert.ok(isFault(done) && done.code === 'storage.failed')
  await store.finishLeft()
  assert.equal(store.isWriting, true)

  world.isBroken = false
  await store.finishLeft()

  const { state, flaw, frames, size_bytes } = good(await store.get(draft.name))
  assert.deepEqual([state, flaw, frames, size_bytes], ['ready', null, 60, whole.length])
  assert.equal(store.isWriting, false)
})

test('a recording whose end could not be stored can be deleted, and nothing of it comes back', async (t) => {
  const { dataDir, store, draft, world } = await started(t)
  const early = await store.carryOut({ type: 'media.remove', name: draft.name })
  await draft.complete(facts)

  const gone = await store.carryOut({ type: 'media.remove', name: draft.name })
  world.isBroken = false
  await store.finishLeft()

  assert.ok(isFault(early) && early.code === 'media.not_ready', 'it was still being written')
  assert.ok(!isFault(gone))
  assert.deepEqual([storedFiles(dataDir), store.isWriting], [[], false])
  const missing = await store.get(draft.name)
  assert.ok(isFault(missing) && missing.code === 'media.not_found')
})

test('a keeper that is started again takes nothing for a leftover that is being written', async (t) => {
  const { store, draft, world } = await started(t)

  const mended = good(await store.reconcile())
  world.isBroken = false
  const item = good(await draft.complete(facts))

  assert.deepEqual([mended, item.state, item.flaw, item.size_bytes], [[], 'ready', null, whole.length])
})

test('a bug in one order costs no other', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const { name } = good(
    await store.put({ ...wish, kind: 'picture', media_type: 'image/jpeg' }, { bytes: jpegFile(4, 4) }),
  )
  const describe = () => store.carryOut({ type: 'media.describe', name, metadata: { by: 'us' } })
  const mocked = t.mock.method(store, 'keep', () => {
    throw new Error('a bug')
  })

  await assert.rejects(describe(), /a bug/)
  mocked.mock.restore()

  assert.ok(!isFault(await describe()))
})
