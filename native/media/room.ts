// Room for media: what is stored and what is being written against what may be. What may go without asking makes room
// for more.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { freeSpace as planned, type WantedSpace } from '../../machines/media/disk-space.ts'
import type { Draft } from './draft.ts'
import type { StoreInternals } from './store-internals.ts'

/** The store, as far as room is concerned. */
export interface RoomStore extends Pick<StoreInternals, 'folder' | 'rows' | 'attempt'> {
  /** What is being written. Its row has no size yet. */
  readonly drafts: Iterable<Draft>
  /** Removes an item, unless that must be asked for by now, or something reads it: false. */
  readonly makeWay: (name: string) => Promise<boolean | Fault>
}

/** Makes room for something, or says why there is none. */
export const freeSpace = async (store: RoomStore, wanted: WantedSpace): Promise<Fault | undefined> => {
  const disk = await store.attempt(store.folder.disk())
  if (isFault(disk)) return disk
  const stock = await stockOf(store)
  if (isFault(stock)) return stock
  const plain = planned(wanted, disk, { ...stock, automatic: [] })
  if (!isFault(plain)) return undefined
  const automatic = await store.rows((rows) => rows.automatic)
  if (isFault(automatic)) return automatic
  const staying = new Set<string>()
  for (;;) {
    const names = planned(wanted, disk, { ...stock, automatic: automatic.filter(({ name }) => !staying.has(name)) })
    if (isFault(names)) return names
    const stayed = staying.size
    for (const name of names) {
      const isGone = await store.makeWay(name)
      if (isFault(isGone)) return isGone
      if (!isGone) staying.add(name)
    }
    if (staying.size === stayed) return undefined
  }
}

/**
 * Makes room while something is written. What finds none is to end: what takes more than its kind may, or all when the
 * disk is full.
 */
export const keepSpaceFree = async (store: RoomStore): Promise<Fault | null> => {
  let first: Fault | null = null
  for (const kind of new Set([...store.drafts].map((draft) => draft.kind))) {
    const fault = await freeSpace(store, { kind, bytes: 0, items: 0 })
    if (!fault) continue
    first ??= fault
    for (const draft of store.drafts) if (draft.kind === kind) draft.endForRoom(fault)
  }
  return first
}

const stockOf = async (store: RoomStore) => {
  const sums = await store.rows((rows) => rows.sums)
  if (isFault(sums)) return sums
  const bytes = { ...sums.bytes }
  for (const { name, kind } of [...store.drafts]) {
    const written = await store.attempt(store.folder.comingBytes(name))
    if (isFault(written)) return written
    bytes[kind] += written
  }
  return { items: sums.items, bytes }
}
