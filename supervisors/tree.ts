// The tree of the service, in the order in which it is started. Whatever is started here stops with the scope.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { ActorRefFrom } from 'xstate'
import { ask } from '../actors/ask.ts'
import { errorKeeperActor } from '../actors/errors/error-keeper-actor.ts'
import { httpServerActor, type ServeHttp } from '../actors/http/http-server-actor.ts'
import { settingsActor } from '../actors/settings/settings-writer-actor.ts'
import { storedCollections } from '../machines/collections.ts'
import type { errorKeeperMachine } from '../machines/errors/error-keeper-machine.ts'
import type { Fault } from '../machines/errors/fault.ts'
import type { BoundAddress, httpServerMachine } from '../machines/http/http-server-machine.ts'
import type { Listeners } from '../machines/listeners.ts'
import { putOrder } from '../machines/settings/commit.ts'
import type { settingsWriterMachine } from '../machines/settings/settings-writer-machine.ts'
import { documentsOf } from '../machines/settings/store.ts'
import { canonicalManifest } from '../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../machines/stream/collection.ts'
import type { Documents } from '../native/documents/port.ts'
import type { ExtcamChildren } from './children/extcam.ts'
import type { Nt4Children } from './children/nt4.ts'
import type { StreamChildren } from './children/streams.ts'
import type { LiveDirectory } from './live-directory.ts'
import type { RecordBugs } from './supervision/bugs.ts'
import type { Incarnation } from './supervision/incarnation.ts'
import { Reconciler, type WantedChildren } from './supervision/reconciler.ts'
import { startAndWait } from './supervision/start-and-wait.ts'
import type { LifecycleEvent, Supervisor } from './supervision/supervisor.ts'

/** Names of the children that are not one of many. */
export const SETTINGS = 'settings'
export const ERRORS = 'errors'
export const HTTP = 'http'
export const HTTPS = 'https'

/** The branches, and what the trunk itself needs. demo: create the synthetic stream when none is stored. */
export interface TreeParts {
  readonly supervisor: Supervisor
  readonly lifecycle: Listeners<LifecycleEvent>
  readonly onBug: RecordBugs
  readonly directory: LiveDirectory
  readonly documents: Documents
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  readonly streams: StreamChildren
  readonly nt4: Nt4Children
  readonly extcam: ExtcamChildren
  readonly serveHttp: ServeHttp
  /** null: TLS is off. */
  readonly serveHttps: ServeHttp | null
  readonly demo: boolean
}

/**
 * Starts everything. Fails when the settings cannot be read or the API cannot listen: then there is nothing to run for. Whatever else fails is tried
 * again while the rest runs.
 */
export const startTree = (parts: TreeParts): Effect.Effect<BoundAddress, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const { supervisor, lifecycle, streams, nt4, extcam, directory } = parts
    lifecycle.add((event) => streams.show(event))
    lifecycle.add((event) => nt4.connect(event))
    yield* startAndWait(parts, settingsChild(parts), (snapshot) => snapshot.matches('ready'))
    yield* Effect.ignore(startAndWait(parts, errorsChild(parts), (snapshot) => !snapshot.matches('loading')))
    if (parts.demo) yield* createDemoStream(directory)
    yield* startReconciler(parts, nt4)
    yield* startReconciler(parts, streams)
    yield* startReconciler(parts, extcam)
    const http = { ...httpChild(HTTP, parts.serveHttp), isEssential: true }
    yield* startAndWait(parts, http, (snapshot) => snapshot.matches('listening'))
    if (parts.serveHttps) yield* supervisor.start(httpChild(HTTPS, parts.serveHttps))
    return addressOf(parts)
  })

/** Waits for the first pass, whatever becomes of it. */
const startReconciler = <Wanted>(parts: TreeParts, wanted: WantedChildren<Wanted>): Effect.Effect<void> => {
  const { child } = new Reconciler(parts.supervisor, parts.onBug, wanted)
  return Effect.ignore(startAndWait(parts, child, (snapshot) => !snapshot.matches('reconciling')))
}

const settingsChild = ({ documents, directory, record }: TreeParts) => ({
  id: SETTINGS,
  isEssential: true,
  incarnate: Effect.sync(
    (): Incarnation<typeof settingsWriterMachine> => ({
      logic: settingsActor({ documents, store: directory.settings, events: directory.events, record }),
      options: { input: { collections: storedCollections } },
    }),
  ),
})

const errorsChild = ({ documents, directory }: TreeParts) => ({
  id: ERRORS,
  incarnate: Effect.sync((): { logic: typeof errorKeeperMachine } => ({
    logic: errorKeeperActor({ documents, store: directory.errors, events: directory.events }),
  })),
})

const httpChild = (id: string, serve: ServeHttp) => ({
  id,
  incarnate: Effect.sync((): { logic: typeof httpServerMachine } => ({ logic: httpServerActor(serve) })),
})

const addressOf = ({ supervisor }: TreeParts): BoundAddress => {
  const actor = supervisor.actor(HTTP) as ActorRefFrom<typeof httpServerMachine>
  return actor.getSnapshot().context.address as BoundAddress
}

/** The stream of the demo: a robot that drives around the demo field with one camera on it. */
const createDemoStream = (directory: LiveDirectory): Effect.Effect<void> => {
  const stored = documentsOf(directory.settings, streamCollection)
  const settings = directory.actor(SETTINGS)
  const demo = canonicalManifest({
    id: 'demo',
    alias: 'Demo camera',
    source: { backend: 'synthetic' },
    pose: { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
  })
  if (!settings || !demo.ok || Object.keys(stored).length > 0) return Effect.void
  return Effect.asVoid(ask(settings, putOrder(streamCollection, demo.manifest.id, demo.manifest)))
}
