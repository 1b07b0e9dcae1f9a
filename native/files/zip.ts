// Writes a zip: the same bytes of the same files, whoever does it, and whenever.
import { ZipFile } from 'yazl'

/** A file in it. */
export interface ZipEntry {
  /** With slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether it is a program. */
  readonly mayRun?: boolean
}

const MODE = 0o100644
const PROGRAM_MODE = 0o100755
/** Zips cannot have an earlier one. */
const ANY_TIME = new Date(Date.UTC(1980, 0, 1))

/** The archive of these files, in their order. */
export const zipOf = async (entries: readonly ZipEntry[]): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const { path, bytes, mayRun = false } of entries)
    zip.addBuffer(Buffer.from(bytes), path, {
      mtime: ANY_TIME,
      forceDosTimestamp: true, // the other one is of a time zone
      mode: mayRun ? PROGRAM_MODE : MODE,
    })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
