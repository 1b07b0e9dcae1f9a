// What of the error history has to be written: only what differs from what was written last. A fault that repeats every
// second costs one row, not five hundred.
import { type ErrorEntry, isErrorEntry, type KeptErrors, MAX_ERRORS } from '../../machines/errors/history.ts'
import type { ErrorChange, ErrorRows } from './sqlite-errors.ts'

const keyOf = ({ code, resource }: ErrorEntry): string => `${code} ${resource}`

/** Of one open store. */
export class ErrorChanges {
  #saved: ReadonlyMap<string, ErrorEntry> = new Map()
  #unreadable: readonly bigint[] = []

  /**
   * The history in what was read. A row that is no entry is left out, and removed with the next saving: a history is
   * worth less than a start.
   */
  loaded({ revision, rows }: ErrorRows): KeptErrors {
    const entries = rows.map(({ entry }) => entry).filter(isErrorEntry)
    this.#unreadable = rows.filter(({ entry }) => !isErrorEntry(entry)).map(({ place }) => place)
    this.#saved = new Map(entries.map((entry) => [keyOf(entry), entry]))
    return { revision, entries: entries.slice(-MAX_ERRORS) }
  }

  /** What is to be done so that this is kept. */
  changeTo({ revision, entries }: KeptErrors): ErrorChange {
    const wanted = byKey(entries)
    return {
      revision,
      isEmpty: wanted.size === 0,
      places: this.#unreadable,
      gone: [...this.#saved].filter(([key]) => !wanted.has(key)).map(([, { code, resource }]) => ({ code, resource })),
      put: [...wanted].filter(([key, entry]) => this.#saved.get(key) !== entry).map(([, entry]) => entry),
    }
  }

  /** It was done. */
  saved({ entries }: KeptErrors): void {
    this.#saved = byKey(entries)
    this.#unreadable = []
  }
}

const byKey = (entries: readonly ErrorEntry[]): ReadonlyMap<string, ErrorEntry> =>
  new Map(entries.map((entry) => [keyOf(entry), entry]))
