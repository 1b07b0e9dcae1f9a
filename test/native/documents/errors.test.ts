// The error history in a real file that somebody or something has damaged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type ErrorEntry, MAX_ERRORS } from '../../../machines/errors/history.ts'
import { dataFolder, tamper, tamperLoosely, using } from '../../support/processes/documents.ts'

const entry = (code: string): ErrorEntry => ({
  code,
  resource: '',
  detail: code,
  count: 1,
  first_at_ms: 1,
  last_at_ms: 2,
})

test('rows that are no entries are left out, and removed with the next saving', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ saveErrors }) =>
    saveErrors({ revision: 1, entries: [entry('camera.lost'), entry('link.slow')] }),
  )
  tamperLoosely(
    dataDir,
    `INSERT INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES
       (NULL, NULL, NULL, NULL, NULL, NULL), ('', '', 'no code', 1, 1, 1), ('a.b', x'00', 'c', 1, 1, 1),
       ('huge.count', '', 'c', 9223372036854775807, 1, 1), ('no.time', '', 'c', 1, 'noon', 1),
       ('half', '', 'c', 1.5, 1, 1)`,
  )

  const { faults, loaded } = await using(dataDir, ({ openingFaults, loadErrors, saveErrors }) =>
    Effect.map(loadErrors, ({ entries: loaded }) => ({ faults: openingFaults, loaded })).pipe(
      Effect.tap(() => saveErrors({ revision: 2, entries: [...loadedBefore, entry('lamp.hot')] })),
    ),
  )

  assert.deepEqual(faults, [])
  assert.deepEqual(loaded, loadedBefore)
  const codes = tamper(dataDir, (db) => db.prepare('SELECT code FROM errors ORDER BY rowid').all())
  assert.deepEqual(
    codes.map(({ code }) => code),
    ['camera.lost', 'link.slow', 'lamp.hot'],
  )
})

const loadedBefore = [entry('camera.lost'), entry('link.slow')]

test('of more entries than the history holds the latest are taken', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, () => Effect.void)
  tamper(dataDir, (db) =>
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO errors SELECT 'fault.' || i, '', '', 1, 1, i FROM n`),
  )

  const { entries: loaded } = await using(dataDir, ({ loadErrors, saveErrors }) =>
    Effect.tap(loadErrors, (kept) => saveErrors(kept)),
  )

  assert.equal(loaded.length, MAX_ERRORS)
  assert.equal(loaded.at(-1)?.code, 'fault.5000')
  assert.equal(tamper(dataDir, (db) => db.prepare('SELECT count(*) AS n FROM errors').get())?.n, MAX_ERRORS)
})

test('a revision that somebody made senseless begins anew, and keeps nobody from saving', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ saveErrors }) => saveErrors({ revision: 5, entries: [entry('camera.lost')] }))
  tamperLoosely(dataDir, `UPDATE collections SET revision = 'many' WHERE name = 'errors'`)

  const { revision } = await using(dataDir, ({ loadErrors }) => loadErrors)
  await using(dataDir, ({ saveErrors }) => saveErrors({ revision: 6, entries: [] }))

  assert.ok(Number.isNaN(revision))
  assert.deepEqual(await using(dataDir, ({ loadErrors }) => loadErrors), { revision: 6, entries: [] })
})
