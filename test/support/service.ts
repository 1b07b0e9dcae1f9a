// The service as it is, put together with fake ports: what a test does to the world around it, and what it sees of the
// inside.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { askNow } from '../../actors/ask.ts'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { deleteOrder, putOrder } from '../../machines/settings/commit.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import type { StreamState, StreamStatus } from '../../machines/stream/status.ts'
import type { ActorNamed, Command } from '../../machines/supervision/actors.ts'
import type { Policy } from '../../machines/supervision/policy.ts'
import type { Resolve } from '../../machines/token.ts'
import { FakeClock } from '../../native/clock/fake.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { FakeDocuments } from '../../native/documents/fake.ts'
import { DOCUMENTS } from '../../native/documents/port.ts'
import { type FakeEngine, type FakeEngines, fakeEngines } from '../../native/engine/fake/fake.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { FakeNt4Port } from '../../native/nt4/fake.ts'
import { NT4 } from '../../native/nt4/port.ts'
import type { Branch } from '../../supervisors/composition/branch.ts'
import { compose, fakePorts } from '../../supervisors/composition/compose.ts'
import { type Binding, value } from '../../supervisors/composition/container.ts'
import { SUPERVISOR } from '../../supervisors/composition/tokens.ts'
import { httpBranch } from '../../supervisors/http/branch.ts'
import { defaultOptions, type Options } from '../../supervisors/options.ts'
import { tree } from '../../supervisors/tree.ts'
import type { Lifetime } from './lifetime.ts'
import { until } from './until.ts'

/** A line of the log. */
export type Line = readonly [level: string, message: string, facts: Readonly<Record<string, unknown>>]

/** A service, and the fakes that it runs on. */
export interface FakeService {
  readonly resolve: Resolve
  readonly directory: Directory
  readonly streams: StreamRegistry
  readonly clock: FakeClock
  /** Set its `fault` to make writes fail. */
  readonly documents: FakeDocuments
  readonly nt4: FakeNt4Port
  readonly lines: readonly Line[]
  /** Starts branches that were not started at once. */
  readonly start: (...branches: readonly Branch[]) => Promise<void>
  /** The engine that a stream has now. */
  readonly engine: (id: string) => FakeEngine
  /** Stores a manifest and returns its revision. */
  readonly put: (manifest: Manifest) => Promise<number>
  readonly drop: (id: string) => Promise<void>
  /** Stores a stream, and returns it once its camera is open. */
  readonly addStream: (manifest: Manifest) => Promise<StreamRuntime>
  readonly status: (id: string) => StreamStatus | undefined
  /** Waits until a stream is in a state. */
  readonly state: (id: string, state: StreamState) => Promise<StreamStatus | undefined>
  /** Takes a child away, as it is while it is started again. */
  readonly takeDown: (id: string) => Promise<void>
}

type Manifest = StreamManifest & { readonly id: string }

/** What a service is to be other than usual. */
export interface ServiceParts {
  /** Over those of a start of which nothing was said. */
  readonly options?: Partial<Options>
  /** By hand, if nothing is said. */
  readonly engines?: FakeEngines
  /** That of the fakes, for engines that show it. */
  readonly clock?: FakeClock
  /** What is stored already. */
  readonly documents?: FakeDocuments
  /** Over the fakes. */
  readonly ports?: readonly Binding[]
  readonly policy?: Policy
  /** Those that are started; all but HTTP, if nothing is said. */
  readonly branches?: readonly Branch[]
  /** Beside those of the tree; started too. */
  readonly added?: readonly Branch[]
}

/** A service that has started; it ends with the test. */
export const fakeService = async (t: Lifetime, parts: ServiceParts = {}): Promise<FakeService> => {
  const scope = Scope.makeUnsafe()
  t.after(() => {
    if ('mock' in t) (t as TestContext).mock.timers.reset() // a mocked clearTimeout ends no timer that began before
    return Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const within = <Value, Failure>(effect: Effect.Effect<Value, Failure, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(effect, scope))
  const { branches = tree.filter((each) => each !== httpBranch), added = [], policy, ports = [] } = parts
  const { clock = new FakeClock(), documents = new FakeDocuments() } = parts
  const nt4 = new FakeNt4Port()
  const engines = parts.engines ?? fakeEngines({ nowUs: clock.monotonicUs, byHand: true })
  const lines: Line[] = []
  const composed = compose({
    branches: [...tree, ...added],
    options: { ...defaultOptions(), dataDir: '/nowhere', demo: false, nt4: 'off', ...parts.options },
    ports: [
      ...fakePorts(tree),
      ...[value(CLOCK, clock), value(DOCUMENTS, documents), value(ENGINES, engines), value(NT4, nt4)],
      ...ports,
    ],
    log: (level, message, facts = {}) => lines.push([level, message, facts]),
    version: '0.0.0-fake',
    ...(policy && { policy }),
  })
  const { resolve } = await within(composed)
  const start: FakeService['start'] = (...some) =>
    within(Effect.forEach(some, (branch) => branch.start(resolve), { discard: true }))
  await start(...branches, ...added)

  const directory = resolve(DIRECTORY)
  const streams = resolve(STREAM_REGISTRY)
  const status = (id: string) => streams.get(id)?.status()
  const write = async (order: Command<'settings'>): Promise<number> => {
    const answer = await askNow(directory.actor('settings') as ActorNamed<'settings'>, order)
    if (answer.outcome !== 'done') throw new Error(answer.fault.detail)
    return answer.value?.revision as number
  }
  const put = (manifest: Manifest): Promise<number> => {
    const canonical = canonicalManifest(manifest)
    if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
    return write(putOrder(streamCollection, manifest.id, canonical.manifest))
  }
  return {
    resolve,
    directory,
    streams,
    clock,
    documents,
    nt4,
    lines,
    start,
    put,
    status,
    engine: (id) => engines.alive.find(({ name }) => name === id) as FakeEngine,
    drop: async (id) => void (await write(deleteOrder(streamCollection, id, {}))),
    addStream: async (manifest) => {
      await put(manifest)
      const stream = streams.get(manifest.id) as StreamRuntime
      await until(`the camera of ${manifest.id}`, () => stream.engine.opened.value)
      return stream
    },
    state: (id, state) =>
      until(
        `${id} ${state}`,
        () => status(id),
        (now) => now?.state === state,
      ),
    takeDown: (id) => Effect.runPromise(resolve(SUPERVISOR).stop(id)),
  }
}
