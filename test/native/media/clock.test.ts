// Recordings that are made while somebody sets the clock of the device.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { MediaItem } from '../../../machines/media/item.ts'
import { Gate } from '../../support/engine/gates.ts'
import { fragment, mp4File } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'

const YEARS_MS = 1_767_225_600_000 // from 1970, where a device without a battery begins
const wish = { kind: 'recording', origin: 'recording', media_type: 'video/mp4', name: 'match' } as const
const whole = Buffer.concat([mp4File({ durationMs: 0 }), fragment(), fragment()])
const facts = { width_px: 640, height_px: 480, frames: 60, duration_ms: 2000 }

/** A recording that was begun in 1970, and whose first picture was taken a moment later. */
const begun = async (t: TestContext) => {
  const dataDir = folderOf(t)
  const opened = await openStore(t, dataDir)
  const { store, clock } = opened
  clock.setBy(-clock.nowMs())
  clock.advanceMs(5_000)
  const draft = good(await store.begin({ ...wish, captured_ms: clock.nowMs() }))
  writeFileSync(draft.path, whole)
  const noteFirst = () => writeFileSync(draft.sidecarPath, `${JSON.stringify({ epoch_ms: clock.nowMs() + 40 })}\n`)
  const setClock = () => {
    clock.setBy(YEARS_MS)
    return store.clockSet(YEARS_MS)
  }
  return { ...opened, dataDir, draft, noteFirst, setClock }
}

const of2026 = [YEARS_MS + 5_000, YEARS_MS + 5_040]

for (const step of ['settle', 'place', 'settleNames'] as const)
  test(`a clock that is set while a recording is being ended costs nothing of it (${step})`, async (t) => {
    const { store, draft, noteFirst, setClock } = await begun(t)
    noteFirst()
    const { folder } = store
    const [gate, reached] = [new Gate(), Promise.withResolvers<void>()]
    const original = folder[step].bind(folder) as (...args: unknown[]) => Promise<unknown>
    t.mock.method(folder, step, async (...args: unknown[]) => {
      reached.resolve()
      await Effect.runPromise(gate.passed)
      return original(...args)
    })
    gate.close()
    const ending = draft.complete(facts)
    await reached.promise

    const told = setClock()
    await new Promise((resolve) => setImmediate(resolve))
    gate.open()
    good(await ending)
    assert.deepEqual(await told, [])

    const { state, created_at_ms, captured_at_ms } = good(await store.get(draft.name))
    assert.deepEqual([state, created_at_ms, captured_at_ms], ['ready', ...of2026])
  })

test('a recording whose end could not be stored when the clock was set is of the right time later', async (t) => {
  const { store, draft, noteFirst, setClock } = await begun(t)
  noteFirst()
  const broken: Fault = { code: 'storage.failed', detail: 'the disk does not answer' }
  const { keep } = store
  const mocked = t.mock.method(store, 'keep', (item: MediaItem) =>
    item.state === 'ready' ? broken : keep.call(store, item),
  )
  assert.ok(isFault(await draft.complete(facts)))
  await setClock()

  mocked.mock.restore()
  await store.finishLeft()

  const { state, created_at_ms, captured_at_ms } = good(await store.get(draft.name))
  assert.deepEqual([state, created_at_ms, captured_at_ms], ['ready', ...of2026])
})

test('a recording that was cut off after the clock was set is not of 1970', async (t) => {
  const { dataDir, draft, noteFirst, setClock, close } = await begun(t)
  noteFirst()
  await setClock()
  await close()

  const { store } = await openStore(t, dataDir)

  const { flaw, created_at_ms, captured_at_ms } = good(await store.get(draft.name))
  assert.deepEqual([flaw, created_at_ms, captured_at_ms], ['interrupted', YEARS_MS + 5_000, YEARS_MS + 5_000])
})

test('a first picture that was taken after the clock was set is not put off again', async (t) => {
  const { store, draft, noteFirst, setClock } = await begun(t)
  await setClock()
  noteFirst()

  good(await draft.complete(facts))

  const { created_at_ms, captured_at_ms } = good(await store.get(draft.name))
  assert.deepEqual([created_at_ms, captured_at_ms], of2026)
})
