// What was changed of late, here or on another device, by whomever: kept from the feed since the page was opened.
import { createStore } from '@xstate/store'
import { type FeedEvent, onEvent } from '../api/feed.ts'

/** A change. */
export interface Change {
  readonly key: number
  readonly kind: string
  /** When, by the clock of the device. */
  readonly atMs: number
  readonly revision: number | null
  readonly ref: Readonly<Record<string, string>>
  readonly data: unknown
}

const MAX_CHANGES = 8
const KINDS = new Set([
  'stream_changed',
  'pipeline_changed',
  'pose_changed',
  'control_changed',
  'media_changed',
  'graph_changed',
  'rig_changed',
  'nt4_changed',
  'hostname_changed',
  'peer_changed',
  'trust_changed',
  'field_maps_changed',
])

/** The newest first. */
export const changes = createStore({
  context: { items: [] as readonly Change[] },
  on: { added: ({ items }, { change }: { change: Change }) => ({ items: withChange(items, change) }) },
})

/** What is told about the same thing again replaces what was told: one change has several events. */
const withChange = (items: readonly Change[], change: Change): readonly Change[] =>
  [change, ...items.filter((item) => !isSameChange(item, change))].slice(0, MAX_CHANGES)

const isSameChange = (one: Change, other: Change): boolean =>
  one.ref.peer_id === other.ref.peer_id &&
  (one.revision === null
    ? one.kind === other.kind && JSON.stringify(one.ref) === JSON.stringify(other.ref)
    : one.revision === other.revision && one.ref.stream_id !== undefined && one.ref.stream_id === other.ref.stream_id)

let lastKey = 0

const hear = ({ kind, timestamp_ms, revision, resource_ref, data }: FeedEvent): void => {
  if (!KINDS.has(kind)) return
  lastKey += 1
  changes.trigger.added({ change: { key: lastKey, kind, atMs: timestamp_ms, revision, ref: resource_ref, data } })
}

onEvent(hear)
