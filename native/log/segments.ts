// The files of a log that is kept in bounded files: `<number of its first line>.log`, one JSON document a line. A line
// that a power cut has torn, or that is none, is passed over.
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A line as it stands in a file. */
export interface KeptLine {
  /** Its number: each line has a higher one than those before it. */
  readonly seq: number
  readonly boot: number
  readonly monotonic_us: number
  readonly at_ms: number
  readonly level: string
  readonly part: string
  readonly message: string
  readonly facts?: Readonly<Record<string, unknown>>
}

const NAME = /^(\d{12})\.log$/
const TAIL_BYTES = 131_072 // several of the longest lines
const NEWLINE = 10

export const segmentName = (first: number): string => `${String(first).padStart(12, '0')}.log`

/** The numbers of the first lines of all files of a folder, in order. Throws the error of the file system. */
export const segmentsIn = (folder: string): readonly number[] =>
  readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)

const FOLDER = { recursive: true, mode: 0o700 } as const

/** At the start. Throws the error of the file system. */
export const makeLogFolder = (folder: string): void => {
  mkdirSync(folder, FOLDER)
}

/** Makes it again where somebody has removed it. */
export const keepLogFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, FOLDER)
}

export const removeSegment = (folder: string, first: number): Promise<void> =>
  rm(join(folder, segmentName(first)), { force: true })

/** What a file ends with, after what is torn at its end was cut off. */
export interface MendedEnd {
  readonly sizeBytes: number
  /** undefined: there is none in its last part. */
  readonly last: KeptLine | undefined
}

/** Cuts off what a power cut has left behind the last whole line. Throws the error of the file system. */
export const mendEnd = (folder: string, first: number): MendedEnd => {
  const file = openSync(join(folder, segmentName(first)), 'r+')
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - TAIL_BYTES)
    const tail = Buffer.alloc(size - from)
    const read = readSync(file, tail, 0, tail.length, from)
    const end = tail.subarray(0, read).lastIndexOf(NEWLINE) + 1
    const whole = end > 0 ? from + end : from === 0 ? 0 : size
    if (whole < size) ftruncateSync(file, whole)
    const last = linesIn(tail.subarray(0, end)).at(-1)
    return { sizeBytes: whole, last }
  } finally {
    closeSync(file)
  }
}

/** The lines of a file, in order; none when it is gone. */
export const readSegment = async (folder: string, first: number): Promise<readonly KeptLine[]> => {
  try {
    return linesIn(await readFile(join(folder, segmentName(first))))
  } catch {
    return []
  }
}

const linesIn = (bytes: Buffer): readonly KeptLine[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .flatMap((text) => lineIn(text) ?? [])

const lineIn = (text: string): KeptLine | undefined => {
  if (!text.startsWith('{')) return undefined
  try {
    const line = JSON.parse(text) as KeptLine
    const numbers = [line.seq, line.boot, line.monotonic_us, line.at_ms]
    const isWhole = numbers.every(Number.isSafeInteger) && typeof line.message === 'string'
    return isWhole && typeof line.level === 'string' && typeof line.part === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
