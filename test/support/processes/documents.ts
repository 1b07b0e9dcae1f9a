// The store on a real file in a temporary folder, and what can be done to that file while nobody has it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Commit } from '../../../machines/settings/store.ts'
import type { AskedStore, OpenStore } from '../../../native/documents/asked-store.ts'
import type { Documents, DocumentsPort } from '../../../native/documents/port.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { storageFault } from '../../../native/documents/sqlite-faults.ts'
import { openStore } from '../../../native/documents/sqlite-store.ts'

/** A data directory that goes with the test. */
export const dataFolder = (t: TestContext): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vedette-documents-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  return dataDir
}

export const databaseIn = (dataDir: string): string => join(dataDir, 'vedette.db')

type Story<Value> = (documents: Documents) => Effect.Effect<Value, Fault, Scope.Scope>

/** Opens the store as the service does, tells a story with it, and closes it. */
export const usingThread = <Value>(dataDir: string, story: Story<Value>, maxBytes?: number) =>
  told(sqliteDocuments(optionsOf(dataDir, maxBytes)), story)

/** The same in this thread: for what depends on the file alone, hundreds of times. */
export const using = <Value>(dataDir: string, story: Story<Value>, maxBytes?: number) =>
  told(sqliteDocuments(optionsOf(dataDir, maxBytes), openHere), story)

const optionsOf = (dataDir: string, maxBytes: number | undefined) => ({
  dataDir,
  ...(maxBytes !== undefined && { maxBytes }),
})

const told = <Value>({ open }: DocumentsPort, story: Story<Value>) =>
  open.pipe(Effect.flatMap(story), Effect.scoped, Effect.runPromise)

const openHere: OpenStore = (where) => {
  const attempt = <Value>(work: () => Value): Effect.Effect<Value, Fault> =>
    Effect.try({ try: work, catch: (error) => storageFault(where.file, error) })
  return Effect.map(
    Effect.acquireRelease(
      attempt(() => openStore(where)),
      ({ close }) => Effect.sync(close),
    ),
    ({ faults, operations }): AskedStore => ({
      faults,
      ask: (name, ...values) => {
        const operation = operations[name] as (...each: typeof values) => ReturnType<(typeof operations)[typeof name]>
        return attempt(() => operation(...values))
      },
    }),
  )
}

/** The commit that gives `streams/front` a revision, or another. */
export const commit = (revision: number, change: Partial<Commit> = {}): Commit => ({
  collection: 'streams',
  collectionRevision: revision,
  collectionBase: 0,
  id: 'front',
  revision,
  value: { n: revision },
  ...change,
})

/** The fault of a program that must fail. */
export const faultOf = <Value, Needs>(
  program: Effect.Effect<Value, Fault, Needs>,
): Effect.Effect<Fault, never, Needs> => Effect.orDie(Effect.flip(program))

/** Does to the database in a data directory what no program should. */
export const tamper = <Value>(dataDir: string, work: (db: DatabaseSync) => Value): Value => {
  const db = new DatabaseSync(databaseIn(dataDir))
  try {
    db.exec('PRAGMA ignore_check_constraints = ON')
    return work(db)
  } finally {
    db.close()
  }
}

/** Does it while the tables say that anything may stand in them, as a page with flipped bits would have it. */
export const tamperLoosely = (dataDir: string, sql: string): void => {
  const formOf = (db: DatabaseSync) =>
    db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT'`).all() as {
      name: string
      sql: string
    }[]
  const reshape = (forms: readonly { name: string; sql: string }[]) =>
    tamper(dataDir, (db) => {
      db.enableDefensive(false)
      db.exec('PRAGMA writable_schema = ON')
      const write = db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?')
      for (const form of forms) write.run(form.sql, form.name)
    })
  const forms = tamper(dataDir, formOf)
  reshape(
    forms.map((form) => ({
      ...form,
      sql: form.sql
        .replace(/ STRICT$/, '')
        .replaceAll(/ (TEXT|INTEGER)(?! PRIMARY KEY)/g, '')
        .replaceAll(' NOT NULL', ''),
    })),
  )
  tamper(dataDir, (db) => db.exec(sql))
  reshape(forms)
}
