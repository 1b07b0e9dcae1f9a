// The resource guard on streams of which a test says how they are, and a device of which it says how that does.
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { guardActor } from '../../../actors/guard/guard-actor.ts'
import { GuardView } from '../../../actors/guard/guard-view.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../../machines/guard/settings.ts'
import { GUARD_DOCUMENT, guardCollection } from '../../../machines/guard/settings-collection.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { type SystemMetrics, systemMetricsExample } from '../../../machines/system/metrics.ts'
import type { EngineOpened } from '../../../native/engine/port.ts'
import { HandClock } from '../clock/hand-clock.ts'
import { setState, storedStream, streamRuntime } from '../engine/stream-runtime.ts'

/** A device of that temperature. */
export const hot = (celsius: number): SystemMetrics => ({
  ...systemMetricsExample,
  temperature: { celsius, limit_celsius: 85, sensors: [] },
})

const opened: EngineOpened = {
  width_px: 1280,
  height_px: 800,
  fps: 30,
  pixel_format: 'gray8',
  crop: null,
  timestamp_source: 'arrival',
  intrinsics: null,
  layout: { stages: [], outputs: [] },
}
const source = { backend: 'images', path: '/pictures', fps: 30 } as const

/** Streams that are live and watched, in order of creation. */
export const guardedStreams = (t: TestContext, ids: readonly string[]) => {
  const clock = new HandClock()
  const changed = new Listeners<void>()
  const store = createSettingsStore()
  const told: unknown[] = []
  const recorded: Fault[] = []
  const stopped: string[] = []
  const view = new GuardView()
  const streams = ids.map((id) => {
    const stream = streamRuntime({ id, source }, { clock })
    stream.engine.opened.set(opened)
    stream.viewers.pictures.watch({ max_width_px: 0, quality: 50, overlay: false, fps: 0 })
    setState(stream, 'live')
    return stream
  })
  let needs = 0
  const latest = new Latest<SystemMetrics | undefined>()
  const need = Effect.acquireRelease(
    Effect.sync(() => void needs++),
    () => Effect.sync(() => void needs--),
  )
  const actor = createActor(
    guardActor({
      streams: {
        all: () => streams,
        get: (id) => streams.find((stream) => stream.id === id),
        subscribe: (listener) => changed.add(listener),
      },
      clock: { ...clock, nowMs: clock.nowMs, onSet: () => () => {}, wait: () => Promise.resolve() },
      settings: store,
      events: { publish: (_, fact) => told.push(fact) as never },
      metrics: { latest, need },
      view,
      record: (fault) => recorded.push(fault),
      stopRecording: (id) => stopped.push(id),
      isAllowed: true,
      later: clock.later,
    }),
  )
  actor.subscribe({ error: () => {} })
  t.after(() => Effect.runPromise(endEffects(actor)))
  actor.start()
  return {
    actor,
    clock,
    streams,
    view,
    told,
    recorded,
    stopped,
    needs: () => needs,
    /** So many seconds, in each of which the device tells that. */
    seconds: (count: number, metrics: SystemMetrics) => {
      for (let n = 0; n < count; n++) {
        clock.advance(1_000)
        latest.set(metrics)
      }
    },
    set: (settings: Partial<typeof DEFAULT_GUARD_SETTINGS>) => {
      const value = { ...DEFAULT_GUARD_SETTINGS, ...settings }
      const commit = { collection: guardCollection.name, collectionRevision: 1, collectionBase: 0, revision: 1 }
      store.trigger.committed({ ...commit, id: GUARD_DOCUMENT, value })
    },
    /** A stream is to run, or is not any more. */
    enable: (id: string, enabled: boolean) => {
      streams.find((stream) => stream.id === id)?.store(storedStream(2, { id, source, enabled }))
      changed.notify()
    },
  }
}
