// Power cuts: a process is started with a log of all that it has written and synced in a folder (disk-log.cc), and
// from that log a disk is made as a power cut at any moment may leave it.
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Random } from '../engine/random-graphs.ts'

const SOURCE = fileURLToPath(new URL('disk-log.cc', import.meta.url))
const HEAD_BYTES = 24
const SECTOR_BYTES = 512

const KINDS = { w: 'write', t: 'truncate', s: 'sync', c: 'create', u: 'remove', r: 'rename', n: 'note' } as const

/** Where disks are made, of which a great many are opened: in memory, where the system has such a folder. */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** One entry. */
export interface DiskRecord {
  readonly kind: (typeof KINDS)[keyof typeof KINDS]
  /** Of a file or folder; of a note its text. */
  readonly path: string
  readonly offset: number
  /** What was written, or the new name. */
  readonly data: Buffer
}

/** The log of a folder. env: for the process that is to write it. */
export interface DiskLog {
  readonly env: Readonly<Record<string, string>>
  /** Enters that something was learnt at this moment. */
  readonly note: (text: string) => void
  readonly read: () => readonly DiskRecord[]
  readonly close: () => void
}

/** Begins a log. folder: whose files are meant, by its whole path; at: where the log may lie. */
export const beginDiskLog = (folder: string, at: string): DiskLog => {
  const [library, path] = [join(at, 'disk-log.so'), join(at, 'disk-log')]
  execFileSync('g++', ['-std=c++17', '-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  const file = openSync(path, 'a')
  return {
    env: { LD_PRELOAD: library, DISK_LOG: path, DISK_LOG_OF: folder },
    note: (text) => {
      const head = Buffer.alloc(HEAD_BYTES)
      head.write('n')
      head.writeUInt32LE(Buffer.byteLength(text), 4)
      writeSync(file, Buffer.concat([head, Buffer.from(text)]))
    },
    read: () => recordsIn(readFileSync(path)),
    close: () => closeSync(file),
  }
}

const recordsIn = (log: Buffer): readonly DiskRecord[] => {
  const records: DiskRecord[] = []
  for (let at = 0; at < log.length; ) {
    const kind = KINDS[log.toString('latin1', at, at + 1) as keyof typeof KINDS]
    const dataAt = at + HEAD_BYTES + log.readUInt32LE(at + 4)
    const endAt = dataAt + log.readUInt32LE(at + 8)
    const path = log.toString('utf8', at + HEAD_BYTES, dataAt)
    records.push({ kind, path, offset: Number(log.readBigUInt64LE(at + 16)), data: log.subarray(dataAt, endAt) })
    at = endAt
  }
  return records
}

/** What of a file is on the disk for certain, and what may be. */
class LoggedFile {
  synced: Buffer = Buffer.alloc(0)
  pending: DiskRecord[] = []

  sync(): void {
    for (const record of this.pending) this.synced = changed(this.synced, record)
    this.pending = []
  }
}

type Names = ReadonlyMap<string, LoggedFile>

/** What of the writes that nobody has synced a power cut leaves. */
type Leaves = (record: DiskRecord) => readonly DiskRecord[]

/**
 * The files of one folder while a log is replayed. What was synced stays. Of what was written since, nothing stays, or
 * all, or any sectors of it; of the names that were made, changed and removed since their folder was synced the first
 * few, in order.
 */
export class ReplayedDisk {
  #names: Names = new Map()
  #synced: Names = new Map()
  #changes: Names[] = []
  readonly #doesSync: boolean

  /** doesSync: false for a disk that says so, and does not. */
  constructor({ doesSync = true } = {}) {
    this.#doesSync = doesSync
  }

  apply(record: DiskRecord): void {
    const { kind, path } = record
    const file = this.#names.get(path)
    if (kind === 'create') this.#rename((names) => names.set(path, new LoggedFile()))
    else if (kind === 'remove') this.#rename((names) => names.delete(path))
    else if (kind === 'rename' && file)
      this.#rename((names) => names.delete(path) && names.set(record.data.toString(), file))
    else if (kind === 'write' || kind === 'truncate') file?.pending.push(record)
    else if (kind === 'sync' && this.#doesSync) this.#sync(path, file)
  }

  /** Puts into a folder what is left when the power goes now. */
  leave(folder: string, random: Random): void {
    const kept = [this.#synced, ...this.#changes]
    const names = kept[random(kept.length)] as Names
    const leaves = ([leavesNothing, leavesAll, leavesSectors(random)] as const)[random(3)] as Leaves
    mkdirSync(folder, { recursive: true })
    for (const [path, { synced, pending }] of names)
      writeFileSync(join(folder, basename(path)), pending.flatMap(leaves).reduce(changed, Buffer.from(synced)))
  }

  #sync(path: string, file: LoggedFile | undefined): void {
    if (file) file.sync()
    else if ([...this.#names.keys(), ...this.#synced.keys()].some((name) => dirname(name) === path)) {
      this.#synced = this.#names
      this.#changes = []
    }
  }

  #rename(change: (names: Map<string, LoggedFile>) => unknown): void {
    const names = new Map(this.#names)
    change(names)
    this.#names = names
    this.#changes.push(names)
  }
}

const leavesNothing: Leaves = () => []

const leavesAll: Leaves = (record) => [record]

const leavesSectors =
  (random: Random): Leaves =>
  (record) => {
    if (record.kind === 'truncate') return random(2) === 0 ? [record] : []
    const parts: DiskRecord[] = []
    for (let at = 0; at < record.data.length; ) {
      const offset = record.offset + at
      const endAt = at + SECTOR_BYTES - (offset % SECTOR_BYTES)
      if (random(2) === 0) parts.push({ ...record, offset, data: record.data.subarray(at, endAt) })
      at = endAt
    }
    return parts
  }

/** A file after a write or a cut, in place where it fits; where nothing was written there are zeros. */
const changed = (bytes: Buffer, { kind, offset, data }: DiskRecord): Buffer => {
  const length = kind === 'truncate' ? offset : Math.max(bytes.length, offset + data.length)
  const after = length > bytes.length ? Buffer.alloc(length) : bytes.subarray(0, length)
  if (after.length > bytes.length) bytes.copy(after)
  data.copy(after, offset)
  return after
}
