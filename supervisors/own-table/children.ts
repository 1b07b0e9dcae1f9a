// One supervised table of our own for each stream that runs, one of localization and one of the IMU, as long as the
// setting says so.
import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import type { Imu } from '../../actors/imu/tokens.ts'
import { TableFeed } from '../../actors/localization/table-feed.ts'
import type { Localization } from '../../actors/localization/tokens.ts'
import type { WriteScheduler } from '../../actors/nt4/write-scheduler.ts'
import { ImuFeed } from '../../actors/own-table/imu-feed.ts'
import { ownTableActor, tableActor } from '../../actors/own-table/own-table-actor.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { imuChanged } from '../../machines/imu/events.ts'
import type { Latest } from '../../machines/latest.ts'
import { EMPTY_MAP, type FieldMap, type FieldMaps } from '../../machines/localization/field-map.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import { LOCALIZATION_TABLE } from '../../machines/own-table/topics.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child } from '../supervision/supervisor.ts'

/** Of a stream, or of the device itself. A stream that was deleted and created again is another one. */
interface WantedTable {
  readonly stream: StreamRuntime | undefined
}

const PREFIX = 'own-table/'
const OF_LOCALIZATION = PREFIX + LOCALIZATION_TABLE
const OF_IMU = `${PREFIX}device/imu`

/** What the tables need. */
export interface OwnTableChildrenParts {
  readonly directory: Directory
  readonly streams: StreamRegistry
  readonly settings: () => { readonly value: Nt4Settings }
  readonly maps: FieldMaps
  readonly localization: Localization
  readonly imu: Imu
  /** To the robot. */
  readonly link: Latest<Nt4Session | undefined>
  readonly turns: WriteScheduler
  /** Enters a fault in the error history. */
  readonly record: RecordFault
}

export class OwnTableChildren implements WantedChildren<WantedTable> {
  readonly name = 'own-table'
  readonly #parts: OwnTableChildrenParts

  constructor(parts: OwnTableChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedTable> {
    const { directory, streams, settings } = this.#parts
    if (!settings().value.publish_own_table) return new Map()
    const manifests = Object.values(documentsOf(directory.settings, streamCollection)).map(({ value }) => value)
    return new Map([
      ...manifests
        .filter(({ enabled, internal }) => enabled && !internal)
        .map(({ id }) => [PREFIX + id, { stream: streams.get(id) }] as const),
      [OF_LOCALIZATION, { stream: undefined }],
      [OF_IMU, { stream: undefined }],
    ])
  }

  isSame(before: WantedTable, after: WantedTable): boolean {
    return before.stream === after.stream
  }

  start(id: string, { stream }: WantedTable): Child {
    if (id === OF_LOCALIZATION) return this.#tableOfLocalization()
    if (id === OF_IMU) return this.#tableOfImu()
    if (!stream) throw new Error(`the directory knows nothing of the stream of ${id}`)
    const { directory, link, turns, record } = this.#parts
    const logic = ownTableActor({
      link,
      turns,
      record,
      nowUs: () => directory.clock.monotonicUs(),
      name: stream.id,
      results: stream.results,
      map: this.#mapOf(stream),
      state: () => stream.state,
      onMoved: (listener) => stream.onMoved(listener),
      fps: () => stream.meter.fps(directory.clock.monotonicUs()),
    })
    const input = { of: 'stream', streamId: stream.id } as const
    return anyChild({ id, incarnate: Effect.sync(() => ({ logic, options: { input } })) })
  }

  #tableOfLocalization(): Child {
    const { directory, localization, link, record } = this.#parts
    const sources = { localization, nowUs: directory.clock.monotonicUs }
    const logic = tableActor({ link, record }, (session, talk) => new TableFeed(sources, session, talk))
    const incarnate = Effect.sync(() => ({ logic, options: { input: { of: 'localization' as const } } }))
    return anyChild({ id: OF_LOCALIZATION, incarnate })
  }

  #tableOfImu(): Child {
    const { directory, imu, link, record } = this.#parts
    const onChanged = (listener: () => void) =>
      directory.events.subscribe(({ kind }) => {
        if (kind === imuChanged.kind) listener()
      })
    const sources = { imu, state: () => imu.status().state, onChanged }
    const logic = tableActor({ link, record }, (session, talk) => new ImuFeed(sources, session, talk))
    const input = { of: 'imu' } as const
    return anyChild({ id: OF_IMU, incarnate: Effect.sync(() => ({ logic, options: { input } })) })
  }

  /** Looked up again when the stream is another or its camera was opened. */
  #mapOf(stream: StreamRuntime): () => FieldMap {
    let kept = EMPTY_MAP
    let seen: readonly unknown[] = []
    return () => {
      const { manifest } = stream
      const { opened } = stream.engine
      if (manifest === seen[0] && opened.value === seen[1]) return kept
      seen = [manifest, opened.value]
      kept = this.#parts.maps().get(manifest.map_id) ?? EMPTY_MAP
      return kept
    }
  }
}
