// Persistent topics on disk: read when the server starts, written soon after a change, never half.
import { readFile, stat } from 'node:fs/promises'
import type { Fault } from '../../../machines/errors/fault.ts'
import { writeFileWhole, writeFileWholeSoon } from '../../files/atomic.ts'
import { copyAside, setAside } from '../../files/set-aside.ts'
import { decodeFrame } from '../codec.ts'
import type { Nt4Report } from '../port.ts'
import { type PersistentTopic, type RestorableTopic, readEntry, toJson } from './persistent-entries.ts'
import type { ServerTopic } from './topics.ts'

const SOON_MS = 1_000
const RETRY_MS = 5_000 // a full disk is made free by people

/** The topics worth keeping, as the file and `GET /nt/persistent.json` show them. */
export const persistentTopics = (topics: Iterable<ServerTopic>): PersistentTopic[] =>
  [...topics].flatMap(({ name, type, wireType, properties, kept }) => {
    const message = kept && decodeFrame(kept.bytes).messages[0]
    return properties.persistent === true && message
      ? [{ name, type, value: toJson(wireType, message.value), properties }]
      : []
  })

/**
 * Reads the file. A missing one is empty, a broken one is set aside under another name and reported. An entry that
 * makes no sense is left out alone: a copy of the file as it was is kept and reported, and the file itself written
 * again without.
 */
export const readPersistent = async (file: string, report: Nt4Report): Promise<readonly RestorableTopic[]> => {
  const sorted = await readEntries(file).catch((error: Error) => error)
  if (sorted instanceof Error) {
    report(broken(`the persistent topics in ${file} cannot be read (${sorted.message})`, () => setAside(file)))
    return []
  }
  const { entries, topics, left } = sorted
  if (left.length === 0) return topics
  const what = left.slice(0, MAX_NAMED).join(', ') + (left.length > MAX_NAMED ? ', ...' : '')
  report(
    broken(`${left.length} of the persistent topics in ${file} were left out: ${what}`, () => {
      const aside = copyAside(file)
      writeFileWhole(file, fileText(entries))
      return aside
    }),
  )
  return topics
}

const MAX_NAMED = 5
const MAX_NAME_LENGTH = 60

/** topics: those that make sense. entries: the same as they stand in the file. left: what was left out, and why. */
const readEntries = async (file: string) => {
  const { isFile } = await stat(file).then(
    (found) => ({ isFile: found.isFile() }),
    () => ({ isFile: true }), // the reading says why
  )
  if (!isFile) throw new Error('it is not a file')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const listed: unknown = JSON.parse(text)
  if (!Array.isArray(listed)) throw new Error('it is not a list')
  const read = listed.map((entry: PersistentTopic) => ({ entry, topic: readEntry(entry) }))
  const sound = read.flatMap(({ entry, topic }) => ('reason' in topic ? [] : [{ entry, topic }]))
  return {
    entries: sound.map(({ entry }) => entry),
    topics: sound.map(({ topic }) => topic),
    left: read.flatMap(({ entry, topic }) => ('reason' in topic ? [`${nameOf(entry)} ${topic.reason}`] : [])),
  }
}

const nameOf = (entry: unknown): string => {
  const { name } = (entry ?? {}) as { name?: unknown }
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_LENGTH) : 'one'
}

/** Puts the file aside and says what was wrong and where it is now. */
const broken = (what: string, putAside: () => string): Fault => {
  const where = () => {
    try {
      return `the file as it was is ${putAside()}`
    } catch (error) {
      return `the file as it was could not be kept (${(error as Error).message})`
    }
  }
  return { code: 'nt4.persistent_broken', detail: `${what}; ${where()}` }
}

/**
 * Writes the file after changes, at most once a second, each time to a new file that then takes the old one's name.
 * What could not be written is told once and tried again until it could.
 */
export class PersistentFile {
  readonly #file: string
  readonly #topics: () => Iterable<ServerTopic>
  readonly #report: Nt4Report
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isTold = false
  #isClosed = false

  constructor(file: string, topics: () => Iterable<ServerTopic>, report: Nt4Report) {
    this.#file = file
    this.#topics = topics
    this.#report = report
  }

  changed(): void {
    this.#writeIn(SOON_MS)
  }

  /** Writes what is still unwritten. */
  async close(): Promise<void> {
    await this.#writing
    this.#isClosed = true
    if (this.#timer) this.#write()
    await this.#writing
  }

  #writeIn(ms: number): void {
    this.#timer ??= setTimeout(() => this.#write(), ms).unref()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = fileText(persistentTopics(this.#topics()))
    this.#writing = this.#writing.then(() => this.#put(text))
  }

  async #put(text: string): Promise<void> {
    try {
      await writeFileWholeSoon(this.#file, text)
      this.#isTold = false
    } catch (error) {
      if (!this.#isTold) this.#report(unsaved(this.#file, error as Error))
      this.#isTold = true
      if (!this.#isClosed) this.#writeIn(RETRY_MS)
    }
  }
}

const fileText = (topics: readonly PersistentTopic[]): string => `${JSON.stringify(topics, null, 2)}\n`

const unsaved = (file: string, error: Error): Fault => ({
  code: 'nt4.persistent_unsaved',
  detail: `the persistent topics could not be written to ${file} (${error.message}); they will not survive a restart`,
})
