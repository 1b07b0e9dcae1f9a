// Tells those who listen here what a peer tells, with the id that it has here.
import type { EventKind, Fact, FactOf } from '../../machines/events/kind.ts'
import { RETOLD } from '../../machines/events/retold.ts'
import type { HeardEvent } from '../../machines/peers/heard.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import type { EventBus } from '../events/event-bus.ts'

/** Tells an event of a peer again. False: it is of no kind that is told again, is of a peer of the peer, is longer than any of ours, or does not fit its kind. */
export type Retell = (peer_id: string, event: HeardEvent) => boolean

/** kinds: all that there are here. */
export const retelling = (events: Pick<EventBus, 'publish'>, kinds: readonly EventKind[]): Retell => {
  const known = new Map(kinds.filter(({ kind }) => RETOLD.has(kind)).map((each) => [each.kind, each]))
  return (peer_id, { kind: name, resource_ref, revision, data }) => {
    const kind = known.get(name)
    if (!kind || 'peer_id' in resource_ref || isLong(data) || !fits(kind, { resource_ref, data }, revision))
      return false
    const fact: Fact = {
      resource_ref: { ...resource_ref, peer_id },
      ...(kind.revised && revision !== null && { revision }),
      ...(kind.data && { data }),
    }
    events.publish(kind, fact as FactOf<EventKind>)
    return true
  }
}

const LONGEST_DATA = 8_192

/** It would be kept and sent to everybody. */
const isLong = (data: unknown): boolean => data !== undefined && JSON.stringify(data).length > LONGEST_DATA

const fits = (kind: EventKind, { resource_ref, data }: Fact, revision: number | null): boolean =>
  schemaErrors(kind.reference, resource_ref).length === 0 &&
  (kind.data === null || schemaErrors(kind.data, data).length === 0) &&
  (revision !== null || !kind.revised)
