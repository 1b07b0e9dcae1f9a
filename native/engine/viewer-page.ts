// The page in which an engine writes down what its viewers are owed. A file without a name, which both processes have open: what is in it outlives the engine.
import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sent } from '../../machines/stream/picture.ts'
import { type Owed, owedBy, RECORD_BYTES, sentBy } from '../../machines/viewers/record.ts'

/** As many as there may be viewers of the whole service. */
export const PLACES = 128

const FOLDERS = ['/dev/shm', tmpdir()] // in memory, where the system has such a folder

export class ViewerPage {
  readonly fd: number
  #isOpen = true

  constructor() {
    this.fd = openNameless()
    ftruncateSync(this.fd, PLACES * RECORD_BYTES)
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

const openNameless = (): number => {
  let failure: unknown
  for (const folder of FOLDERS) {
    try {
      const path = join(folder, `vedette-viewers-${randomUUID()}`)
      const fd = openSync(path, 'wx+', 0o600)
      unlinkSync(path)
      return fd
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
