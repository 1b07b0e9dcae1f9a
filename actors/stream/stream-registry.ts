// Which streams there are. Everybody who wants to know asks here: it follows the settings and keeps one runtime for
// each stream, from the moment at which its manifest is stored to the moment at which that is deleted.
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { graphCollection } from '../../machines/pipeline/stored-graphs.ts'
import { documentOf, documentsOf, type SettingsStore, type StoredValue } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { controlChanged, pipelineChanged, streamState } from '../../machines/stream/events.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { pipelineIdOf } from '../../machines/stream/part-names.ts'
import { graphIdOf } from '../../machines/stream/slots.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import { HeldCameras } from './held-cameras.ts'
import { StreamRuntime } from './stream-runtime.ts'

/** What the registry works with. */
export interface StreamRegistryParts {
  readonly settings: SettingsStore
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly events: Pick<EventBus, 'publish'>
  /** The table under which the robot finds a stream. */
  readonly tableOf: (id: string) => string | null
  /** What is wrong with its tables now. */
  readonly tableFaults?: (id: string) => readonly Fault[]
  /** Makes the recorder for what concerns a resource. */
  readonly onBug?: (resource: string) => OnBug
}

/** All streams. It is to hear of a change of the settings before those who ask it, so it is made with the store. */
export class StreamRegistry {
  /** Written by work that needs a camera for itself. */
  readonly held: HeldCameras
  readonly #parts: StreamRegistryParts
  readonly #streams = new Map<string, StreamRuntime>()
  readonly #changed: Listeners<void>
  #seen: Readonly<Record<string, StoredValue<CanonicalManifest>>> = {}

  constructor(parts: StreamRegistryParts) {
    this.#parts = parts
    this.held = new HeldCameras(parts.onBug?.(streamCollection.name))
    this.#changed = new Listeners(parts.onBug?.(streamCollection.name))
    this.#follow()
    this.#followGraphs()
    parts.settings.subscribe(() => {
      this.#follow()
      this.#followGraphs()
    })
    this.held.subscribe(() => {
      for (const stream of this.all()) stream.observe()
      this.#changed.notify()
    })
  }

  get(id: string): StreamRuntime | undefined {
    return this.#streams.get(id)
  }

  /** In order of creation. */
  all(): readonly StreamRuntime[] {
    return [...this.#streams.values()]
  }

  /**
   * Calls back when a stream was created, stored again, deleted, paused or let on, or another pipeline is tried on it;
   * returns the way to stop that.
   */
  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  #follow(): void {
    const stored = documentsOf(this.#parts.settings, streamCollection)
    if (stored === this.#seen) return
    this.#seen = stored
    for (const [id, stream] of this.#streams) {
      if (Object.hasOwn(stored, id)) continue
      this.#streams.delete(id)
      stream.delete()
    }
    for (const [id, document] of Object.entries(stored)) {
      const stream = this.#streams.get(id)
      if (!stream) this.#streams.set(id, this.#made(id, document))
      else if (stream.stored !== document) stream.store(document)
    }
    this.#changed.notify()
  }

  /** Gives each stream the stored pipeline of its active slot, as it is now. */
  #followGraphs(): void {
    for (const stream of this.#streams.values()) {
      const graph_id = graphIdOf(stream.manifest)
      const { value: before } = stream.graph
      if (graph_id === undefined && !before) continue
      const stored = graph_id === undefined ? undefined : documentOf(this.#parts.settings, graphCollection, graph_id)
      if (before && before.graph_id === graph_id && before.stored === stored) continue
      stream.graph.set(graph_id === undefined ? null : { graph_id, stored })
    }
  }

  #made(id: string, stored: StoredValue<CanonicalManifest>): StreamRuntime {
    const { clock, events, tableOf, tableFaults, onBug } = this.#parts
    const resource_ref = { stream_id: id }
    const stream = new StreamRuntime(id, stored, {
      clock,
      tableOf,
      tableFaults,
      held: this.held,
      moved: (data) => events.publish(streamState, { resource_ref, data }),
      controlSet: (camera_uid, control_id, value) =>
        events.publish(controlChanged, { resource_ref: { stream_id: id, camera_uid, control_id }, data: { value } }),
      onBug: onBug?.(`${streamCollection.name}/${id}`),
    })
    stream.guard.onPaused(() => {
      stream.observe()
      this.#changed.notify()
    })
    stream.tried.onChanged(() => {
      if (stream.isDeleted) return
      const { revision, value } = stream.wanted
      events.publish(pipelineChanged, {
        resource_ref: { stream_id: id, pipeline_id: pipelineIdOf(value) },
        revision,
      })
      this.#changed.notify()
    })
    return stream
  }
}
