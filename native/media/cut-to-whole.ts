// Cuts a recording that was not written to its end back to what is whole of it, and the results beside it to whole
// lines.
import { open } from 'node:fs/promises'
import { bytesOf, MAX_READ_BYTES } from './content/bytes.ts'
import { openPlain } from './folder.ts'
import { wholeFragments } from './whole-fragments.ts'

/**
 * How many bytes of the recording are left; 0: nothing of it is whole, and nothing was cut. Rejects as the file system
 * does. fewer: so many whole fragments go as well.
 */
export const cutToWhole = async (path: string, sidecarPath: string, fewer = 0): Promise<number> => {
  const bytes = await wholeBytes(path, fewer)
  if (bytes > 0) {
    await cut(path, bytes)
    await cutToLines(sidecarPath)
  }
  return bytes
}

const wholeBytes = async (path: string, fewer: number): Promise<number> => {
  await using file = await openPlain(path)
  return await wholeFragments(bytesOf(file, (await file.stat()).size), fewer)
}

const cut = async (path: string, bytes: number): Promise<void> => {
  await using file = await open(path, 'r+')
  await file.truncate(bytes)
}

/** Cuts a file beside it to whole lines. A line that is longer than what is read at once is none of ours. */
export const cutToLines = async (path: string): Promise<void> => {
  const size = await lengthOf(path)
  if (size === 0) return
  await using file = await openPlain(path)
  const from = Math.max(0, size - MAX_READ_BYTES)
  const end = (await bytesOf(file, size).at(from, size - from)).lastIndexOf('\n') + 1
  if (from + end < size) await cut(path, from + end)
}

const lengthOf = async (path: string): Promise<number> => {
  try {
    await using file = await openPlain(path)
    return (await file.stat()).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
