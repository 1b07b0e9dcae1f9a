// Looks whether samples come, and tells of those outputs that have begun to give them, or stopped.
import { header } from '../../machines/engine/result.ts'
import { externalOutputChanged } from '../../machines/localization/events.ts'
import { Freshness } from '../../machines/localization/freshness.ts'
import { localizationSourceChanged } from '../../machines/stream/events.ts'
import { localizationOutputsOf } from '../../machines/stream/outputs.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { ExternalSamples } from './external-samples.ts'

/** What it looks at. */
export interface SourceNewsParts {
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly external: Pick<ExternalSamples, 'all'>
  readonly events: Pick<EventBus, 'publish'>
  readonly monotonicUs: () => number
}

/** A frame that is older says nothing of now. */
const MAX_FRAME_AGE_US = 1_000_000

export class SourceNews {
  readonly #parts: SourceNewsParts
  readonly #freshness = new Freshness()

  constructor(parts: SourceNewsParts) {
    this.#parts = parts
  }

  /** To be called a few times a second. */
  look(): void {
    const nowUs = this.#parts.monotonicUs()
    const seen = new Set([...this.#lookAtStreams(nowUs), ...this.#lookAtExternal(nowUs)])
    this.#freshness.keep(seen)
  }

  #lookAtStreams(nowUs: number): readonly string[] {
    return this.#parts.streams.all().map((stream) => {
      const key = `stream/${stream.id}`
      if (this.#freshness.isNews(key, isFresh(stream, nowUs), nowUs)) this.#tellOf(stream)
      return key
    })
  }

  #tellOf({ id: stream_id, wanted: { revision, value } }: StreamRuntime): void {
    for (const { port } of localizationOutputsOf(value))
      this.#parts.events.publish(localizationSourceChanged, { resource_ref: { stream_id, output_id: port }, revision })
  }

  #lookAtExternal(nowUs: number): readonly string[] {
    return this.#parts.external.all().flatMap(({ id: source_id, outputs }) =>
      [...outputs].map(([output_id, slot]) => {
        const key = `external/${source_id}/${output_id}`
        const stale = slot.fresh(nowUs) === undefined
        if (this.#freshness.isNews(key, !stale, nowUs))
          this.#parts.events.publish(externalOutputChanged, { resource_ref: { source_id, output_id }, data: { stale } })
        return key
      }),
    )
  }
}

const isFresh = ({ results: { value } }: StreamRuntime, nowUs: number): boolean =>
  value !== undefined && nowUs - header(value, 'captured_us') <= MAX_FRAME_AGE_US
