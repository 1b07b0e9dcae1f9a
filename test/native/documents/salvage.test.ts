// A page of the settings file breaks: what can be read is kept, what cannot comes from a copy, and people are told
// which is which.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { commit, databaseIn, dataFolder, using } from '../../support/processes/documents.ts'

const PAGE_BYTES = 4096
const DOCUMENTS = 120
const padding = 'x'.repeat(1_500)
const idOf = (n: number) => `s${n}`
const bodyOf = (n: number, change = 0) => ({ n, change, padding })

/** A data directory with many documents and a copy of them; those whose number is given were changed after that. */
const filled = async (t: TestContext, changed: readonly number[] = []) => {
  const dataDir = dataFolder(t)
  await using(dataDir, (store) =>
    Effect.gen(function* () {
      for (let n = 1; n <= DOCUMENTS; n += 1) yield* store.commit(commit(n, { id: idOf(n), value: bodyOf(n) }))
      yield* store.keepCopy
      for (const [m, n] of changed.entries())
        yield* store.commit(commit(DOCUMENTS + m + 1, { id: idOf(n), value: bodyOf(n, 1) }))
    }),
  )
  return dataDir
}

/** The same folder elsewhere, with a page of the file broken. */
const withBroken = (t: TestContext, dataDir: string, page: number): string => {
  const other = join(dataFolder(t), 'data')
  mkdirSync(other)
  for (const name of readdirSync(dataDir)) copyFileSync(join(dataDir, name), join(other, name))
  const bytes = readFileSync(databaseIn(other))
  bytes.fill(0x5a, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
  writeFileSync(databaseIn(other), bytes)
  return other
}

const opened = (dataDir: string) =>
  using(dataDir, (store) => Effect.map(store.load, (stored) => ({ stored, faults: store.openingFaults })))

test('whichever page of the file is broken, every document is there, new or as the copy has it', async (t) => {
  const dataDir = await filled(t, [3, 60, 119])
  const pages = readFileSync(databaseIn(dataDir)).length / PAGE_BYTES
  assert.ok(pages > 73, `${pages} pages`)
  let kept = 0

  for (let page = 0; page < pages; page += 1) {
    const { stored, faults } = await opened(withBroken(t, dataDir, page))

    const found = new Map(stored.documents.map(({ id, value }) => [id, value as ReturnType<typeof bodyOf>]))
    const missing = Array.from({ length: DOCUMENTS }, (_, n) => idOf(n + 1)).filter((id) => !found.has(id))
    assert.deepEqual(missing, [], `page ${page + 1}: ${JSON.stringify(faults)}`)
    for (const { n, padding: text } of found.values()) assert.equal(text, padding, `page ${page + 1}, document ${n}`)
    kept += [3, 60, 119].filter((n) => found.get(idOf(n))?.change === 1).length
    const [fault] = faults
    if (fault) assert.match(fault.detail, /set aside as .*corrupt-1, of them/)
  }

  // A page of the tree above the documents costs what was written since the copy, and one of theirs its own.
  assert.ok(kept > 3 * (pages - 6), `${kept} of ${3 * pages} documents were as they had last been written`)
})

test('which documents are older is said, and no revision is given twice', async (t) => {
  const dataDir = await filled(t, [60])
  const pages = readFileSync(databaseIn(dataDir)).length / PAGE_BYTES
  for (let page = 0; page < pages; page += 1) {
    const { stored, faults } = await opened(withBroken(t, dataDir, page))
    const document = stored.documents.find(({ id }) => id === idOf(60))
    if ((document?.value as { change: number } | undefined)?.change === 1) continue

    assert.match(faults[0]?.detail ?? '', /as the copy of \d{4}-\d\d-\d\dT\d\d:\d\d has (it|them)/)
    assert.ok((document?.revision ?? 0) > DOCUMENTS + 1, `revision ${document?.revision}`)
    assert.ok((stored.collections.streams?.revision ?? 0) >= (document?.revision ?? 0))
    return
  }
  assert.fail('no page of it was broken')
})

test('without a copy what stands on other pages is kept, and what is lost is named', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, (store) =>
    Effect.gen(function* () {
      for (let n = 1; n <= DOCUMENTS; n += 1) yield* store.commit(commit(n, { id: idOf(n), value: bodyOf(n) }))
    }),
  )
  const pages = readFileSync(databaseIn(dataDir)).length / PAGE_BYTES
  const left: number[] = []
  for (let page = 0; page < pages; page += 1) {
    const { stored, faults } = await opened(withBroken(t, dataDir, page))
    left.push(stored.documents.length)
    const lost = DOCUMENTS - stored.documents.length
    if (lost > 0 && lost < 5) assert.match(faults[0]?.detail ?? '', /lost (is|are) streams\/s\d+/)
  }

  const whole = left.filter((count) => count === DOCUMENTS).length
  const nearly = left.filter((count) => count >= DOCUMENTS - 4).length
  assert.ok(nearly >= pages - 3, `${whole} pages cost nothing, ${nearly} of ${pages} at most four documents`)
})

test('whom a device no longer trusts does not come back out of a copy', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, (store) =>
    Effect.gen(function* () {
      yield* store.commit(commit(1, { collection: 'trust', id: 'gone', value: { n: 1 } }))
      yield* store.commit(commit(1, { id: 'front', value: { n: 1 } }))
      yield* store.keepCopy
      yield* store.commit(commit(2, { collection: 'trust', id: 'gone', value: undefined }))
    }),
  )
  writeFileSync(databaseIn(dataDir), 'no database at all'.repeat(500))

  const { stored } = await opened(dataDir)

  assert.deepEqual(
    stored.documents.map(({ collection, id }) => `${collection}/${id}`),
    ['streams/front'],
  )
})

test('the newest two copies are kept, each can be read, and one that would be the same is not made', async (t) => {
  const dataDir = dataFolder(t)
  const copy = (n: number) => `${databaseIn(dataDir)}.copy-${n}`
  const inCopy = (n: number) => {
    using db = new DatabaseSync(copy(n), { readOnly: true })
    return db
      .prepare('SELECT revision FROM documents')
      .all()
      .map(({ revision }) => revision)
  }
  await using(dataDir, (store) => store.keepCopy)
  assert.equal(existsSync(copy(1)), false, 'there is nothing to be copied')

  for (let n = 1; n <= 3; n += 1)
    await using(dataDir, (store) =>
      Effect.andThen(store.commit(commit(n)), Effect.andThen(store.keepCopy, store.keepCopy)),
    )

  assert.deepEqual([inCopy(1), inCopy(2)], [[3], [2]])
  assert.deepEqual(
    readdirSync(dataDir)
      .filter((name) => name.includes('copy'))
      .sort(),
    ['vedette.db.copy-1', 'vedette.db.copy-2'],
  )
})
