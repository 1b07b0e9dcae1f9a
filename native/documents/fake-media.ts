// What is known of the media items, in memory.

import type { Stock } from '../../machines/media/disk-space.ts'
import { besideOf, type MediaItem } from '../../machines/media/item.ts'
import type { MediaPage, MediaQuery } from '../../machines/media/query.ts'
import type { KnownMedia } from '../../machines/media/repair.ts'
import type { MediaSums } from './port.ts'

/** As the table of the database (sqlite-media.ts). */
export class FakeMediaRows {
  readonly #rows = new Map<string, { item: MediaItem; isLeaving: boolean; readonly position: number }>()
  #positions = 0

  find(name: string): MediaItem | undefined {
    const row = this.#rows.get(name)
    return row?.isLeaving ? undefined : row?.item
  }

  knows(name: string): boolean {
    return this.#rows.has(name)
  }

  page(query: MediaQuery): MediaPage {
    const { order, limit, kind, stream_id, created_from_ms = 0, created_before_ms = Infinity, after } = query
    const down = order.startsWith('-') ? -1 : 1
    const inOrderBy = ({ item, position }: { item: MediaItem; position: number }) =>
      order.endsWith('name') ? item.name : order.endsWith('size') ? item.size_bytes : position
    const found = [...this.#rows.values()]
      .filter(
        ({ item, isLeaving }) =>
          !isLeaving &&
          item.kind === (kind ?? item.kind) &&
          item.stream_id === (stream_id ?? item.stream_id) &&
          item.created_at_ms >= created_from_ms &&
          item.created_at_ms < created_before_ms,
      )
      .map((row) => ({ item: row.item, value: inOrderBy(row), position: row.position }))
      .toSorted((a, b) => down * compare(a, b))
      .filter((row) => after === undefined || down * compare(row, after) > 0)
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    return {
      items: shown.map(({ item }) => item),
      next: last && found.length > limit ? { value: last.value, position: last.position } : null,
    }
  }

  put(item: MediaItem): void {
    const known = this.#rows.get(item.name)
    this.#positions += 1
    this.#rows.set(item.name, { isLeaving: false, position: this.#positions, ...known, item })
  }

  change(item: MediaItem): boolean {
    const isThere = this.find(item.name) !== undefined
    if (isThere) this.put(item)
    return isThere
  }

  leave(name: string): void {
    const row = this.#rows.get(name)
    if (row) row.isLeaving = true
  }

  drop(name: string): void {
    this.#rows.delete(name)
  }

  load(): readonly KnownMedia[] {
    return [...this.#rows].map(([name, { item, isLeaving }]) => ({
      name,
      isLeaving,
      isReadable: true,
      beside: besideOf(item),
      writing: item.state === 'ready' ? undefined : item,
    }))
  }

  sums(): MediaSums {
    const items = [...this.#rows.values()].map(({ item }) => item)
    const of = (kind: MediaItem['kind']) =>
      items.filter((item) => item.kind === kind).reduce((total, { size_bytes }) => total + size_bytes, 0)
    return { items: items.length, bytes: { picture: of('picture'), recording: of('recording'), model: of('model') } }
  }

  automatic(): Stock['automatic'] {
    return [...this.#rows.values()]
      .filter(({ item, isLeaving }) => item.automatic && item.state === 'ready' && !isLeaving)
      .map(({ item: { name, kind, size_bytes } }) => ({ name, kind, size_bytes }))
  }
}

interface Place {
  readonly value: string | number
  readonly position: number
}

const compare = (a: Place, b: Place): number => {
  if (a.value === b.value) return a.position - b.position
  return a.value < b.value ? -1 : 1
}
