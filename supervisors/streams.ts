// One supervised stream for each stored manifest that is enabled.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { StreamCondition, StreamDesk } from '../actors/stream-desk.ts'
import { resourceRef } from '../machines/event.ts'
import type { Fault } from '../machines/fault.ts'
import { documentsOf } from '../machines/settings.ts'
import type { StreamSpec, streamMachine } from '../machines/stream.ts'
import type { CanonicalManifest } from '../machines/stream-manifest.ts'
import type { StreamState } from '../machines/stream-status.ts'
import { converge } from './converge.ts'
import type { Incarnate } from './incarnation.ts'
import type { LiveDirectory } from './live-directory.ts'
import type { Life, Supervisor } from './supervisor.ts'

/** Makes one incarnation of a stream: its engine is spawned and released with the scope. */
export type IncarnateStream = (desk: StreamDesk, spec: StreamSpec) => Incarnate<typeof streamMachine>

const PREFIX = 'streams/'

const STATES: Readonly<Record<string, StreamState>> = {
  opening: 'opening',
  starting: 'opening',
  live: 'live',
  probing: 'stalled',
  stalled: 'stalled',
  'backing-off': 'backing-off',
  ended: 'ended',
}

export class StreamsSupervisor {
  readonly #supervisor: Supervisor
  readonly #directory: LiveDirectory
  readonly #incarnate: IncarnateStream
  /** What was last handed on. A stream that was deleted and created again has another desk. */
  readonly #handed = new Map<string, { readonly desk: StreamDesk; readonly revision: number }>()

  constructor(supervisor: Supervisor, directory: LiveDirectory, incarnate: IncarnateStream) {
    this.#supervisor = supervisor
    this.#directory = directory
    this.#incarnate = incarnate
  }

  /** Follows the stored manifests for as long as the scope. */
  run(): Effect.Effect<void, never, Scope.Scope> {
    const settings = this.#directory.settings
    const watch = (changed: () => void) => {
      const subscription = settings.subscribe(changed)
      return () => subscription.unsubscribe()
    }
    return converge(
      [watch],
      Effect.suspend(() => this.#once()),
    )
  }

  /** Shows a child's turn of life in its stream's condition. */
  note(life: Life): void {
    const desk = this.#directory.streams.get(life.id.slice(PREFIX.length))
    if (!desk || !life.id.startsWith(PREFIX)) return
    if (life.type === 'started') {
      this.#showStates(desk)
      this.#catchUp(desk.id)
    } else if (life.type === 'crashed')
      this.#show(desk, { state: 'restarting', fault: life.fault ?? null, restarts: restarts(desk) + 1 })
    else if (life.type === 'given-up') this.#show(desk, { state: 'failed', fault: life.fault ?? null })
    else if (life.type === 'revived') this.#show(desk, { state: 'starting' })
  }

  #once(): Effect.Effect<void> {
    const wanted = documentsOf<CanonicalManifest>(this.#directory.settings, 'streams')
    const unwanted = [...this.#handed.keys()].filter((id) => !Object.hasOwn(wanted, id))
    return Effect.forEach(
      [
        ...unwanted.map((id) => this.#drop(id)),
        ...Object.entries(wanted).map(([id, { revision, value }]) => this.#keep(id, { revision, manifest: value })),
      ],
      (step) => step,
      { concurrency: 'unbounded', discard: true },
    )
  }

  #drop(id: string): Effect.Effect<void> {
    this.#handed.delete(id)
    return this.#supervisor.stop(PREFIX + id)
  }

  #keep(id: string, spec: StreamSpec): Effect.Effect<void> {
    const desk = this.#directory.streams.get(id) as StreamDesk // the directory has one for each that is stored
    const before = this.#handed.get(id)
    if (before?.desk === desk && before.revision === spec.revision) return Effect.void
    this.#handed.set(id, { desk, revision: spec.revision })
    if (!spec.manifest.enabled) {
      this.#show(desk, { state: 'disabled', fault: null, applied_revision: null })
      return this.#supervisor.stop(PREFIX + id)
    }
    return before?.desk === desk && this.#isKnown(id) ? this.#tell(id, spec) : this.#start(desk)
  }

  #start(desk: StreamDesk): Effect.Effect<void> {
    this.#show(desk, { state: 'starting' })
    const incarnate = Effect.suspend(() => this.#incarnate(desk, this.#specOf(desk.id)))
    return this.#supervisor.start({ id: PREFIX + desk.id, incarnate })
  }

  /** One that is down reads the new manifest when it comes back; one that was given up gets another chance with it. */
  #tell(id: string, spec: StreamSpec): Effect.Effect<void> {
    this.#supervisor.actor(PREFIX + id)?.send({ type: 'spec.changed', spec })
    return Effect.asVoid(this.#supervisor.revive(PREFIX + id))
  }

  #isKnown(id: string): boolean {
    return this.#supervisor.children().some((child) => child.id === PREFIX + id)
  }

  #specOf(id: string): StreamSpec {
    const kept = documentsOf<CanonicalManifest>(this.#directory.settings, 'streams')[id]
    if (!kept) throw new Error(`the stream ${id} was deleted while it was being started`)
    return { revision: kept.revision, manifest: kept.value }
  }

  /** Its engine took a while to start; meanwhile there was nobody to be told of a change. */
  #catchUp(id: string): void {
    const actor = this.#supervisor.actor(PREFIX + id) as ActorRefFrom<typeof streamMachine> | undefined
    const spec = this.#specOf(id)
    if (actor && actor.getSnapshot().context.spec.revision !== spec.revision) actor.send({ type: 'spec.changed', spec })
  }

  #showStates(desk: StreamDesk): void {
    const actor = this.#supervisor.actor(PREFIX + desk.id)
    const show = (snapshot: SnapshotFrom<typeof streamMachine>) => {
      const state = STATES[String(snapshot.value)]
      if (!state) return
      const { applied, fault } = snapshot.context
      this.#show(desk, { state, fault: shown(fault), applied_revision: applied?.revision ?? null })
    }
    actor?.subscribe(show)
    if (actor) show(actor.getSnapshot())
  }

  #show(desk: StreamDesk, news: Partial<StreamCondition>): void {
    const before = desk.condition.value as StreamCondition
    const moved = news.state !== undefined && news.state !== before.state
    const fault = news.fault === undefined ? before.fault : shown(news.fault)
    desk.condition.set({ ...before, ...news, fault, since_ms: moved ? this.#directory.clock.nowMs() : before.since_ms })
    if (moved)
      this.#directory.events.publish({
        kind: 'streams.state',
        resource_ref: resourceRef('streams', desk.id),
        data: { state: news.state, fault },
      })
  }
}

const restarts = (desk: StreamDesk): number => desk.condition.value?.restarts ?? 0

/** What of a fault a status shows. */
const shown = (fault: Pick<Fault, 'code' | 'detail'> | null) => fault && { code: fault.code, detail: fault.detail }
