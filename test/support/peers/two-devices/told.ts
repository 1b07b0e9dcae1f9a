// What a device tells of another one, against what that one has told: nothing twice, nothing out of order, nothing left
// out while it follows.
import assert from 'node:assert/strict'
import type { EventDocument } from '../../../../machines/events/event.ts'
import { RELAYED_EVENTS } from '../../../../machines/events/relayed-events.ts'
import type { Run } from './device.ts'

type Told = Pick<EventDocument, 'kind' | 'resource_ref' | 'revision' | 'data'>

/** Two events that say the same. Those with a revision say it once only. */
const nameOf = ({ kind, resource_ref, revision, data }: Told): string => {
  const { peer_id: _, ...reference } = resource_ref as Record<string, unknown>
  return JSON.stringify([kind, reference, revision, data])
}

const isTold = ({ kind, resource_ref }: EventDocument): boolean =>
  RELAYED_EVENTS.has(kind) && !('peer_id' in resource_ref)

/** Whether a listener starts over here: another device is meant, or the same one again. */
const startsOver = ({ kind }: EventDocument): boolean => kind === 'peer_changed'

/** source, receiver: their runs, in order of time. All has come that is under way. */
export const assertToldOnce = (source: readonly Run[], receiver: readonly Run[]): void => {
  const said = source.flatMap(({ events }, run) =>
    events.filter(isTold).map((each) => ({ run, each, name: nameOf(each) })),
  )
  const leftOut = (from: number, to: number) => {
    const of = said[from]?.run
    const left = said.slice(from + 1, to).filter(({ run, each }) => run === of && each.revision !== null)
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
      `left out after ${said[from]?.name}`,
    )
  }
  let at = -1
  let follows: number | undefined // from which event on nothing may be missing while that run of the source goes on
  for (const { events } of receiver) {
    follows = undefined
    for (const event of events) {
      if (startsOver(event)) follows = undefined
      if (!('peer_id' in event.resource_ref) || !RELAYED_EVENTS.has(event.kind)) continue
      const name = nameOf(event)
      const found = said.findIndex((each, n) => n > at && each.name === name)
      assert.ok(
        found > at,
        `told twice, out of order, or never said: ${name}\nsaid ${said.map((each) => each.name).join('\n')}`,
      )
      at = found
      if (event.revision === null) continue // the same may be said again
      if (follows !== undefined && said[follows]?.run === said[found]?.run) leftOut(follows, found)
      follows = found
    }
  }
  if (follows !== undefined && said[follows]?.run === source.length - 1) leftOut(follows, said.length)
}
