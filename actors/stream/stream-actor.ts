// A stream's effects: its camera opened in the engine of this incarnation, and the engine's doings turned into facts for the machine.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { runsModel } from '../../machines/pipeline/model-findings.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { SlotGraph } from '../../machines/stream/slots.ts'
import { attachedStreamOf } from '../../machines/stream/sources/traits.ts'
import { isSilent, LOOK_EVERY_MS, lookedAgain, type Watched } from '../../machines/stream/stall.ts'
import {
  type Opening,
  type StreamActions,
  type StreamEffects,
  type StreamEvent,
  streamMachine,
} from '../../machines/stream/stream-machine.ts'
import type { CamerasPort } from '../../native/cameras/port.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Engine, EngineEvent, EngineTask } from '../../native/engine/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import type { MediaRootsPort } from '../../native/media-roots/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import { fromEffect, fromScoped, type Talk } from '../run.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import { controlsOf } from './camera-controls.ts'
import { engineSource, type PeerPictures } from './camera-source.ts'
import { followGraph } from './follow-graph.ts'
import { planTrialOf } from './plan-trial.ts'
import { RobotOrders } from './robot-orders.ts'
import { StreamCamera } from './stream-camera.ts'
import { planOf, StreamPipeline } from './stream-pipeline.ts'
import type { StreamRuntime } from './stream-runtime.ts'
import type { RecordingPaths } from './video-source.ts'

/** What one incarnation of a stream works with. record: enters a fault in the error history; times: how often it happened. */
export interface StreamParts {
  readonly engine: Engine
  readonly stream: StreamRuntime
  readonly maps: () => ReadonlyMap<string, FieldMap>
  readonly media: MediaRootsPort
  readonly store: RecordingPaths & Pick<MediaStore, 'news'>
  readonly cameras: Cameras
  readonly remote: PeerPictures
  readonly cameraPort: Pick<CamerasPort, 'reset'>
  readonly clock: Pick<Clock, 'monotonicUs' | 'nowMs'>
  /** The manifests of all streams. */
  readonly others: () => readonly CanonicalManifest[]
  readonly record: (fault: Fault, times?: number) => void
  readonly write: WriteSettings
}

/** The stream machine with its effects, on one engine. */
export const streamActor = ({
  engine,
  stream,
  maps,
  media,
  store,
  cameras,
  remote,
  cameraPort,
  clock,
  others,
  record,
  write,
}: StreamParts) => {
  const camera = new StreamCamera({ cameras, port: cameraPort, clock, others, record })
  const explained = (fault: Fault, manifest: CanonicalManifest): Fault => {
    const attached = attachedStreamOf(manifest.source)
    return attached ? remote.explained(attached, fault) : camera.explained(fault, manifest)
  }
  const warned = (fault: Fault, times: number) => {
    stream.engine.warn(fault, times)
    record(fault, times)
  }
  const pipeline = new StreamPipeline(engine, stream.engine.pipelines)
  const robot = new RobotOrders(engine, stream)
  return streamMachine.provide({
    actions: {
      reportApplied: ({ context: { applied } }) => {
        if (applied) stream.engine.applied.set(applied)
      },
      sendMount: ({ context }) => robot.sendMount(context.stored.value),
      sendRewind: ({ context }) => robot.sendRewind(context.stored.value),
      record: ({ context }) => {
        if (!context.fault) return
        camera.lost(context.fault, context.stored.value)
        record(context.fault)
      },
      reportRecovered: () => camera.live(),
      reportRefused: ({ context: { refusal } }) => {
        if (refusal) warned(refusal, 1)
      },
      reportHealthy: () => stream.engine.pipelines.runsWell(),
      reportEngineLost: ({ context: { fault } }) => {
        if (fault) stream.engine.pipelines.engineLost(fault)
      },
    } satisfies Required<StreamActions>,
    actors: {
      openCamera: fromEffect((opening: Opening) =>
        Effect.gen(function* () {
          if (opening.runs === 'stored') stream.engine.forgetWarnings()
          stream.engine.controls.set(null)
          stream.engine.stamped.set(undefined)
          const manifest = yield* pipeline.manifestFor(opening)
          camera.opening(manifest)
          const task = yield* taskOf(
            manifest,
            { maps, media, store, cameras, remote, others },
            robot.mountOfTask(manifest),
          )
          robot.tellLive(manifest)
          const open = Effect.mapError(engine.open(task), (fault) => explained(fault, manifest))
          const opened = yield* pipeline.opened(manifest, task.plan, open)
          stream.engine.opened.set(opened)
          stream.engine.controls.set(controlsOf(engine, (id, value) => stream.controlWasSet(id, value)))
          engine.setPictureKinds(stream.viewers.pictures.wanted())
          robot.tellOtherMount(manifest)
          robot.sendRewind(manifest)
          engine.setVideo(stream.viewers.video.wanted)
          return manifest.pipeline
        }),
      ),
      switchPlan: fromEffect(({ value }: StoredValue<CanonicalManifest>) => pipeline.switchedTo(value)),
      resetCamera: fromEffect(({ value }: StoredValue<CanonicalManifest>) => camera.reset(value)),
      pingEngine: fromEffect(() => engine.ping),
      followGraph: fromEffect((graph: SlotGraph | null) =>
        followGraph(graph, { pipeline, manifest: stream.manifest, write }),
      ),
      watchEngine: fromScoped<never, void, StreamEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const tryPlan = planTrialOf({
            engine,
            record: stream.engine.pipelines,
            manifest: () => stream.manifest,
            isOpen: () => stream.status().state === 'live',
          })
          stream.engine.start(engine, tryPlan)
          const subscriptions = [
            ...robot.follow(guard),
            engine.subscribe(
              guard((event) => {
                if (event.type === 'lost') stream.engine.controls.set(null)
                if (event.type === 'rewind') stream.engine.rewound.set(event.kept)
                if (event.type === 'stamped') stream.engine.stamped.set(event.timestamp_source)
                if (event.type === 'video-failed') {
                  warned(event.fault, 1)
                  stream.viewers.video.fail()
                }
                const isLoss = event.type === 'lost'
                report(isLoss ? { ...event, fault: explained(event.fault, stream.manifest) } : event, send, warned)
              }),
            ),
            stream.sourceClock.subscribe(guard((known) => engine.setSourceClock(known))),
            stream.viewers.pictures.subscribe(guard(() => engine.setPictureKinds(stream.viewers.pictures.wanted()))),
            stream.viewers.video.subscribe(
              guard((what) => (what === 'key' ? engine.wantVideoKey() : engine.setVideo(stream.viewers.video.wanted))),
            ),
            store.news.add(
              guard(({ name }) => {
                const { value: slot } = stream.graph
                if (slot?.stored && runsModel(slot.stored.value, name)) {
                  stream.engine.pipelines.forgive()
                  send({ type: 'graph.changed', graph: slot })
                }
                if (!runsModel(stream.manifest.pipeline, name)) return
                pipeline.hasReadOther()
                send({ type: 'model.changed' })
              }),
            ),
            stream.graph.subscribe(guard((graph) => send({ type: 'graph.changed', graph }))),
            camera.onAppeared(
              () => stream.manifest,
              guard(() => send({ type: 'camera.appeared' })),
            ),
          ]
          stream.engine.door.set(engine.door)
          if (stream.sourceClock.value) engine.setSourceClock(stream.sourceClock.value)
          if (stream.graph.value) send({ type: 'graph.changed', graph: stream.graph.value })
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              stream.engine.end()
              for (const unsubscribe of subscriptions) unsubscribe()
            }),
          )
          return yield* watchFrames(stream, send, guard)
        }),
      ),
    } satisfies Required<StreamEffects>,
  })
}

