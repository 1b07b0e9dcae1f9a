// Localization with streams that a test shows frames of, at times that it sets.
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { localizationActor } from '../../../actors/localization/localization-actor.ts'
import { LocalizationRuntime } from '../../../actors/localization/localization-runtime.ts'
import type { RoundFeedParts } from '../../../actors/localization/round-feed.ts'
import { endEffects } from '../../../actors/run.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { Result } from '../../../machines/engine/result.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { DEFAULT_LOCALIZATION_CONFIG, type LocalizationConfig } from '../../../machines/localization/config.ts'
import { LOCALIZATION_DOCUMENT, localizationCollection } from '../../../machines/localization/config-collection.ts'
import type { ExternalMeasurement } from '../../../machines/localization/external/output-slot.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { frame, intrinsics, layout } from '../../machines/extcam/frames.ts'
import { settle, simulatedClock } from '../clock/clock.ts'
import { HandClock } from '../clock/hand-clock.ts'
import { setState, storedStream, streamRuntime } from '../engine/stream-runtime.ts'
import type { Lifetime } from '../lifetime.ts'

const POSE = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** What a frame shows of tags: none of them, through a lens of 900 pixels, from a camera that has a place. */
const EMPTY = Float64Array.of(900, 900, 0.3, 0, 0.5, 1, 0, 0, 0, 1, 0)

type Manifest = StreamManifest & { readonly id: string }

const OPENED = {
  width_px: 1280,
  height_px: 800,
  crop: null,
  fps: 30,
  pixel_format: 'gray8',
  timestamp_source: 'driver',
  intrinsics,
  layout,
} as const

/**
 * Streams that are live and can be used, by id, but for one that is called loose: nobody has said where that camera
 * sits. Localization solves from them until the test ends.
 */
export const solvingStreams = async (
  t: Lifetime,
  ids: readonly string[],
  makeSolver: RoundFeedParts['makeSolver'],
  changes: (id: string) => Partial<Manifest> = () => ({}),
) => {
  const clock = new HandClock()
  const times = simulatedClock()
  const streamsChanged = new Listeners<void>()
  const mapsChanged = new Listeners<void>()
  const maps = new Map<string, FieldMap>([[demoMap.id, demoMap]])
  const link = new Latest<Nt4Session | undefined>()
  const settings = createSettingsStore()
  const streams: StreamRuntime[] = []
  const faults: Fault[] = []
  const runtime = new LocalizationRuntime(clock.monotonicUs)
  const measured = new Latest<ExternalMeasurement>()
  const add = (id: string): StreamRuntime => {
    const stream = streamRuntime({
      id,
      source: { backend: 'synthetic' },
      ...(id !== 'loose' && { pose: POSE }),
      ...changes(id),
    })
    stream.engine.opened.set(OPENED)
    stream.results.set(resultOf(0))
    setState(stream, 'live')
    streams.push(stream)
    streamsChanged.notify()
    return stream
  }
  for (const id of ids) add(id)
  const logic = localizationActor({
    runtime,
    streams: { all: () => streams, subscribe: (listener) => streamsChanged.add(listener) },
    settings,
    maps: () => maps,
    hashOf: ({ tags }) => `hash of ${tags.length}`,
    onMaps: (listener) => mapsChanged.add(listener),
    measured,
    link,
    clock,
    makeSolver,
    record: (fault) => faults.push(fault),
    later: clock.later,
  })
  const actor = createActor(logic, { clock: times })
  const crashes: unknown[] = []
  actor.subscribe({ error: (bug) => crashes.push(bug) })
  actor.start()
  await settle()
  t.after(() => Effect.runPromise(endEffects(actor)))
  let revision = 0
  const streamOf = (id: string) => streams.find((stream) => stream.id === id) as StreamRuntime
  return {
    actor,
    clock,
    link,
    measured,
    maps,
    runtime,
    crashes,
    faults,
    add,
    streamOf,
    state: () => actor.getSnapshot().value,
    /** Time passes. */
    advance: (ms: number) => {
      clock.advance(ms)
      times.increment(ms)
    },
    mapsChanged: () => mapsChanged.notify(),
    drop: (id: string) => {
      streams.splice(streams.indexOf(streamOf(id)), 1)
      streamsChanged.notify()
    },
    store: (id: string, manifest: Partial<Manifest>) => {
      const stream = streamOf(id)
      stream.store(storedStream(stream.stored.revision + 1, { ...stream.manifest, ...manifest } as Manifest))
      streamsChanged.notify()
    },
    configure: (config: Partial<LocalizationConfig>) => {
      revision += 1
      settings.trigger.committed({
        collection: localizationCollection.name,
        collectionRevision: revision,
        collectionBase: 0,
        id: LOCALIZATION_DOCUMENT,
        revision,
        value: { ...DEFAULT_LOCALIZATION_CONFIG, ...config },
      })
    },
    /** A frame that was exposed so long ago arrives. */
    show: (id: string, agoMs = 20) => streamOf(id).results.set(resultOf(clock.monotonicUs() - agoMs * 1000)),
    /** A frame that was exposed then arrives. */
    showAt: (id: string, capturedUs: number, observation: Float64Array = EMPTY) =>
      streamOf(id).results.set({ ...resultOf(capturedUs), observation }),
    /** The same of a pipeline that looks for no tags. */
    showBlind: (id: string) => streamOf(id).results.set(frame({ capturedUs: clock.monotonicUs() })),
  }
}

const resultOf = (capturedUs: number): Result => ({ ...frame({ capturedUs }), observation: EMPTY })
