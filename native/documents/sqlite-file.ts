// Opens the file of the store whatever state it is in: new, older, newer, broken, or left behind by a process that was
// killed.

import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { nameAside } from '../files/set-aside.ts'
import { MIGRATIONS } from './migrations.ts'
import { Broken, isBroken, isReadOnly, NewerSchema } from './sqlite-faults.ts'
import { salvage, sentencesOf } from './sqlite-salvage.ts'
import { mendOrRefuse, refuseOtherTables, tryWriting } from './sqlite-soundness.ts'

/**
 * An open database with the present schema, and the faults met on the way. limit: to be called when something was set
 * aside.
 */
export interface OpenFile {
  readonly db: DatabaseSync
  readonly limit: () => void
  readonly faults: readonly Fault[]
}

const PARTS = ['', '-wal', '-shm', '-journal'] // SQLite's own names for what belongs to one database
// a change of the schema each week for twenty years; above that it is damage, not a newer version
const LAST_LIKELY_VERSION = 1_000
const BUSY_LIMIT_MS = 1_000 // a previous process may still be closing

/**
 * Opens or creates the database. A broken file is set aside under another name first; nothing is deleted. Throws
 * SQLite's and the file system's errors.
 */
export const openFile = (file: string, maxBytes: number): OpenFile => {
  mkdirSync(dirname(file), { recursive: true })
  const inTheWay = obstacleAt(file)
  if (inTheWay) return openAnew(file, maxBytes, inTheWay)
  try {
    return opened(openSound(file, maxBytes), maxBytes, [])
  } catch (error) {
    if (!isBroken(error) && !(isReadOnly(error) && canBeWritten(file))) throw error
    return openAnew(file, maxBytes, (error as Error).message)
  }
}

/** A new store in the place of one that cannot be used, with what can still be read of that. */
const openAnew = (file: string, maxBytes: number, why: string): OpenFile => {
  const aside = setAside(file)
  const db = openSound(file, maxBytes)
  const found = salvage(db, aside, file)
  const detail = oneLine`
    the settings in ${file} could not be read (${why}); they were set aside as ${aside}, ${sentencesOf(found, file)}
  `
  return opened(db, maxBytes, [{ code: 'storage.corrupt', detail }])
}

const opened = (db: DatabaseSync, maxBytes: number, faults: readonly Fault[]): OpenFile => ({
  db,
  faults,
  limit: () => limitSize(db, maxBytes),
})

/**
 * What SQLite would stumble over, or delete: it deletes a log whose database is missing or empty, and there may be
 * settings in it.
 */
const obstacleAt = (file: string): string | undefined => {
  const odd = PARTS.find((part) => statSync(file + part, { throwIfNoEntry: false })?.isFile() === false)
  if (odd !== undefined) return `${basename(file + odd)} is not a file`
  return sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0 ? 'its log was left without it' : undefined
}

/**
 * SQLite takes a file for read-only too when its header says that a newer SQLite wrote it, which is then damage:
 * nothing newer runs here.
 */
const canBeWritten = (file: string): boolean => {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const openSound = (file: string, maxBytes: number): DatabaseSync => {
  const db = new DatabaseSync(file, { timeout: BUSY_LIMIT_MS })
  try {
    // Exclusive: a second process with the same folder shall be refused, not become a second writer.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version > LAST_LIKELY_VERSION) throw new Broken(`it says that its version is ${version}`)
    if (version > MIGRATIONS.length) throw newerSchema(file, version)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    mendOrRefuse(db)
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index >= version) db.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`)
    }
    refuseOtherTables(db)
    limitSize(db, maxBytes)
    tryWriting(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const newerSchema = (file: string, version: number): NewerSchema =>
  new NewerSchema(
    oneLine`
      ${file} has schema ${version}, but this version knows only up to ${MIGRATIONS.length}; install the newer version
      again, or set VEDETTE_DATA_DIR to another folder
    `,
  )

/** More than a document can have that came over HTTP: a request has 1 MiB at most, and defaults add little. */
export const MAX_WRITTEN_BYTES = 2 * 1024 * 1024

/**
 * Lets the file grow up to a size, beside what nobody wrote here: what is set aside, and what people put in by hand,
 * which is counted twice since it stands in both tables while it is moved.
 */
const limitSize = (db: DatabaseSync, maxBytes: number): void => {
  const { foreign } = db
    .prepare(
      `SELECT (SELECT coalesce(sum(octet_length(value)), 0) FROM set_aside) +
         2 * (SELECT coalesce(sum(octet_length(value)), 0) FROM documents WHERE octet_length(value) > ?) AS "foreign"`,
    )
    .get(MAX_WRITTEN_BYTES) as { foreign: number }
  const { page_size: pageBytes } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  db.exec(`PRAGMA max_page_count = ${Math.floor((maxBytes + foreign) / pageBytes)}`)
}

/**
 * Renames a database and what belongs to it so that SQLite could still open it under its new name. The last of the
 * names is used again.
 */
const setAside = (file: string): string => {
  const isFree = (name: string) => PARTS.every((part) => !existsSync(name + part))
  const aside = nameAside((n) => `${file}.corrupt-${n}`, isFree)
  for (const part of PARTS) {
    rmSync(aside + part, { force: true, recursive: true })
    if (existsSync(file + part)) renameSync(file + part, aside + part)
  }
  return aside
}
