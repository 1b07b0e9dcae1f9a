// The stream of the demo.
import * as Effect from 'effect/Effect'
import { ask } from '../../actors/ask.ts'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import { isFault } from '../../machines/errors/fault.ts'
import type { FieldMaps } from '../../machines/localization/field-map.ts'
import { planGraph } from '../../machines/pipeline/plan.ts'
import { demoStream } from '../../machines/stream/demo.ts'
import { createStream, noFiles } from '../../machines/stream/orders.ts'
import type { ActorNamed } from '../../machines/supervision/actors.ts'

/** What it takes to create it. settings: undefined while they are down. */
export interface DemoParts {
  readonly settings: ActorNamed<'settings'> | undefined
  readonly streams: StreamRegistry
  readonly maps: FieldMaps
  readonly record: RecordFault
}

/** Creates it where no stream is stored. */
export const createDemoStream = ({ settings, streams, maps, record }: DemoParts): Effect.Effect<void> => {
  if (!settings || streams.all().length > 0) return Effect.void
  const order = createStream({
    manifest: demoStream,
    others: [],
    cameraOf: () => undefined,
    itemOf: () => undefined,
    attachedTo: null,
    graphOf: () => undefined,
    planOf: planGraph,
    maps: maps(),
    media: noFiles,
  })
  return isFault(order) ? Effect.sync(() => record(order)) : Effect.asVoid(ask(settings, order))
}
