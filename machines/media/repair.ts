// The repair at a start: the steps after which the index of items and the files in their folder fit again.

import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import { type MediaItem, SIDE_CARS, type SideCar } from './item.ts'
import { isMediaName } from './name.ts'

/** What is known. */
export interface KnownMedia {
  readonly name: string
  /** Its removal was begun. */
  readonly isLeaving: boolean
  readonly isReadable: boolean
  /** Which side-cars it has. */
  readonly beside: readonly SideCar[]
  /** The item, when it was not whole. */
  readonly writing: MediaItem | undefined
}

/** What lies in the folder: names of files. */
export interface FoundFiles {
  readonly items: readonly string[]
  /** `<name>.<part>`. */
  readonly side: readonly { readonly file: string; readonly name: string; readonly part: SideCar | null }[]
  /** What was being written. */
  readonly coming: readonly string[]
}

/** One step of the repair. */
export type RepairStep =
  /** Its removal was begun, or nothing is left of it. */
  | { readonly type: 'remove'; readonly name: string }
  /** It was whole when the power went: its files are put in their places. */
  | { readonly type: 'place'; readonly name: string }
  /** What is whole of a recording is kept. */
  | { readonly type: 'salvage'; readonly item: MediaItem }
  /** A file that nobody knows is looked at, and becomes an item when it is media. */
  | { readonly type: 'adopt'; readonly name: string }
  /** What lies beside it is not what is known of it. */
  | { readonly type: 'look-beside'; readonly name: string }
  /** Left over from an upload. */
  | { readonly type: 'discard'; readonly file: string }
  | { readonly type: 'report'; readonly fault: Fault }

/** What is written beside a recording while that is written. */
const WRITTEN_BESIDE = ['.results', '.imu'] as const

/** The steps, in order. */
export const planRepair = (known: readonly KnownMedia[], files: FoundFiles): readonly RepairStep[] => {
  const items = new Set(files.items)
  const coming = new Set(files.coming)
  const names = new Set(known.map(({ name }) => name))
  const beside = Map.groupBy(files.side, ({ name }) => name)
  const salvaged = new Set<string>()

  const ofRow = ({ name, isLeaving, isReadable, beside: known, writing: item }: KnownMedia): readonly RepairStep[] => {
    if (isLeaving) return [{ type: 'remove', name }]
    if (!isReadable) return [{ type: 'remove', name }, report(lost(name, 'what was known of it could not be read'))]
    if (item) {
      const isKept = item.kind === 'recording' && item.origin !== 'upload' && coming.has(name)
      if (isKept) salvaged.add(name)
      return isKept ? [{ type: 'salvage', item }] : [{ type: 'remove', name }, report(unfinished(item))]
    }
    if (coming.has(name)) {
      salvaged.add(name)
      return [{ type: 'place', name }]
    }
    if (!items.has(name)) return [{ type: 'remove', name }, report(lost(name, 'its file is not there any more'))]
    const there = (beside.get(name) ?? []).flatMap(({ part }) => part ?? [])
    const isOdd = SIDE_CARS.some((part) => known.includes(part) !== there.includes(part))
    return isOdd ? [{ type: 'look-beside', name }] : []
  }

  const rows = known.flatMap(ofRow)
  const ofFile = (name: string): readonly RepairStep[] => {
    if (names.has(name)) return []
    return isMediaName(name)
      ? [{ type: 'adopt', name }]
      : [report(toStrayFault(name, 'its name cannot be that of an item'))]
  }
  const isNeeded = (file: string): boolean =>
    salvaged.has(file) || WRITTEN_BESIDE.some((end) => file.endsWith(end) && salvaged.has(file.slice(0, -end.length)))
  return [
    ...rows,
    ...files.items.flatMap(ofFile),
    ...files.side
      .filter(({ name, part }) => !part || (!names.has(name) && !items.has(name)))
      .map(({ file }) => report(toStrayFault(file, 'it lies beside nothing'))),
    ...files.coming.filter((file) => !isNeeded(file)).map((file): RepairStep => ({ type: 'discard', file })),
  ]
}

const report = (fault: Fault): RepairStep => ({ type: 'report', fault })

const about = (name: string): string => `media/${name}`

const lost = (name: string, why: string): Fault => ({
  code: 'media.lost',
  detail: `the media item ${name} was taken from the list: ${why}`,
  resource: about(name),
})

const unfinished = ({ name, origin }: MediaItem): Fault => ({
  code: 'media.interrupted',
  detail: oneLine`
    the service or the device stopped while ${name} was being written (${origin}); it was removed, so send or take it
    again
  `,
  resource: about(name),
})

/** Of a recording of which something was kept, or nothing could be. */
export const interruptedRecording = (name: string, isKept: boolean): Fault => ({
  code: 'media.interrupted',
  detail: isKept
    ? `the service or the device stopped while ${name} was being recorded; what is whole of it was kept`
    : oneLine`
      the service or the device stopped while ${name} was being recorded, before anything of it was whole; it was
      removed
    `,
  resource: about(name),
})

export const toFoundFileFault = (name: string): Fault => ({
  code: 'media.found',
  detail: `the file ${name} lay among the media and was not known; it is listed now`,
  resource: about(name),
})

/** A file that is left where it is. */
export const toStrayFault = (file: string, why: string): Fault => ({
  code: 'media.stray',
  detail: `the file ${file} lies among the media and is no item: ${why}; it was left there, and can be moved away`,
  resource: 'media',
})
