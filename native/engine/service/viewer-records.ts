// The records in which an engine writes down what its viewers are owed. They are in a file without a name, which both
// processes have open: what is in it outlives the engine.
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sent } from '../../../machines/stream/picture.ts'
import { type Owed, owedBy, RECORD_BYTES, sentBy } from '../../../machines/viewers/record.ts'

/** As many as there may be viewers of the whole service. */
export const PLACES = 128

const FOLDERS = ['/dev/shm', tmpdir()] // in memory, where the system has such a folder

/** The file of these records, one for each engine. */
export class ViewerRecords {
  readonly fd: number
  #isOpen = true

  constructor() {
    this.fd = openNameless()
  }

  /** What the viewer at a place is owed. */
  owedAt(place: number): Owed {
    return owedBy(this.#recordAt(place))
  }

  /** What the viewer at a place has been sent. */
  sentAt(place: number): Sent {
    return sentBy(this.#recordAt(place))
  }

  close(): void {
    if (this.#isOpen) closeSync(this.fd)
    this.#isOpen = false
  }

  #recordAt(place: number): Uint8Array {
    const record = new Uint8Array(RECORD_BYTES)
    readSync(this.fd, record, 0, RECORD_BYTES, place * RECORD_BYTES)
    return record
  }
}

/** With all its room taken: where a file system is full, whoever writes to memory that has none there is killed. */
const openNameless = (): number => {
  let failure: unknown
  for (const folder of FOLDERS) {
    let fd: number | undefined
    try {
      const path = join(folder, `vedette-viewers-${randomUUID()}`)
      fd = openSync(path, 'wx+', 0o600)
      unlinkSync(path)
      fill(fd)
      return fd
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      failure = error
    }
  }
  throw failure
}

const fill = (fd: number): void => {
  const empty = new Uint8Array(PLACES * RECORD_BYTES)
  for (let at = 0; at < empty.length; ) at += writeSync(fd, empty, at, empty.length - at, at)
}
