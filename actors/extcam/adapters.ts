// The adapters as everybody but the robot reaches them: by table, as the settings are now. Which there are follows from the settings; nothing is registered.
import type { Installation } from '../../machines/extcam/installation.ts'
import { NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { resultsJson } from '../../machines/extcam/results-json.ts'
import { mountInForce, NO_WANTS } from '../../machines/extcam/robot-wants.ts'
import { ShownPipeline } from '../../machines/extcam/shown-pipeline.ts'
import type { Snapshot } from '../../machines/extcam/snapshot.ts'
import type { Latest } from '../../machines/latest.ts'
import type { FieldMap, FieldMaps } from '../../machines/localization/field-map.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { HardwarePort } from '../../native/hardware/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { TakeSnapshot } from '../media/take-snapshot.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { CurrentSnapshot, type SnapshotSources } from './current-snapshot.ts'
import type { ExtcamTables } from './tables.ts'

/** What the adapters are made of. tables: which stream has which. link: to the robot. */
export interface AdapterParts {
  readonly clock: Clock
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly tables: Pick<ExtcamTables, 'claims'>
  readonly maps: FieldMaps
  readonly link: Latest<Nt4Session | undefined>
  readonly hardware: HardwarePort
  readonly takeSnapshot: TakeSnapshot
}

/** One stream as the vendor's camera. */
export interface AdapterDoor {
  readonly table: string
  readonly stream: StreamRuntime
  /** As of the newest frame; read it before anything else happens. */
  readonly snapshot: () => Snapshot
  /** The results document, in one line: the text that the key `json` would have. */
  readonly results: () => string
  /** Keeps a picture; see actors/media/take-snapshot.ts. */
  readonly takeSnapshot: (name?: string) => ReturnType<TakeSnapshot>
}

/** What is kept of a stream for as long as it is there. */
interface Kept {
  readonly sources: SnapshotSources
  readonly current: CurrentSnapshot
}

export class Adapters {
  readonly #parts: AdapterParts
  readonly #startedUs: number
  readonly #kept = new WeakMap<StreamRuntime, Kept>()

  constructor(parts: AdapterParts) {
    this.#parts = parts
    this.#startedUs = parts.clock.monotonicUs()
  }

  /** undefined: no stream has that table, or none is emulated. */
  find(table: string): AdapterDoor | undefined {
    for (const [id, claim] of this.#parts.tables.claims())
      if ('table' in claim && claim.table === table) return this.of(id, table)
    return undefined
  }

  /** Of the stream that has the table. */
  of(id: string, table: string): AdapterDoor | undefined {
    const { streams, takeSnapshot } = this.#parts
    const stream = streams.get(id)
    if (!stream) return undefined
    const snapshot = () => this.#keptOf(stream).current.get()
    return {
      ...{ table, stream, snapshot },
      results: () => resultsJson(snapshot()),
      takeSnapshot: (name) => takeSnapshot(id, name === undefined ? {} : { name }),
    }
  }

  /** What snapshots of a stream are made of. */
  sourcesOf(stream: StreamRuntime): SnapshotSources {
    return this.#keptOf(stream).sources
  }

  #keptOf(stream: StreamRuntime): Kept {
    const known = this.#kept.get(stream)
    if (known) return known
    const { clock, maps, link, hardware } = this.#parts
    const shown = new ShownPipeline(stream.stored)
    const sources = {
      ...{ clock, link, startedUs: this.#startedUs, results: stream.results, hardware: hardware.latest },
      pipeline: () => shown.number(stream.stored, stream.takenUp.value),
      installation: installationOf(stream, maps),
    }
    const kept = { sources, current: new CurrentSnapshot(sources) }
    this.#kept.set(stream, kept)
    return kept
  }
}

/** How the stream's camera is set up now; the same object until something of it changes. */
const installationOf = (stream: StreamRuntime, maps: FieldMaps): (() => Installation) => {
  let kept: Installation = { map: EMPTY_MAP, intrinsics: null, mount: null }
  let seen: readonly unknown[] = [undefined]
  return () => {
    const { manifest, opened, live, robotWants } = stream
    const parts = [manifest, opened.value, live.value, robotWants.value]
    if (parts.every((part, n) => part === seen[n])) return kept
    seen = parts
    const map = maps().get(manifest.map_id) ?? EMPTY_MAP
    const { intrinsics = null, crop = null } = opened.value ?? {}
    kept = {
      ...{ map, intrinsics, crop, mount: mountInForce(robotWants.value ?? NO_WANTS, manifest) },
      live: live.value ?? NO_LIVE_CONTROLS,
    }
    return kept
  }
}

/** For the moment in which a stream's map is missing; the stream itself says so. */
const EMPTY_MAP: FieldMap = {
  id: 'none',
  name: 'none',
  length_m: 1,
  width_m: 1,
  family: 'tag36h11',
  tag_size_m: 0.1651,
  tags: [],
}
