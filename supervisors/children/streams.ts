// One supervised stream for each stored manifest that is enabled, and what its status says of it.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Directory } from '../../actors/directory.ts'
import type { StreamCondition, StreamDesk } from '../../actors/stream/stream-desk.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamState } from '../../machines/stream/events.ts'
import type { StreamState } from '../../machines/stream/status.ts'
import type { StreamSpec, streamMachine } from '../../machines/stream/stream-machine.ts'
import type { Incarnate } from '../supervision/incarnation.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import {
  anyChild,
  type Child,
  type Failure,
  failureText,
  type LifecycleEvent,
  type Supervisor,
} from '../supervision/supervisor.ts'

/** Makes one incarnation of a stream: its engine is spawned and released with the scope. */
export type IncarnateStream = (desk: StreamDesk, spec: StreamSpec) => Incarnate<typeof streamMachine>

/** A stream that is stored. One that was deleted and created again has another desk. */
interface WantedStream {
  readonly desk: StreamDesk | undefined
  readonly spec: StreamSpec
}

/** The name of the reconciler of streams, and what the ids of its children begin with. */
export const STREAMS = 'streams'
const PREFIX = `${STREAMS}/`

const STATES: Readonly<Record<string, StreamState>> = {
  opening: 'opening',
  starting: 'opening',
  live: 'live',
  probing: 'stalled',
  stalled: 'stalled',
  'backing-off': 'backing-off',
  ended: 'ended',
}

/** What the streams of a service need. desks: of all that are stored. */
export interface StreamChildrenParts {
  readonly supervisor: Supervisor
  readonly directory: Directory
  readonly desks: ReadonlyMap<string, StreamDesk>
  readonly incarnate: IncarnateStream
}

export class StreamChildren implements WantedChildren<WantedStream> {
  readonly name = STREAMS
  readonly #supervisor: Supervisor
  readonly #directory: Directory
  readonly #desks: ReadonlyMap<string, StreamDesk>
  readonly #incarnate: IncarnateStream

  constructor({ supervisor, directory, desks, incarnate }: StreamChildrenParts) {
    this.#supervisor = supervisor
    this.#directory = directory
    this.#desks = desks
    this.#incarnate = incarnate
  }

  readonly watch = (changed: () => void): (() => void) => {
    const subscription = this.#directory.settings.subscribe(changed)
    return () => subscription.unsubscribe()
  }

  wanted(): ReadonlyMap<string, WantedStream> {
    return new Map(
      Object.entries(documentsOf(this.#directory.settings, streamCollection)).map(([id, { revision, value }]) => [
        PREFIX + id,
        { desk: this.#desks.get(id), spec: { revision, manifest: value } },
      ]),
    )
  }

  isSame(before: WantedStream, after: WantedStream): boolean {
    return before.desk === after.desk && before.spec.revision === after.spec.revision
  }

  start(id: string, { desk, spec }: WantedStream): Child | null {
    if (!desk) throw new Error(`the directory knows nothing of ${id}`)
    if (!spec.manifest.enabled) {
      this.#show(desk, { state: 'disabled', fault: null, applied_revision: null })
      return null
    }
    this.#show(desk, { state: 'starting' })
    const incarnate = Effect.suspend(() => {
      const newest = this.#specOf(desk.id)
      return newest ? this.#incarnate(desk, newest) : Effect.never // it was deleted, and is being stopped
    })
    return anyChild({ id, incarnate, failure: (failure) => streamFailed(desk.id, failure) })
  }

  /** One that is down reads the new manifest when it comes back, which is now. */
  change(id: string, { desk, spec }: WantedStream, before: WantedStream): Effect.Effect<boolean> {
    if (desk !== before.desk || !spec.manifest.enabled) return Effect.succeed(false)
    this.#supervisor.actor(id)?.send({ type: 'spec.changed', spec })
    return Effect.as(this.#supervisor.retry(id), true)
  }

  stuck(id: string, fault: Fault): void {
    const desk = this.#desks.get(id.slice(PREFIX.length))
    if (desk) this.#show(desk, { state: 'failed', fault })
  }

  /** Shows a turn in a child's life in its stream's condition. */
  show({ id, type, ...event }: LifecycleEvent): void {
    const fault = event.fault ?? null
    const desk = this.#desks.get(id.slice(PREFIX.length))
    if (!desk || !id.startsWith(PREFIX)) return
    if (type === 'started') {
      this.#countStart(desk)
      this.#showStates(desk)
      this.#catchUp(desk.id)
    } else if (type === 'crashed') this.#show(desk, { state: 'restarting', fault })
    else if (type === 'failed') this.#show(desk, { state: 'failed', fault })
    else if (type === 'requested') this.#show(desk, { state: 'starting', fault: null })
  }

  #specOf(id: string): StreamSpec | undefined {
    const stored = documentOf(this.#directory.settings, streamCollection, id)
    return stored && { revision: stored.revision, manifest: stored.value }
  }

  #countStart(desk: StreamDesk): void {
    const isAnother = (this.#supervisor.status(PREFIX + desk.id)?.restarts ?? 0) > 0
    if (isAnother) this.#show(desk, { restarts: (desk.condition.value as StreamCondition).restarts + 1 })
  }

  /** Its engine took a while to start; meanwhile there was nobody to be told of a change. */
  #catchUp(id: string): void {
    const actor = this.#supervisor.actor(PREFIX + id) as ActorRefFrom<typeof streamMachine> | undefined
    const spec = this.#specOf(id)
    if (actor && spec && actor.getSnapshot().context.spec.revision !== spec.revision)
      actor.send({ type: 'spec.changed', spec })
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
    const { state = before.state } = news
    const moved = state !== before.state
    const fault = news.fault === undefined ? before.fault : shown(news.fault)
    desk.condition.set({ ...before, ...news, fault, since_ms: moved ? this.#directory.clock.nowMs() : before.since_ms })
    if (moved)
      this.#directory.events.publish(streamState, { resource_ref: { stream_id: desk.id }, data: { state, fault } })
  }
}

/** What of a fault a status shows. */
const shown = (fault: Pick<Fault, 'code' | 'detail'> | null) => fault && { code: fault.code, detail: fault.detail }

const streamFailed = (id: string, failure: Failure): Fault => ({
  code: 'stream.failed',
  detail: `${failureText(`The stream ${id}`, failure)}, and at once by POST /v1/streams/${id}/restart or when it is changed. If it goes on, check the camera and its cable, try another source or pipeline, and report it with the file of GET /v1/errors/export.`,
})
