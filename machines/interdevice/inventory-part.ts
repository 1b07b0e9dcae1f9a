// A part of what a device has: which one an event is about, and how it takes the place of the one that was known.
import type { TSchema } from 'typebox'
import { Inventory } from './inventory.ts'
import { queryPart } from './path-part.ts'

/** A stream with its pipeline, what that says of places, and its camera; or a camera that no stream has. */
export interface InventoryPart {
  readonly type: 'stream' | 'camera'
  readonly id: string
}

/** An event, as far as it says what it is about. */
interface Referring {
  readonly kind: string
  readonly resource_ref: Readonly<Record<string, unknown>>
}

/** What stands in no inventory. */
const ELSEWHERE: ReadonlySet<string> = new Set(['control_changed', 'peer_health'])

/** Which part may be another after an event; undefined: none. */
export const partOf = ({ kind, resource_ref }: Referring): InventoryPart | undefined => {
  const { stream_id, camera_uid } = resource_ref
  if (ELSEWHERE.has(kind) || Object.hasOwn(resource_ref, 'peer_id')) return undefined
  if (isId(stream_id)) return { type: 'stream', id: stream_id }
  return isId(camera_uid) ? { type: 'camera', id: camera_uid } : undefined
}

const MAX_ID_LENGTH = 64

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH

/** By which query it is asked for. */
export const queryOf = ({ type, id }: InventoryPart): string =>
  `${type === 'stream' ? 'stream_id' : 'camera_uid'}=${queryPart(id)}`

/** A whole with a part of it exchanged. left: cameras that the stream had, of which nothing was said. */
export interface Exchanged {
  readonly inventory: Inventory
  readonly left: readonly InventoryPart[]
}

/**
 * Puts a part in its place. said: as it was asked for; what it says of others does not count. undefined: the whole
 * would be larger than one may be.
 */
export const exchanged = (known: Inventory, { type, id }: InventoryPart, said: Inventory): Exchanged | undefined => {
  const rig = said.rig.filter(({ stream_id, camera_uid }) => (type === 'stream' ? stream_id : camera_uid) === id)
  const isSaid = (uid: string) => rig.some(({ camera_uid }) => camera_uid === uid)
  if (type === 'camera') {
    const inventory = { ...known, rig: inPlace(known.rig, ({ camera_uid }) => camera_uid === id, rig) }
    return fits(inventory) ? { inventory, left: [] } : undefined
  }
  const isOf = ({ stream_id }: { readonly stream_id: string | null }) => stream_id === id
  const inventory: Inventory = {
    ...known,
    streams: inPlace(known.streams, (stream) => stream.id === id, said.streams),
    pipelines: inPlace(known.pipelines, isOf, said.pipelines),
    localization_outputs: inPlace(known.localization_outputs, isOf, said.localization_outputs),
    rig: inPlace(known.rig, (each) => isOf(each) || isSaid(each.camera_uid), rig),
  }
  if (!fits(inventory)) return undefined
  const lost = known.rig.filter((each) => isOf(each) && !isSaid(each.camera_uid))
  return { inventory, left: lost.map(({ camera_uid }) => ({ type: 'camera', id: camera_uid })) }
}

/** The entries of a part, where they stood before; behind all others if they are new. */
const inPlace = <Entry>(known: Entry[], isOf: (entry: Entry) => boolean, said: Entry[]): Entry[] => {
  const at = known.findIndex(isOf)
  const place = at < 0 ? known.length : at
  const isOther = (entry: Entry) => !isOf(entry)
  return [...known.slice(0, place), ...said.filter(isOf), ...known.slice(place).filter(isOther)]
}

const { streams, pipelines, localization_outputs, rig } = Inventory.properties
const GROUPS = Object.entries({ streams, pipelines, localization_outputs, rig }) as readonly (readonly [
  group: 'streams' | 'pipelines' | 'localization_outputs' | 'rig',
  schema: TSchema & { readonly maxItems?: number },
])[]

const fits = (inventory: Inventory): boolean =>
  GROUPS.every(([group, { maxItems = 0 }]) => inventory[group].length <= maxItems)
