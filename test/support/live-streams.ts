// The streams of a service on fake engines: real stores, a real supervisor, and settings that a test writes itself.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { createEventBus } from '../../actors/events/event-bus.ts'
import { streamActor } from '../../actors/stream/stream-actor.ts'
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import { createErrorHistoryStore } from '../../machines/errors/history.ts'
import { Listeners } from '../../machines/listeners.ts'
import { createSettingsStore } from '../../machines/settings/store.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import type { StreamState } from '../../machines/stream/status.ts'
import { monotonicUs, nowMs } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { fakeMedia } from '../../native/media/fake.ts'
import { type IncarnateStream, StreamChildren } from '../../supervisors/children/streams.ts'
import { LiveDirectory } from '../../supervisors/live-directory.ts'
import type { Policy } from '../../supervisors/supervision/policy.ts'
import { Reconciler, type WantedChildren } from '../../supervisors/supervision/reconciler.ts'
import { startAndWait } from '../../supervisors/supervision/start-and-wait.ts'
import { type LifecycleEvent, makeSupervisor } from '../../supervisors/supervision/supervisor.ts'
import { until } from './until.ts'

/** Open until it is closed. */
class Gate {
  #held = Promise.withResolvers<void>()

  constructor() {
    this.open()
  }

  /** Done when the gate is open. */
  readonly passed: Effect.Effect<void> = Effect.promise(() => this.#held.promise)

  close(): void {
    this.#held = Promise.withResolvers()
  }

  open(): void {
    this.#held.resolve()
  }
}

/** Ends with the test. */
export const liveStreams = async (t: TestContext, policy?: Policy) => {
  const scope = Scope.makeUnsafe()
  const starts = new Gate()
  const ends = new Gate()
  t.after(() => {
    starts.open()
    ends.open()
    return Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const within = <Value, Failure>(effect: Effect.Effect<Value, Failure, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(effect, scope))

  const settings = createSettingsStore()
  const noted: Fault[] = []
  const onBug = () => (bug: unknown) => noted.push(faultOf(bug))
  const lifecycle = new Listeners<LifecycleEvent>(onBug())
  const listen = (event: LifecycleEvent) => lifecycle.tell(event)
  const supervisor = await within(makeSupervisor({ listen, onBug, ...(policy && { policy }) }))
  const directory = new LiveDirectory({
    identity: { version: '0.0.0', epoch: 'test', started_at_ms: nowMs() },
    clock: { nowMs, monotonicUs },
    settings,
    errors: createErrorHistoryStore(),
    events: createEventBus({ epoch: 'test', nowMs }),
    userMaps: () => new Map(),
    media: fakeMedia(),
    nt4AtStart: { target: 'off', client_name: 'vedette', emulate_extcam_api: true },
    supervisor,
    onBug,
  })
  const engines = fakeEngines()
  const incarnate: IncarnateStream = (desk, spec) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(Effect.void, () => ends.passed)
      const sinks = { results: desk.results, picture: desk.pictures.deliver.bind(desk.pictures) }
      const engine = yield* engines.spawn(desk.id, sinks)
      yield* starts.passed
      const note = (fault: Fault) => noted.push(fault)
      return {
        logic: streamActor({ engine, desk, maps: directory.maps, media: directory.media, note }),
        options: { input: spec },
      }
    })
  const streams = new StreamChildren(supervisor, directory, incarnate)
  lifecycle.add((event) => streams.show(event))
  /** Keeps children as wanted, after a first pass. */
  const reconcile = <Wanted>(children: WantedChildren<Wanted>): Promise<void> => {
    const { child } = new Reconciler(supervisor, onBug, children)
    return within(startAndWait({ supervisor, lifecycle }, child, (snapshot) => !snapshot.matches('reconciling')))
  }

  let revision = 0
  const commit = (id: string, value: unknown) => {
    revision += 1
    const numbers = { collectionRevision: revision, collectionBase: 0, revision }
    settings.trigger.committed({ collection: 'streams', id, value, ...numbers })
    return revision
  }
  return {
    ...{ reconcile, directory, supervisor, engines, streams, noted },
    /** Close one, and engines wait there: those that are being started, or ended. */
    ...{ starts, ends },
    /** Stores a manifest as the settings writer would, and returns its revision. */
    put: (manifest: StreamManifest & { readonly id: string }): number => {
      const canonical = canonicalManifest(manifest)
      if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
      return commit(manifest.id, canonical.manifest)
    },
    /** Stores whatever it is given. */
    putRaw: (id: string, value: unknown): number => commit(id, value),
    drop: (id: string): number => commit(id, undefined),
    condition: (id: string) => directory.streams.get(id)?.condition.value,
    state: (id: string, state: StreamState) =>
      until(
        `${id} ${state}`,
        () => directory.streams.get(id)?.condition.value,
        (now) => now?.state === state,
      ),
  }
}
