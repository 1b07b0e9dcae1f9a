// One supervised adapter for each stream that the robot shall see as the vendor's camera, as long as the setting says so.
import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import { extcamActor } from '../../actors/extcam/extcam-actor.ts'
import type { StreamDesk } from '../../actors/stream/stream-desk.ts'
import type { Installation } from '../../machines/extcam/scene.ts'
import { Snapshot } from '../../machines/extcam/snapshot.ts'
import { type TableClaim, tablesFor } from '../../machines/extcam/table.ts'
import type { Latest } from '../../machines/latest.ts'
import type { FieldMap, FieldMaps } from '../../machines/localization/field-map.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { HardwarePort } from '../../native/hardware/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child } from '../supervision/supervisor.ts'

/** An adapter that a stream shall have. A stream that was deleted and created again has another desk. */
interface WantedAdapter {
  readonly desk: StreamDesk | undefined
  readonly claim: TableClaim
}

const PREFIX = 'extcam/'

/** What the adapters need. desks: of all stored streams. link: to the robot. nt4Settings: those in force. */
export interface ExtcamChildrenParts {
  readonly directory: Directory
  readonly desks: ReadonlyMap<string, StreamDesk>
  readonly maps: FieldMaps
  readonly link: Latest<Nt4Session | undefined>
  readonly nt4Settings: () => { readonly value: Nt4Settings }
  readonly hardware: HardwarePort
}

export class ExtcamChildren implements WantedChildren<WantedAdapter> {
  readonly name = 'extcam'
  readonly #parts: ExtcamChildrenParts
  readonly #bornUs: number

  constructor(parts: ExtcamChildrenParts) {
    this.#parts = parts
    this.#bornUs = parts.directory.clock.monotonicUs()
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#parts.directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedAdapter> {
    if (!this.#parts.nt4Settings().value.emulate_extcam_api) return new Map()
    const manifests = documentsOf(this.#parts.directory.settings, streamCollection)
    const claims = tablesFor(Object.values(manifests).map(({ value }) => value))
    return new Map([...claims].map(([id, claim]) => [PREFIX + id, { desk: this.#parts.desks.get(id), claim }]))
  }

  isSame(before: WantedAdapter, after: WantedAdapter): boolean {
    return before.desk === after.desk && JSON.stringify(before.claim) === JSON.stringify(after.claim)
  }

  start(id: string, { desk, claim }: WantedAdapter): Child {
    if (!desk) throw new Error(`the directory knows nothing of the stream of ${id}`)
    show(desk, 'table' in claim ? claim.table : null)
    const sources = {
      clock: this.#parts.directory.clock,
      bornUs: this.#bornUs,
      link: this.#parts.link,
      results: desk.results,
      hardware: this.#parts.hardware.latest,
    }
    const installation = this.#installationOf(desk)
    const snapshot = new Snapshot() // counts the frames: it outlives the incarnations, so the heartbeat goes on
    const incarnate = Effect.sync(() => ({
      logic: extcamActor({ ...sources, installation, snapshot }),
      options: { input: { streamId: desk.id, claim } },
    }))
    return anyChild({ id, incarnate })
  }

  dropped(id: string): void {
    const desk = this.#parts.desks.get(id.slice(PREFIX.length))
    if (desk) show(desk, null)
  }

  /** How the stream's camera is set up now; the same object until something of it changes. */
  #installationOf(desk: StreamDesk): () => Installation {
    let kept: Installation = { map: EMPTY_MAP, intrinsics: null, mount: null }
    let seen: readonly unknown[] = []
    return () => {
      const manifest = documentOf(this.#parts.directory.settings, streamCollection, desk.id)?.value
      const opened = desk.opened.value
      if (manifest === seen[0] && opened === seen[1]) return kept
      seen = [manifest, opened]
      const map = this.#parts.maps().get(manifest?.map_id ?? '') ?? EMPTY_MAP
      kept = { map, intrinsics: opened?.intrinsics ?? null, mount: manifest?.pose ?? null }
      return kept
    }
  }
}

const show = (desk: StreamDesk, extcam_table: string | null): void => {
  const condition = desk.condition.value
  if (condition) desk.condition.set({ ...condition, extcam_table })
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
