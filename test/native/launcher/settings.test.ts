// A version's settings are a copy of the previous one's.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { MIGRATIONS } from '../../../native/documents/migrations.ts'
import { sqliteSettings } from '../../../native/launcher/settings.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'

const foldersOf = (t: TestContext, ...names: string[]): string[] => {
  const root = temporaryFolder()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return names.map((name) => {
    mkdirSync(join(root, name))
    return join(root, name)
  })
}

const fileIn = (folder: string): string => join(folder, 'vedette.db')

/** Writes documents, by their names; the database stays open. */
const write = (folder: string, documents: Readonly<Record<string, number>>): DatabaseSync => {
  const db = new DatabaseSync(fileIn(folder))
  db.exec(`PRAGMA journal_mode = WAL; ${MIGRATIONS.join(';')}; PRAGMA user_version = ${MIGRATIONS.length}`)
  const put = db.prepare('INSERT INTO documents (collection, id, revision, value) VALUES (?, ?, ?, ?)')
  for (const [name, revision] of Object.entries(documents)) put.run('streams', name, revision, '{}')
  return db
}

const documentsIn = (folder: string): readonly unknown[] => {
  using db = new DatabaseSync(fileIn(folder), { readOnly: true })
  return db
    .prepare('SELECT id FROM documents ORDER BY position')
    .all()
    .map(({ id }) => id)
}

test('what a killed service had stored is in the copy, also what stands in its log alone', (t) => {
  const [living = '', killed = '', copy = ''] = foldersOf(t, 'living', 'killed', 'copy')
  using _ = write(living, { front: 3, rear: 1 })
  for (const name of readdirSync(living)) copyFileSync(join(living, name), join(killed, name))

  sqliteSettings.copy(killed, copy)

  assert.deepEqual(readdirSync(copy), ['vedette.db'])
  assert.deepEqual(
    [documentsIn(copy), documentsIn(killed)],
    [
      ['front', 'rear'],
      ['front', 'rear'],
    ],
  )
  using db = new DatabaseSync(fileIn(copy))
  assert.deepEqual({ ...db.prepare('PRAGMA user_version').get() }, { user_version: MIGRATIONS.length })
})

test('a file that is broken is copied with all its parts, so that the service saves what can be read', (t) => {
  const [broken = '', copy = ''] = foldersOf(t, 'broken', 'copy')
  writeFileSync(fileIn(broken), 'this is no database')
  for (const name of ['vedette.db.copy-1', 'vedette.db.broken']) writeFileSync(join(broken, name), name)

  sqliteSettings.copy(broken, copy)

  assert.deepEqual(readdirSync(copy), ['vedette.db', 'vedette.db.copy-1'])
  assert.equal(readFileSync(fileIn(copy), 'utf8'), 'this is no database')
})

test('while another process has the file, nothing is copied', (t) => {
  const [from = '', copy = ''] = foldersOf(t, 'from', 'copy')
  using db = write(from, { front: 1 })
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')

  assert.throws(() => sqliteSettings.copy(from, copy), /locked/)
})

test('what was written, changed or deleted is named', (t) => {
  const [here = '', there = ''] = foldersOf(t, 'here', 'there')
  write(here, { same: 1, changed: 2, added: 1 }).close()
  write(there, { same: 1, changed: 1, deleted: 4 }).close()

  assert.deepEqual(sqliteSettings.differing(here, there), ['streams/added', 'streams/changed', 'streams/deleted'])
})

test('of files that cannot be read, or are of another kind, nothing is named', (t) => {
  const [here = '', there = ''] = foldersOf(t, 'here', 'there')

  assert.deepEqual(sqliteSettings.differing(here, there), [])
  write(there, { front: 1 }).close()
  writeFileSync(fileIn(here), 'this is no database')
  assert.deepEqual(sqliteSettings.differing(here, there), [])
})
