// One supervised adapter for each stream that the robot shall see as the vendor's camera, as long as the setting says so.
import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import { extcamActor } from '../../actors/extcam/extcam-actor.ts'
import type { ExtcamTables } from '../../actors/extcam/tables.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Installation } from '../../machines/extcam/installation.ts'
import { Snapshot } from '../../machines/extcam/snapshot.ts'
import type { TableClaim } from '../../machines/extcam/table.ts'
import type { Latest } from '../../machines/latest.ts'
import type { FieldMap, FieldMaps } from '../../machines/localization/field-map.ts'
import type { HardwarePort } from '../../native/hardware/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child } from '../supervision/supervisor.ts'

/** An adapter that a stream shall have. A stream that was deleted and created again is another one. */
interface WantedAdapter {
  readonly stream: StreamRuntime | undefined
  readonly claim: TableClaim
}

const PREFIX = 'extcam/'

/** What the adapters need. tables: which stream has which. link: to the robot. */
export interface ExtcamChildrenParts {
  readonly directory: Directory
  readonly streams: StreamRegistry
  readonly tables: ExtcamTables
  readonly maps: FieldMaps
  readonly link: Latest<Nt4Session | undefined>
  readonly hardware: HardwarePort
}

export class ExtcamChildren implements WantedChildren<WantedAdapter> {
  readonly name = 'extcam'
  readonly #parts: ExtcamChildrenParts
  readonly #startedUs: number

  constructor(parts: ExtcamChildrenParts) {
    this.#parts = parts
    this.#startedUs = parts.directory.clock.monotonicUs()
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedAdapter> {
    const { tables, streams } = this.#parts
    return new Map([...tables.claims()].map(([id, claim]) => [PREFIX + id, { stream: streams.get(id), claim }]))
  }

  isSame(before: WantedAdapter, after: WantedAdapter): boolean {
    return before.stream === after.stream && JSON.stringify(before.claim) === JSON.stringify(after.claim)
  }

  start(id: string, { stream, claim }: WantedAdapter): Child {
    if (!stream) throw new Error(`the directory knows nothing of the stream of ${id}`)
    const sources = {
      clock: this.#parts.directory.clock,
      startedUs: this.#startedUs,
      link: this.#parts.link,
      results: stream.results,
      quiet: stream.quiet,
      hardware: this.#parts.hardware.latest,
    }
    const installation = this.#installationOf(stream)
    const snapshot = new Snapshot() // counts the frames: it outlives the incarnations, so the heartbeat goes on
    const incarnate = Effect.sync(() => ({
      logic: extcamActor({ ...sources, installation, snapshot }),
      options: { input: { streamId: stream.id, claim } },
    }))
    return anyChild({ id, incarnate })
  }

  /** How the stream's camera is set up now; the same object until something of it changes. */
  #installationOf(stream: StreamRuntime): () => Installation {
    let kept: Installation = { map: EMPTY_MAP, intrinsics: null, mount: null }
    let seen: readonly unknown[] = []
    return () => {
      const { manifest, opened } = stream
      if (manifest === seen[0] && opened.value === seen[1]) return kept
      seen = [manifest, opened.value]
      const map = this.#parts.maps().get(manifest.map_id) ?? EMPTY_MAP
      const { intrinsics = null, crop = null } = opened.value ?? {}
      kept = { map, intrinsics, crop, mount: manifest.pose ?? null }
      return kept
    }
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
