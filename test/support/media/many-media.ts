// A data directory with thousands of pictures, as a service leaves it.
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as Effect from 'effect/Effect'
import { type MediaItem, mediaExample } from '../../../machines/media/item.ts'
import { rowOf } from '../../../native/documents/media-rows.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'

/** What one of them is, beside that it was stored a millisecond after the one before. */
export interface ManyMediaItem {
  readonly item: Partial<MediaItem> & Pick<MediaItem, 'name'>
  /** Its file. The same bytes again cost no more than a name. */
  readonly bytes: Uint8Array
}

/**
 * Stores so many of them. No service runs on the directory meanwhile. The first is stored as a service does it, and the
 * others in one transaction: each for itself waits for the disk.
 */
export const storeManyMedia = async (
  dataDir: string,
  count: number,
  make: (n: number) => ManyMediaItem,
): Promise<void> => {
  const folder = join(dataDir, 'media')
  mkdirSync(folder, { recursive: true })
  const written = new Map<Uint8Array, string>()
  const put = (n: number): MediaItem => {
    const { item, bytes } = make(n)
    const file = join(folder, item.name)
    const same = written.get(bytes)
    if (same === undefined) writeFileSync(file, bytes)
    else linkSync(same, file)
    written.set(bytes, file)
    return {
      ...mediaExample,
      side_cars: { label: null, imu: null, results: null },
      created_at_ms: mediaExample.created_at_ms + n,
      size_bytes: bytes.length,
      ...item,
    }
  }
  const storeFirst = Effect.flatMap(sqliteDocuments({ dataDir }).open, ({ media }) => media.put(put(0)))
  await Effect.runPromise(Effect.scoped(storeFirst))
  using database = new DatabaseSync(join(dataDir, 'vedette.db'))
  const columns = ['name', 'is_ready', 'beside', 'kind', 'stream_id', 'size_bytes', 'is_automatic', 'item']
  const values = columns.map((name) => `$${name}`)
  const insert = database.prepare(`INSERT INTO media (${columns.join(', ')}) VALUES (${values.join(', ')})`)
  database.exec('BEGIN')
  for (let n = 1; n < count; n += 1) insert.run({ ...rowOf(put(n)) })
  database.exec('COMMIT')
}
