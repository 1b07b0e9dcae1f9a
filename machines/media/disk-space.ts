// How much may be stored, and which items are deleted to free disk space.

import type { Fault } from '../errors/fault.ts'
import { megabytes } from '../schema/megabytes.ts'
import { oneLine } from '../schema/one-line.ts'
import type { MediaKind } from './media-type.ts'

/** The file system that the media lie on. */
export interface Disk {
  readonly total_bytes: number
  readonly free_bytes: number
}

/** What is stored. automatic: what may be deleted without asking, the oldest first. */
export interface Stock {
  readonly items: number
  readonly bytes: Readonly<Record<MediaKind, number>>
  readonly automatic: readonly { readonly name: string; readonly kind: MediaKind; readonly size_bytes: number }[]
}

const MAX_RESERVED_BYTES = 256 * 1024 * 1024 // settings, logs and a firmware that is being staged
const RESERVED_SHARE = 0.05

/**
 * No kind can push the others out: pictures are small and many, recordings large and few, and of models a team has a
 * handful.
 */
const SHARES: Readonly<Record<MediaKind, number>> = { picture: 0.25, recording: 0.7, model: 0.05 }

/**
 * A match has some hundreds; this is a script that has run for days, and the index would grow beyond what the store may
 * hold.
 */
export const MAX_ITEMS = 20_000

/** What media leave free for everything else on the device. */
export const reserveOf = ({ total_bytes }: Disk): number => Math.min(MAX_RESERVED_BYTES, RESERVED_SHARE * total_bytes)

/** What is to be stored. */
export interface WantedSpace {
  /** null: it is to lie beside an item. */
  readonly kind: MediaKind | null
  /** As far as that is known. */
  readonly bytes: number
  readonly items: number
}

/** Names of the items to delete so that the space suffices, or why it cannot. */
export const freeSpace = (wanted: WantedSpace, disk: Disk, stock: Stock): readonly string[] | Fault => {
  const overQuota = wanted.kind ? stock.bytes[wanted.kind] + wanted.bytes - SHARES[wanted.kind] * disk.total_bytes : 0
  const overReserve = wanted.bytes + reserveOf(disk) - disk.free_bytes
  const names: string[] = []
  const freed = { ofKind: 0, all: 0, items: 0 }
  const isEnough = () => freed.ofKind >= overQuota && freed.all >= overReserve
  const isFew = () => stock.items - freed.items + wanted.items <= MAX_ITEMS
  for (const { name, kind, size_bytes } of stock.automatic) {
    if (isEnough() && isFew()) break
    const helps = freed.all < overReserve || !isFew() || kind === wanted.kind
    if (!helps) continue
    names.push(name)
    freed.all += size_bytes
    freed.items += 1
    if (kind === wanted.kind) freed.ofKind += size_bytes
  }
  if (!isFew()) return full(`${stock.items} media items are stored, and ${MAX_ITEMS} is all there may be`)
  if (isEnough()) return names
  const free = megabytes(Math.max(0, disk.free_bytes - reserveOf(disk)))
  return wanted.kind && freed.ofKind < overQuota
    ? full(
        oneLine`
          ${wanted.kind}s take ${megabytes(stock.bytes[wanted.kind])} of the
          ${megabytes(SHARES[wanted.kind] * disk.total_bytes)} that they may take, and this would be more
        `,
      )
    : full(`${free} are left for media, and this needs ${megabytes(wanted.bytes)}`)
}

const full = (what: string): Fault => ({
  code: 'storage.full',
  detail: `there is no room for it: ${what}; delete some media items (DELETE /v1/media/{name}), or free some space`,
  resource: 'media',
})
