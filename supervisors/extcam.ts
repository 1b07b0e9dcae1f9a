// One supervised adapter for each stream that the robot shall see as the vendor's camera, as long as the setting says so.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { extcamActor } from '../actors/extcam.ts'
import type { StreamDesk } from '../actors/stream-desk.ts'
import type { Installation } from '../machines/extcam/scene.ts'
import { Snapshot } from '../machines/extcam/snapshot.ts'
import { type TableClaim, tablesFor } from '../machines/extcam/table.ts'
import type { FieldMap } from '../machines/field-map.ts'
import { documentsOf } from '../machines/settings.ts'
import type { CanonicalManifest } from '../machines/stream-manifest.ts'
import { converge } from './converge.ts'
import type { LiveDirectory } from './live-directory.ts'
import type { Supervisor } from './supervisor.ts'

const PREFIX = 'extcam/'

export class ExtcamSupervisor {
  readonly #supervisor: Supervisor
  readonly #directory: LiveDirectory
  readonly #bornUs: number
  /** With what each adapter was started. A stream that was deleted and created again has another desk. */
  readonly #running = new Map<string, { readonly desk: StreamDesk; readonly claim: string }>()

  constructor(supervisor: Supervisor, directory: LiveDirectory) {
    this.#supervisor = supervisor
    this.#directory = directory
    this.#bornUs = directory.clock.monotonicUs()
  }

  /** Follows the stored streams and the NT4 settings for as long as the scope. */
  run(): Effect.Effect<void, never, Scope.Scope> {
    const watch = (changed: () => void) => {
      const subscription = this.#directory.settings.subscribe(changed)
      return () => subscription.unsubscribe()
    }
    return converge(
      [watch],
      Effect.suspend(() => this.#once()),
    )
  }

  #once(): Effect.Effect<void> {
    const wanted = this.#wanted()
    const unwanted = [...this.#running.keys()].filter((id) => !wanted.has(id))
    return Effect.forEach(
      [...unwanted.map((id) => this.#drop(id)), ...[...wanted].map(([id, claim]) => this.#keep(id, claim))],
      (step) => step,
      { concurrency: 'unbounded', discard: true },
    )
  }

  #wanted(): ReadonlyMap<string, TableClaim> {
    if (!this.#directory.nt4Settings().value.emulate_extcam_api) return new Map()
    const manifests = documentsOf<CanonicalManifest>(this.#directory.settings, 'streams')
    return tablesFor(Object.values(manifests).map(({ value }) => value))
  }

  #drop(id: string): Effect.Effect<void> {
    this.#running.delete(id)
    this.#show(id, null)
    return this.#supervisor.stop(PREFIX + id)
  }

  #keep(id: string, claim: TableClaim): Effect.Effect<void> {
    const desk = this.#directory.streams.get(id) as StreamDesk // the directory has one for each that is stored
    const wanted = { desk, claim: JSON.stringify(claim) }
    const before = this.#running.get(id)
    if (before?.desk === desk && before.claim === wanted.claim) return Effect.void
    this.#running.set(id, wanted)
    this.#show(id, 'table' in claim ? claim.table : null)
    const sources = {
      clock: this.#directory.clock,
      bornUs: this.#bornUs,
      link: this.#directory.nt4,
      results: desk.results,
    }
    const installation = this.#installationOf(desk)
    const snapshot = new Snapshot() // counts the frames: it outlives the incarnations, so the heartbeat goes on
    return this.#supervisor.start({
      id: PREFIX + id,
      incarnate: Effect.sync(() => ({
        logic: extcamActor({ ...sources, installation, snapshot }),
        options: { input: { streamId: id, claim } },
      })),
    })
  }

  /** How the stream's camera is set up now; the same object until something of it changes. */
  #installationOf(desk: StreamDesk): () => Installation {
    let kept: Installation = { map: EMPTY_MAP, intrinsics: null, mount: null }
    let seen: readonly unknown[] = []
    return () => {
      const manifest = documentsOf<CanonicalManifest>(this.#directory.settings, 'streams')[desk.id]?.value
      const opened = desk.opened.value
      if (manifest === seen[0] && opened === seen[1]) return kept
      seen = [manifest, opened]
      const map = this.#directory.maps().get(manifest?.map_id ?? '') ?? EMPTY_MAP
      kept = { map, intrinsics: opened?.intrinsics ?? null, mount: manifest?.pose ?? null }
      return kept
    }
  }

  #show(id: string, table: string | null): void {
    const desk = this.#directory.streams.get(id)
    const condition = desk?.condition.value
    if (desk && condition) desk.condition.set({ ...condition, extcam_table: table })
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
