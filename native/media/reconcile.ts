// Puts the index and the folder in order at the start of the service.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type MediaItem, RESULTS_MEDIA_TYPE, SIDE_CARS, type SideCar } from '../../machines/media/item.ts'
import { kindOf, typeOfName } from '../../machines/media/media-type.ts'
import {
  type FoundFiles,
  interruptedRecording,
  planRepair,
  type RepairStep,
  toFoundFileFault,
  toStrayFault,
} from '../../machines/media/repair.ts'
import { bytesOf } from './content/bytes.ts'
import { readContentInfo } from './content/content-info.ts'
import { inspect } from './content/inspect.ts'
import { cutToLines, cutToWhole } from './cut-to-whole.ts'
import { finished, newEtag } from './draft.ts'
import { ofSideName, openPlain } from './folder.ts'
import type { StoreInternals } from './store-internals.ts'

/** Answers with what is to be reported. A step that fails is reported, and keeps no other from being taken. */
export const reconcile = async (store: StoreInternals): Promise<readonly Fault[]> => {
  await store.folder.make()
  const known = await store.rows((rows) => rows.load)
  if (isFault(known)) return Promise.reject(known)
  const faults: Fault[] = []
  for (const step of planRepair(known, await found(store))) {
    const fault = await store.attempt(taken(store, step))
    if (fault) faults.push(fault)
  }
  return faults
}

const found = async ({ folder }: StoreInternals): Promise<FoundFiles> => {
  const { items, side, coming } = await folder.list()
  return { items, coming, side: side.map((file) => ({ file, name: file, part: null, ...ofSideName(file) })) }
}

const taken = async (store: StoreInternals, step: RepairStep): Promise<Fault | undefined> => {
  const { folder } = store
  switch (step.type) {
    case 'report':
      return step.fault
    case 'remove':
      return store.remove(step.name)
    case 'discard':
      await folder.discard(folder.coming(step.file))
      return undefined
    case 'place':
      for (const part of ['results', 'imu', 'content'] as const) await folder.place(step.name, part)
      await folder.settleNames()
      return undefined
    case 'salvage':
      return salvage(store, step.item)
    case 'adopt':
      return adopt(store, step.name)
    case 'look-beside':
      return lookBeside(store, step.name)
  }
}

/** Cuts a recording after what is whole of it, and keeps that. */
const salvage = async (store: StoreInternals, item: MediaItem): Promise<Fault | undefined> => {
  const { name } = item
  const path = store.folder.coming(name)
  const bytes = await cutToWhole(path, store.folder.coming(name, 'results'))
  if (bytes === 0) return (await store.remove(name)) ?? interruptedRecording(name, false)
  await cutToLines(store.folder.coming(name, 'imu'))
  const content = await reading(path, inspect)
  const facts = isFault(content) ? {} : { width_px: content.width_px, height_px: content.height_px }
  const done = await finished(store, item, { facts, flaw: 'interrupted' })
  return isFault(done) ? done : interruptedRecording(name, true)
}

/** A file that somebody put there becomes an item, when it is what its name says. */
const adopt = async (store: StoreInternals, name: string): Promise<Fault | undefined> => {
  const path = store.folder.at(name)
  const content = await reading(path, (bytes) => readContentInfo(path, bytes, store.checker)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ELOOP' || error.code === 'ENOENT') return toStrayFault(name, 'it is a link or a device')
      throw error
    },
  )
  if (isFault(content)) return content.code === 'media.stray' ? content : toStrayFault(name, content.detail)
  if (content.media_type !== typeOfName(name))
    return toStrayFault(name, `it is ${content.media_type}, and its name says otherwise`)
  const { facts } = content
  const item: MediaItem = {
    name,
    revision: 1,
    kind: kindOf(content.media_type),
    origin: 'found',
    state: 'ready',
    media_type: content.media_type,
    size_bytes: await reading(path, async ({ size }) => size),
    etag: newEtag(),
    created_at_ms: store.nowMs(),
    captured_at_ms: null,
    stream_id: null,
    width_px: facts.width_px ?? null,
    height_px: facts.height_px ?? null,
    duration_ms: facts.duration_ms ?? null,
    frames: null,
    ...(facts.model && { model: facts.model }),
    flaw: null,
    automatic: false,
    edited_from: null,
    side_cars: { label: null, imu: null, results: null },
    metadata: {},
  }
  return (await store.add(await withSideCars(store, item))) ?? toFoundFileFault(name)
}

const lookBeside = async (store: StoreInternals, name: string): Promise<Fault | undefined> => {
  const item = await store.get(name)
  return isFault(item) ? item : store.keep(await withSideCars(store, item))
}

/** The item with what really lies beside it. */
const withSideCars = async ({ folder }: StoreInternals, item: MediaItem): Promise<MediaItem> => {
  const facts = async (part: SideCar) => {
    try {
      return await reading(folder.at(item.name, part), async (bytes) => ({
        media_type: await mediaTypeOf(part, () => bytes.at(0, 1)),
        size_bytes: bytes.size,
      }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }
  const there = await Promise.all(SIDE_CARS.map(async (part) => [part, await facts(part)] as const))
  const side_cars = Object.fromEntries(there) as unknown as MediaItem['side_cars']
  return { ...item, revision: item.revision + 1, side_cars }
}

const mediaTypeOf = async (part: SideCar, first: () => Promise<Buffer>): Promise<string> => {
  if (part !== 'label') return RESULTS_MEDIA_TYPE
  return '[{'.includes((await first()).toString() || ' ') ? 'application/json' : 'text/plain; charset=utf-8'
}

const reading = async <Value>(
  path: string,
  work: (bytes: ReturnType<typeof bytesOf>) => Promise<Value>,
): Promise<Value> => {
  await using file = await openPlain(path)
  return await work(bytesOf(file, (await file.stat()).size))
}