const report = (
  event: EngineEvent,
  send: (event: StreamEvent) => void,
  warned: (fault: Fault, times: number) => void,
): void => {
  if (event.type === 'first-frame') send({ type: 'frames.started' })
  else if (event.type === 'ended') send({ type: 'camera.ended' })
  else if (event.type === 'lost') send({ type: 'camera.lost', fault: event.fault })
  else if (event.type === 'exited') send({ type: 'engine.exited', fault: event.fault })
  else if (event.type === 'warned') warned(event.fault, event.count)
}

/**
 * Says when frames stop coming and when they come again. Frames themselves never enter the mailbox.
 *
 * Looks are counted, not time: whatever keeps this process from running keeps it from reading frames as well, and before each look it reads those that came.
 */
const watchFrames = (
  stream: StreamRuntime,
  send: (event: StreamEvent) => void,
  guard: Talk<StreamEvent>['guard'],
): Effect.Effect<never> =>
  Effect.callback(() => {
    let watched: Watched = { frames: stream.meter.frames, quietMs: 0 }
    let wasSilent = false
    const look = () => {
      watched = lookedAgain(watched, stream.meter.frames)
      const silent = isSilent(watched, stream.engine.opened.value?.fps)
      if (silent !== wasSilent) send({ type: silent ? 'frames.stopped' : 'frames.started' })
      wasSilent = silent
    }
    const timer = setInterval(guard(look), LOOK_EVERY_MS) // a fibre that sleeps wakes up twice for each tick, and through much more code
    return Effect.sync(() => clearInterval(timer))
  })

const taskOf = (
  manifest: CanonicalManifest,
  {
    maps,
    media,
    store,
    cameras,
    remote,
    others,
  }: Pick<StreamParts, 'maps' | 'media' | 'store' | 'cameras' | 'remote' | 'others'>,
  mount: PoseDocument | null,
): Effect.Effect<EngineTask, Fault> =>
  Effect.gen(function* () {
    const known = maps()
    const map = known.get(manifest.map_id)
    if (!map) {
      const detail = `There is no field map ${manifest.map_id}; put its file into the maps folder, or set map_id to one of: ${[...known.keys()].join(', ')}.`
      return yield* Effect.fail<Fault>({ code: 'map.not_found', detail })
    }
    const plan = yield* planOf(manifest)
    const source = yield* Effect.promise(() => engineSource(manifest, { cameras, all: others(), store, remote }))
    if (isFault(source)) return yield* Effect.fail(source)
    const { crop = null, intrinsics = null, pose = null, media_grants = [], internal, extcam } = manifest
    const roots = yield* Effect.promise(() => media.roots())
    const media_roots = [...roots.map(({ real }) => real), ...media_grants]
    const sightings = !internal && extcam?.enabled !== false // one that begins to be published later has the control process make them
    return { source, crop, media_roots, intrinsics, mount, true_mount: pose, map, plan, sightings }
  })
