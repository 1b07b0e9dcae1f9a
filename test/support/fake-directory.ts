// A directory without a device: real stores, a real event bus and a real settings writer that keeps nothing, desks fed by hand.
import * as Effect from 'effect/Effect'
import { type AnyActorRef, createActor } from 'xstate'
import type { Directory, Part } from '../../actors/directory.ts'
import { errorKeeperActor } from '../../actors/errors/error-keeper-actor.ts'
import { createEventBus, type EventBus } from '../../actors/events/event-bus.ts'
import { settingsActor } from '../../actors/settings/settings-writer-actor.ts'
import { StreamDesk } from '../../actors/stream/stream-desk.ts'
import { reconcilerActor } from '../../actors/supervision/reconciler-actor.ts'
import { storedCollections } from '../../machines/collections.ts'
import { createErrorHistoryStore } from '../../machines/errors/history.ts'
import { Latest } from '../../machines/latest.ts'
import { demoMap } from '../../machines/localization/field-map.ts'
import { NT4_DOCUMENT, type Nt4Settings, nt4Collection } from '../../machines/nt4/settings.ts'
import { createSettingsStore, documentOf, documentsOf } from '../../machines/settings/store.ts'
import { canonicalManifest } from '../../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import type { Pass } from '../../machines/supervision/reconciler-machine.ts'
import { FakeDocuments } from '../../native/documents/fake.ts'
import { fakeMedia } from '../../native/media/fake.ts'
import type { MediaPort } from '../../native/media/port.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { settle } from './clock.ts'

/** The fake, and what a test does to it. */
export interface FakeDirectory {
  readonly directory: Directory
  readonly events: EventBus
  /** Set its `fault` to make writes fail. */
  readonly documents: FakeDocuments
  readonly nt4: Latest<Nt4Session | undefined>
  /** The children whose restart was ordered. */
  readonly restarts: readonly string[]
  /** Stores a stream and returns its desk. */
  readonly addStream: (manifest: StreamManifest) => Promise<StreamDesk>
  /** Moves both clocks. */
  readonly advanceMs: (ms: number) => void
  /** Takes an actor away, as while it is being restarted. */
  readonly takeDown: (name: string) => void
  readonly stop: () => void
}

const START_MS = 1_767_225_600_000

export const fakeDirectory = (media: MediaPort = fakeMedia()): FakeDirectory => {
  let nowMs = START_MS
  const clock = { nowMs: () => nowMs, monotonicUs: () => (nowMs - START_MS + 1_000_000) * 1000 }
  const settings = createSettingsStore()
  const errors = createErrorHistoryStore()
  const events = createEventBus({ epoch: 'fake', nowMs: clock.nowMs })
  const documents = new FakeDocuments()
  const streams = new Map<string, StreamDesk>()
  const nt4 = new Latest<Nt4Session | undefined>()

  settings.subscribe(() => {
    const wanted = documentsOf(settings, streamCollection)
    for (const id of streams.keys()) if (!Object.hasOwn(wanted, id)) streams.delete(id)
    for (const id of Object.keys(wanted)) if (!streams.has(id)) streams.set(id, new StreamDesk(id, nowMs))
  })
  const open = Effect.runSync(documents.open)
  const restarts: string[] = []
  const pass = ({ restart }: Pass) =>
    Effect.as(
      Effect.sync(() => restarts.push(...restart)),
      [],
    )
  const actors = new Map<string, AnyActorRef>([
    [
      'settings',
      createActor(settingsActor({ documents: open, store: settings, events, record: () => {} }), {
        input: { collections: storedCollections },
      }).start(),
    ],
    ['errors', createActor(errorKeeperActor({ documents: open, store: errors, events })).start()],
    ['streams', createActor(reconcilerActor({ watch: () => () => {}, pass })).start()],
  ])
  const parts: Part[] = [{ name: 'settings', state: 'running', since_ms: START_MS, restarts: 0, fault: null }]
  const atStart: Nt4Settings = { target: 'serve', client_name: 'vedette', emulate_extcam_api: true }

  const directory: Directory = {
    identity: { version: '0.0.0-fake', epoch: 'fake', started_at_ms: START_MS },
    clock,
    settings,
    errors,
    events,
    maps: () => new Map([[demoMap.id, demoMap]]),
    media,
    streams,
    nt4,
    nt4Settings: () => {
      const stored = documentOf(settings, nt4Collection, NT4_DOCUMENT)
      return { revision: stored?.revision ?? 0, value: { ...atStart, ...stored?.value } }
    },
    actor: (name) => actors.get(name) as ReturnType<typeof directory.actor<typeof name>>,
    parts: () => parts,
  }
  return {
    directory,
    events,
    documents,
    nt4,
    restarts,
    addStream: async (manifest) => {
      const canonical = canonicalManifest(manifest)
      if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
      const { id } = canonical.manifest
      actors
        .get('settings')
        ?.send({ type: 'document.put', ask: 0, collection: 'streams', id, value: canonical.manifest })
      await settle()
      return streams.get(id) as StreamDesk
    },
    advanceMs: (ms) => {
      nowMs += ms
    },
    takeDown: (name) => {
      actors.delete(name)
    },
    stop: () => {
      for (const actor of actors.values()) actor.stop()
    },
  }
}
