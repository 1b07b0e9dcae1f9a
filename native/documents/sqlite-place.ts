// Whether the files that a store has open are still those at their place, and may be written. What is written to a file
// that was removed is lost with the process, and nothing says so.

import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { oneLine } from '../../machines/schema/one-line.ts'
import { Unavailable } from './sqlite-faults.ts'

const PARTS = ['', '-wal']
const LITTLE_BYTES = 1024 * 1024

/** Where the store of one open database is. */
export class StorePlace {
  readonly #file: string
  readonly #known = new Map<string, string>()

  /** file: as it was just opened. */
  constructor(file: string) {
    this.#file = file
    for (const part of PARTS) this.#note(part)
  }

  /** Throws Unavailable when the files were removed or replaced. */
  refuseOther(): void {
    for (const part of PARTS) {
      const known = this.#known.get(part) ?? this.#note(part)
      const found = stampOf(this.#file + part)
      if (known !== found) throw new Unavailable(moved(this.#file + part, found === undefined))
    }
  }

  /** Throws Unavailable when the file system takes no writes any more. */
  refuseReadOnly(): void {
    try {
      accessSync(this.#file, constants.W_OK)
      accessSync(dirname(this.#file), constants.W_OK)
    } catch (error) {
      throw new Unavailable(`nothing can be stored in ${this.#file} (${(error as Error).message}); ${WRITABLE}`)
    }
  }

  /** Whether there is so little room that only a write tells whether there is enough. */
  hasLittleRoom(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#file))
    return bavail * bsize < LITTLE_BYTES
  }

  #note(part: string): string | undefined {
    const stamp = stampOf(this.#file + part)
    if (stamp !== undefined) this.#known.set(part, stamp)
    return stamp
  }
}

const stampOf = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}/${found.ino}`
}

const WRITABLE = 'make its file system writable again (a card at its end of life refuses writes for good), and repeat'

const moved = (path: string, isGone: boolean): string =>
  isGone
    ? oneLine`
      ${path} was removed while the service runs, so that whatever is stored now would be lost; put it back as it was,
      or restart the service, which then begins with what lies there
    `
    : oneLine`
      another file is in the place of ${path} since the service was started, so that whatever is stored now would be
      lost; restart the service, which then begins with that file
    `
