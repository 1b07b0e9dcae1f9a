// A stream's effects: its camera opened in the engine of this incarnation, and the engine's doings turned into facts
// for the machine.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { SlotGraph } from '../../machines/stream/slots.ts'
import { attachedStreamOf } from '../../machines/stream/sources/traits.ts'
import {
  type Opening,
  type StreamActions,
  type StreamEffects,
  type StreamEvent,
  streamMachine,
} from '../../machines/stream/stream-machine.ts'
import type { Engine } from '../../native/engine/port.ts'
import { fromEffect, fromScoped } from '../run.ts'
import { controlsOf } from './camera-controls.ts'
import { engineTask } from './engine-task.ts'
import { followEngine } from './follow-engine.ts'
import { followGraph } from './follow-graph.ts'
import { planTrialOf } from './plan-trial.ts'
import { RobotOrders } from './robot-orders.ts'
import { StreamCamera } from './stream-camera.ts'
import type { StreamDevice } from './stream-device.ts'
import { StreamPipeline } from './stream-pipeline.ts'
import type { StreamRuntime } from './stream-runtime.ts'
import { watchFrames } from './watch-frames.ts'

/** What one incarnation of a stream works with. */
export interface StreamParts {
  /** Its own, which goes with it. */
  readonly engine: Engine
  readonly stream: StreamRuntime
  readonly device: StreamDevice
  /** Enters a fault in the error history. times: how often it happened. */
  readonly record: (fault: Fault, times?: number) => void
}

/** The stream machine with its effects, on one engine. */
export const streamActor = ({ engine, stream, device, record }: StreamParts) => {
  const camera = new StreamCamera({ ...device, record })
  const pipeline = new StreamPipeline(engine, stream.engine.pipelines)
  const robot = new RobotOrders(engine, stream)
  const explain = (fault: Fault, manifest = stream.manifest): Fault => {
    const attached = attachedStreamOf(manifest.source)
    return attached ? device.remote.explained(attached, fault) : camera.explained(fault, manifest)
  }
  const warn = (fault: Fault, times: number) => {
    stream.engine.warn(fault, times)
    record(fault, times)
  }
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
        if (refusal) warn(refusal, 1)
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
          stream.engine.map.set(undefined)
          const manifest = yield* pipeline.manifestFor(opening)
          camera.opening(manifest)
          const task = yield* engineTask(manifest, robot.mountOfTask(manifest), device)
          stream.engine.map.set(task.map)
          robot.sendLive(manifest)
          const open = Effect.mapError(engine.open(task), (fault) => explain(fault, manifest))
          const opened = yield* pipeline.opened(manifest, task.plan, open)
          stream.engine.opened.set(opened)
          stream.engine.controls.set(controlsOf(engine, (id, value) => stream.controlWasSet(id, value)))
          engine.setPictureKinds(stream.viewers.pictures.wanted())
          robot.sendOtherMount(manifest)
          robot.sendRewind(manifest)
          engine.setVideo(stream.viewers.video.wanted)
          return manifest.pipeline
        }),
      ),
      switchPlan: fromEffect(({ value }: StoredValue<CanonicalManifest>) => pipeline.switchedTo(value)),
      resetCamera: fromEffect(({ value }: StoredValue<CanonicalManifest>) => camera.reset(value)),
      cyclePower: fromEffect(({ value }: StoredValue<CanonicalManifest>) => camera.cyclePower(value)),
      pingEngine: fromEffect(() => engine.ping),
      followGraph: fromEffect((graph: SlotGraph | null) =>
        followGraph(graph, { pipeline, manifest: stream.manifest, write: device.write }),
      ),
      watchEngine: fromScoped<never, void, StreamEvent>((_, talk) =>
        Effect.gen(function* () {
          const tryPlan = planTrialOf({
            engine,
            record: stream.engine.pipelines,
            manifest: () => stream.manifest,
            isOpen: () => stream.status().state === 'live',
          })
          stream.engine.start(engine, tryPlan)
          const stops = followEngine({ engine, stream, device, camera, pipeline, robot, explain, warn }, talk)
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              stream.engine.end()
              for (const stop of stops) stop()
            }),
          )
          return yield* watchFrames(stream, talk)
        }),
      ),
    } satisfies Required<StreamEffects>,
  })
}
