// From media items to their rows in the database (sqlite-media.ts) and back.
import { besideOf, type MediaItem, type SideCar } from '../../machines/media/item.ts'
import type { KnownMedia } from '../../machines/media/repair.ts'
import type { FoundRow, MediaRow, StartRow } from './sqlite-media.ts'

/** The row of an item. */
export const rowOf = (item: MediaItem): MediaRow => ({
  name: item.name,
  kind: item.kind,
  stream_id: item.stream_id,
  size_bytes: item.size_bytes,
  is_ready: item.state === 'ready' ? 1 : 0,
  beside: besideOf(item).join(' '),
  is_automatic: item.automatic ? 1 : 0,
  item: JSON.stringify(item),
})

/** The item in a row; undefined: it is not what this program wrote. */
export const itemIn = (row: FoundRow | undefined): MediaItem | undefined => {
  try {
    const item = JSON.parse(String(row?.item)) as MediaItem
    return typeof item.name === 'string' && (row?.name === undefined || row.name === item.name) ? item : undefined
  } catch {
    return undefined
  }
}

/** What a start needs to know of an item. */
export const knownIn = ({ is_leaving, is_ready, is_json, beside, ...row }: StartRow): KnownMedia => ({
  name: String(row.name),
  isLeaving: is_leaving === 1,
  isReadable: is_json === 1,
  beside: String(beside).split(' ').filter(Boolean) as SideCar[],
  writing: is_ready === 1 ? undefined : itemIn(row),
})
