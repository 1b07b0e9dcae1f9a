// The streams of a service on fake engines: real stores, a real supervisor, and settings that a test writes itself.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { createEventBus } from '../../actors/event-bus.ts'
import { streamActor } from '../../actors/stream.ts'
import { createErrorHistoryStore } from '../../machines/error-history.ts'
import { type Fault, faultOf } from '../../machines/fault.ts'
import { createSettingsStore } from '../../machines/settings.ts'
import { canonicalManifest } from '../../machines/stream-canonical.ts'
import type { StreamManifest } from '../../machines/stream-manifest.ts'
import type { StreamState } from '../../machines/stream-status.ts'
import { monotonicUs, nowMs } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake.ts'
import { LiveDirectory } from '../../supervisors/live-directory.ts'
import { Lives } from '../../supervisors/lives.ts'
import { type IncarnateStream, StreamsSupervisor } from '../../supervisors/streams.ts'
import { makeSupervisor } from '../../supervisors/supervisor.ts'
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
export const liveStreams = async (t: TestContext) => {
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

  const lives = new Lives()
  const settings = createSettingsStore()
  const noted: Fault[] = []
  const supervisor = await within(makeSupervisor(lives.tell))
  const directory = new LiveDirectory({
    identity: { version: '0.0.0', epoch: 'test', started_at_ms: nowMs() },
    clock: { nowMs, monotonicUs },
    settings,
    errors: createErrorHistoryStore(),
    events: createEventBus({ epoch: 'test', nowMs }),
    userMaps: () => new Map(),
    nt4AtStart: { target: 'off', client_name: 'vedette', emulate_extcam_api: true },
    supervisor,
    onBug: () => (bug) => noted.push(faultOf(bug)),
  })
  const engines = fakeEngines()
  const incarnate: IncarnateStream = (desk, spec) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(Effect.void, () => ends.passed)
      const sinks = { results: desk.results, picture: desk.pictures.deliver.bind(desk.pictures) }
      const engine = yield* engines.spawn(desk.id, sinks)
      yield* starts.passed
      const note = (fault: Fault) => noted.push(fault)
      return { logic: streamActor({ engine, desk, maps: directory.maps, note }), options: { input: spec } }
    })
  const streams = new StreamsSupervisor(supervisor, directory, incarnate)
  lives.subscribe((life) => streams.note(life))

  let revision = 0
  const commit = (id: string, value: unknown) => {
    revision += 1
    settings.trigger.committed({ collection: 'streams', collectionRevision: revision, id, revision, value })
    return revision
  }
  return {
    ...{ within, directory, supervisor, engines, streams, noted },
    /** Close one, and engines wait there: those that are being started, or ended. */
    ...{ starts, ends },
    /** Stores a manifest as the settings writer would, and returns its revision. */
    put: (manifest: StreamManifest & { readonly id: string }): number => {
      const canonical = canonicalManifest(manifest)
      if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
      return commit(manifest.id, canonical.manifest)
    },
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
