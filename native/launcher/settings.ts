// The settings of a version are a copy of those of the version before it: what it changes in them is not there when it
// is gone back to that one.
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SETTINGS_FILE } from '../documents/settings-file.ts'
import { isBroken } from '../documents/sqlite-faults.ts'

/** What the launcher does with settings. */
export interface SettingsFiles {
  /** Makes a copy in a folder that is empty; not yet synced. Fails when there is no room, or somebody writes there. */
  readonly copy: (from: string, to: string) => void | Promise<void>
  /** The documents that are not the same in both folders, as `streams/front`. */
  readonly differing: (folder: string, other: string) => readonly string[] | Promise<readonly string[]>
}

const BUSY_LIMIT_MS = 2_000 // the run before may still be closing

/** Those in the files of the service. */
export const sqliteSettings: SettingsFiles = {
  copy: (from, to) => {
    try {
      using db = new DatabaseSync(join(from, SETTINGS_FILE), { timeout: BUSY_LIMIT_MS })
      db.prepare('VACUUM INTO ?').run(join(to, SETTINGS_FILE))
    } catch (error) {
      if (!isBroken(error)) throw error
      copyAsTheyAre(from, to) // the service saves what can be read of it, and needs all its parts for that
    }
  },
  differing: (folder, other) => {
    const [here, there] = [documentsIn(folder), documentsIn(other)]
    if (!here || !there) return [] // nobody can say what was written
    const names = new Set([...here.keys(), ...there.keys()])
    return [...names].filter((name) => here.get(name) !== there.get(name)).toSorted()
  },
}

const copyAsTheyAre = (from: string, to: string): void => {
  for (const name of readdirSync(from).filter((name) => PART.test(name))) copyFileSync(join(from, name), join(to, name))
}

const PART = new RegExp(`^${SETTINGS_FILE}(-wal|-journal|\\.copy-[12])?$`.replaceAll('.db', '\\.db'))

/** Each with its revision and value; undefined: the file cannot be read. */
const documentsIn = (folder: string): ReadonlyMap<string, string> | undefined => {
  try {
    using db = new DatabaseSync(join(folder, SETTINGS_FILE), { timeout: BUSY_LIMIT_MS })
    const rows = db.prepare('SELECT collection, id, revision, value FROM documents')
    rows.setReadBigInts(true)
    return new Map(
      rows.all().map(({ collection, id, revision, value }) => [`${collection}/${id}`, `${revision} ${value}`]),
    )
  } catch {
    return undefined
  }
}
