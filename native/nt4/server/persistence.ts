// Persistent topics on disk: read when the server starts, written soon after a change, never half.
import { open, readFile, rename } from 'node:fs/promises'
import type { Fault } from '../../../machines/fault.ts'
import { decodeFrame, WIRE, type WireType, wireTypeOf } from '../codec.ts'
import type { JsonMap } from '../control.ts'
import type { Nt4Report, Nt4Value } from '../port.ts'
import type { ServerTopic } from './topics.ts'

const SOON_MS = 1_000

/** A topic as it stands in the file. value: JSON; bytes as base64, integers beyond 2^53 and numbers that JSON lacks as strings. */
export interface PersistentTopic {
  readonly name: string
  readonly type: string
  readonly value: unknown
  readonly properties: JsonMap
}

/** A topic of the file with its value as it was published. */
export type RestorableTopic = PersistentTopic & { readonly value: Nt4Value }

/** The topics worth keeping, as the file and `GET /nt/persistent.json` show them. */
export const persistentTopics = (topics: Iterable<ServerTopic>): PersistentTopic[] =>
  [...topics].flatMap(({ name, type, wireType, properties, kept }) => {
    const message = kept && decodeFrame(kept.bytes).messages[0]
    return properties.persistent === true && message
      ? [{ name, type, value: toJson(wireType, message.value), properties }]
      : []
  })

/** Reads the file; a missing one is empty, a broken one is set aside under another name and reported. */
export const readPersistent = async (file: string, report: Nt4Report): Promise<readonly RestorableTopic[]> => {
  try {
    const entries: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!Array.isArray(entries)) throw new Error('it is not a list')
    return entries
      .filter(isPersistentTopic)
      .map((entry) => ({ ...entry, value: fromJson(wireTypeOf(entry.type), entry.value) }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    const aside = `${file}.broken`
    await rename(file, aside).catch(() => {})
    report({
      code: 'nt4.persistent_broken',
      detail: `the persistent topics in ${file} cannot be read (${(error as Error).message}); the file was moved to ${aside}`,
    })
    return []
  }
}

/** Writes the file after changes, at most once a second, each time to a new file that then takes the old one's name. */
export class PersistentFile {
  readonly #file: string
  readonly #topics: () => Iterable<ServerTopic>
  readonly #report: Nt4Report
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string, topics: () => Iterable<ServerTopic>, report: Nt4Report) {
    this.#file = file
    this.#topics = topics
    this.#report = report
  }

  changed(): void {
    this.#timer ??= setTimeout(() => this.#write(), SOON_MS).unref()
  }

  /** Writes what is still unwritten. */
  async close(): Promise<void> {
    if (this.#timer) this.#write()
    await this.#writing
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = `${JSON.stringify(persistentTopics(this.#topics()), null, 2)}\n`
    this.#writing = this.#writing
      .then(() => replaceFile(this.#file, text))
      .catch((error) => this.#report(unsaved(this.#file, error)))
  }
}

const replaceFile = async (file: string, text: string): Promise<void> => {
  const next = `${file}.next`
  const handle = await open(next, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(next, file)
}

const unsaved = (file: string, error: Error): Fault => ({
  code: 'nt4.persistent_unsaved',
  detail: `the persistent topics could not be written to ${file} (${error.message}); they will not survive a restart`,
})

const isPersistentTopic = (entry: unknown): entry is PersistentTopic => {
  const { name, type, properties } = (entry ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof type === 'string' && typeof properties === 'object' && properties !== null
}

const toJson = (wireType: WireType, value: Nt4Value): unknown => {
  if (wireType === WIRE.bytes) return Buffer.from(value as Uint8Array).toString('base64')
  return Array.isArray(value) ? value.map(scalarToJson) : scalarToJson(value)
}

const scalarToJson = (value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value

const fromJson = (wireType: WireType, value: unknown): Nt4Value => {
  if (wireType === WIRE.bytes) return Buffer.from(String(value), 'base64')
  return (
    Array.isArray(value) ? value.map((element) => scalarFromJson(wireType, element)) : scalarFromJson(wireType, value)
  ) as Nt4Value
}

const INTEGERS: readonly WireType[] = [WIRE.int, WIRE.ints]
const NUMBERS: readonly WireType[] = [WIRE.double, WIRE.float, WIRE.doubles, WIRE.floats]

const scalarFromJson = (wireType: WireType, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (INTEGERS.includes(wireType)) return BigInt(value)
  return NUMBERS.includes(wireType) ? Number(value) : value
}
