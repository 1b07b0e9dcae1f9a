// Zips written byte by byte, as no writer of zips would: each field says what a test wants it to say.
import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip; what is left out is as it should be. */
export interface RawEntry {
  readonly name: string
  readonly content?: Buffer
  /** As it lies in the archive; default: the content, deflated. */
  readonly packed?: Buffer
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  readonly bytes?: number
  readonly packedBytes?: number
  readonly madeBy?: number
  readonly mode?: number
  readonly extra?: Buffer
  /** What its own header says otherwise. */
  readonly local?: Partial<Pick<RawEntry, 'name' | 'method' | 'flags' | 'crc' | 'bytes' | 'packedBytes'>>
  /** Where the directory says that it begins, counted from where it does. */
  readonly shift?: number
  /** Bytes before it that belong to nothing. */
  readonly gap?: Buffer
  /** It stands in the directory alone. */
  readonly isGhost?: boolean
}

/** What the end of a zip says otherwise. */
export interface RawEnd {
  readonly count?: number
  readonly directoryShift?: number
  readonly comment?: Buffer
  readonly behind?: Buffer
}

const UNIX_MADE = 3 << 8
const DEFLATED = 8

const header = (entry: Required<Pick<RawEntry, 'name' | 'method' | 'flags' | 'crc' | 'bytes' | 'packedBytes'>>) => {
  const name = Buffer.from(entry.name, 'latin1')
  const fields = Buffer.alloc(22)
  fields.writeUInt16LE(entry.flags, 0)
  fields.writeUInt16LE(entry.method, 2)
  fields.writeUInt32LE(entry.crc, 8)
  fields.writeUInt32LE(entry.packedBytes, 12)
  fields.writeUInt32LE(entry.bytes, 16)
  fields.writeUInt16LE(name.length, 20)
  return { name, fields }
}

/** The bytes of a zip with these entries. */
export const rawZip = (entries: readonly RawEntry[], end: RawEnd = {}): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    at += bytes.length
  }
  for (const entry of entries) {
    const { content = Buffer.alloc(0), method = DEFLATED, flags = 0, madeBy = UNIX_MADE, mode = 0o100644 } = entry
    const packed = entry.packed ?? (method === DEFLATED ? deflateRawSync(content) : content)
    const whole = {
      name: entry.name,
      method,
      flags,
      crc: entry.crc ?? crc32(content),
      bytes: entry.bytes ?? content.length,
      packedBytes: entry.packedBytes ?? packed.length,
    }
    if (entry.gap) add(entry.gap)
    const offset = at + (entry.shift ?? 0)
    if (!entry.isGhost) {
      const own = header({ ...whole, ...entry.local })
      add(Buffer.concat([Buffer.from('PK\x03\x04\x14\x00', 'latin1'), own.fields, Buffer.alloc(2), own.name, packed]))
    }
    const { name, fields } = header(whole)
    const { extra = Buffer.alloc(0) } = entry
    const head = Buffer.from('PK\x01\x02\x00\x00\x14\x00', 'latin1')
    head.writeUInt16LE(madeBy | 20, 4)
    const tail = Buffer.alloc(16)
    tail.writeUInt16LE(extra.length, 0)
    tail.writeUInt32LE((mode * 0x10000) >>> 0, 8)
    tail.writeUInt32LE(offset >>> 0, 12)
    directory.push(Buffer.concat([head, fields, tail, name, extra]))
  }
  const bytes = Buffer.concat(directory)
  const { comment = Buffer.alloc(0), count = entries.length } = end
  const last = Buffer.alloc(22)
  last.write('PK\x05\x06', 'latin1')
  last.writeUInt16LE(count & 0xffff, 8)
  last.writeUInt16LE(count & 0xffff, 10)
  last.writeUInt32LE(bytes.length, 12)
  last.writeUInt32LE(at + (end.directoryShift ?? 0), 16)
  last.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, bytes, last, comment, end.behind ?? Buffer.alloc(0)])
}
