// The orders about a stored item.
import type { Fault } from '../errors/fault.ts'
import type { RequestMark } from '../requests/request.ts'
import { type Expected, staleFault } from '../settings/commit.ts'
import { mergePatch } from '../settings/merge-patch.ts'
import { type Attachable, MAX_METADATA_CHARACTERS, type MediaItem, type SideCar } from './item.ts'

/**
 * A change of an item. request: of the client that ordered it. path: where the file lies that is to lie beside the item
 * from now on.
 */
export type MediaChange = Expected & { readonly name: string; readonly request?: RequestMark } & (
    | { readonly type: 'media.remove' }
    | { readonly type: 'media.describe'; readonly metadata?: unknown; readonly automatic?: boolean }
    | {
        readonly type: 'media.attach'
        readonly part: Attachable
        readonly path: string
        readonly media_type: string
        readonly size_bytes: number
      }
    | { readonly type: 'media.detach'; readonly part: Attachable }
    /** The clock was set: it was made so much later. */
    | { readonly type: 'media.clock-set'; readonly by_ms: number; readonly wasCaptured: boolean }
  )

/**
 * The item as it is after a change (null: gone), or why it cannot be changed so. isLeft: it is not whole, and nobody
 * writes it any more; then it can be removed.
 */
export const changedItem = (item: MediaItem, change: MediaChange, isLeft = false): MediaItem | null | Fault => {
  const stale = staleFault(`media/${item.name}`, item.revision, change)
  if (stale) return stale
  if (item.state === 'writing' && !(isLeft && change.type === 'media.remove')) return notReady(item.name)
  const revision = item.revision + 1
  const beside = (facts: MediaItem['side_cars']['imu'], part: SideCar): MediaItem => ({
    ...item,
    revision,
    side_cars: { ...item.side_cars, [part]: facts },
  })
  switch (change.type) {
    case 'media.remove':
      return null
    case 'media.describe':
      return described(item, revision, change)
    case 'media.attach':
      return beside({ media_type: change.media_type, size_bytes: change.size_bytes }, change.part)
    case 'media.detach':
      return item.side_cars[change.part] ? beside(null, change.part) : noSideCar(item.name, change.part)
    case 'media.clock-set':
      return { ...madeLater(item, change), revision }
  }
}

/** The item with its times as the clock says them by now. wasCaptured: that was under the same clock. */
export const madeLater = (
  item: MediaItem,
  { by_ms, wasCaptured }: { readonly by_ms: number; readonly wasCaptured: boolean },
): MediaItem => {
  const { created_at_ms, captured_at_ms } = item
  const later = (at_ms: number) => Math.max(0, at_ms + by_ms)
  return {
    ...item,
    created_at_ms: later(created_at_ms),
    captured_at_ms: captured_at_ms !== null && wasCaptured ? later(captured_at_ms) : captured_at_ms,
  }
}

const described = (
  item: MediaItem,
  revision: number,
  { metadata: patch = {}, automatic = item.automatic }: { readonly metadata?: unknown; readonly automatic?: boolean },
): MediaItem | Fault => {
  const metadata = mergePatch(item.metadata, patch) as MediaItem['metadata']
  return tooLong(metadata) ?? { ...item, revision, metadata, automatic }
}

/** Why metadata cannot be kept. */
export const tooLong = (metadata: unknown): Fault | undefined => {
  const { length } = JSON.stringify(metadata)
  return length > MAX_METADATA_CHARACTERS
    ? {
        code: 'body.invalid',
        detail: `the metadata would have ${length} characters; an item has ${MAX_METADATA_CHARACTERS} at most`,
        errors: [{ pointer: '/metadata', message: `makes ${length} characters of metadata in all` }],
      }
    : undefined
}

export const notReady = (name: string): Fault => ({
  code: 'media.not_ready',
  detail: `${name} is still being written; wait until it is whole, or stop the recording`,
})

/** What people call what lies beside an item. */
const CALLED: Readonly<Record<SideCar, string>> = {
  label: 'label',
  imu: 'measurements of an IMU',
  results: 'results of a pipeline',
}

export const noSideCar = (name: string, part: SideCar): Fault => ({
  code: 'media.no_side_car',
  detail: `there is no ${CALLED[part]} with ${name}`,
})
