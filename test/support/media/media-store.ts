// The store of media on a real folder and a real index, and what a power cut leaves of them.
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import type { Documents } from '../../../native/documents/port.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { MediaFolder } from '../../../native/media/folder.ts'
import { FileMedia, type MediaStoreParts } from '../../../native/media/store.ts'

/** A store that is open. */
export interface OpenStore {
  readonly store: FileMedia
  /** What it keeps its index in. */
  readonly documents: Documents
  readonly clock: FakeClock
  /** What its start reported. */
  readonly mended: readonly Fault[]
  readonly close: () => Promise<void>
}

/** Opens the store of a data directory, as a start of the service does. */
export const openStore = async (
  t: TestContext,
  dataDir: string,
  parts: Partial<MediaStoreParts> = {},
): Promise<OpenStore> => {
  const opened = await unreadyStore(t, dataDir, parts)
  return { ...opened, mended: good(await opened.store.reconcile()) }
}

/** The same before its files and its index were looked through. */
export const unreadyStore = async (
  t: TestContext,
  dataDir: string,
  parts: Partial<MediaStoreParts> = {},
): Promise<Omit<OpenStore, 'mended'>> => {
  const scope = Effect.runSync(Scope.make())
  const documents = await Effect.runPromise(Scope.provide(sqliteDocuments({ dataDir }).open, scope))
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  t.after(close)
  const clock = new FakeClock()
  const folder = new MediaFolder(join(dataDir, 'media'))
  const store = new FileMedia({ clock, rows: () => documents.media, folder, ...parts })
  return { store, documents, clock, close }
}

/** What is no fault; fails for one. */
export const good = <Value>(value: Value | Fault): Value => {
  if (isFault(value)) throw new Error(`${value.code}: ${value.detail}`)
  return value
}
