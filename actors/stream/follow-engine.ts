// An engine that runs, and what is to reach it: what it says becomes facts for the stream's machine and its slots, and
// what others want of the stream is sent to it as it changes.
import type { Fault } from '../../machines/errors/fault.ts'
import { canonicalContent } from '../../machines/localization/maps/hash.ts'
import type { GraphDraft } from '../../machines/pipeline/graph.ts'
import { onTypesChanged } from '../../machines/pipeline/known-types.ts'
import { runsModel } from '../../machines/pipeline/model-findings.ts'
import { pluginOf } from '../../machines/pipeline/plugin-step.ts'
import type { StreamEvent } from '../../machines/stream/stream-machine.ts'
import type { Engine, EngineEvent } from '../../native/engine/port.ts'
import type { Talk } from '../run.ts'
import type { RobotOrders } from './robot-orders.ts'
import type { StreamCamera } from './stream-camera.ts'
import type { StreamDevice } from './stream-device.ts'
import type { StreamPipeline } from './stream-pipeline.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/** What one incarnation of a stream is made of. */
export interface FollowParts {
  readonly engine: Engine
  readonly stream: StreamRuntime
  readonly device: Pick<StreamDevice, 'maps' | 'mapNews'> & { readonly store: Pick<StreamDevice['store'], 'news'> }
  readonly camera: StreamCamera
  readonly pipeline: StreamPipeline
  readonly robot: RobotOrders
  /** A fault of the camera, in words that say what can be done. */
  readonly explain: (fault: Fault) => Fault
  /** Shows a warning with the stream, and enters it in the error history. */
  readonly warn: (fault: Fault, times: number) => void
}

type Telling = Pick<Talk<StreamEvent>, 'send' | 'guard'>

/** Says what is there already, and goes on with what comes; returns the ways to stop that. */
export const followEngine = (parts: FollowParts, telling: Telling): readonly (() => void)[] => {
  const { engine, stream, robot, camera } = parts
  const { send, guard } = telling
  const { pictures, video } = stream.viewers
  const stops = [
    ...robot.follow(guard),
    engine.subscribe(guard((event) => take(event, parts, send))),
    stream.sourceClock.subscribe(guard((known) => engine.setSourceClock(known))),
    pictures.subscribe(guard(() => engine.setPictureKinds(pictures.wanted()))),
    video.subscribe(guard((what) => (what === 'key' ? engine.wantVideoKey() : engine.setVideo(video.wanted)))),
    followModels(parts, telling),
    followMap(parts, telling),
    followPlugins(parts, telling),
    stream.graph.subscribe(guard((graph) => send({ type: 'graph.changed', graph }))),
    camera.onAppeared(
      () => stream.manifest,
      guard(() => send({ type: 'camera.appeared' })),
    ),
  ]
  stream.engine.handover.set(engine.handover)
  if (stream.sourceClock.value) engine.setSourceClock(stream.sourceClock.value)
  if (stream.graph.value) send({ type: 'graph.changed', graph: stream.graph.value })
  return stops
}

const take = (event: EngineEvent, { stream, explain, warn }: FollowParts, send: Telling['send']): void => {
  if (event.type === 'first-frame') send({ type: 'frames.started' })
  else if (event.type === 'ended') send({ type: 'camera.ended' })
  else if (event.type === 'exited') send({ type: 'engine.exited', fault: event.fault })
  else if (event.type === 'warned') warn(event.fault, event.count)
  else if (event.type === 'rewind') stream.engine.rewound.set(event.kept)
  else if (event.type === 'stamped') stream.engine.stamped.set(event.timestamp_source)
  else if (event.type === 'video-failed') {
    warn(event.fault, 1)
    stream.viewers.video.fail()
  } else if (event.type === 'lost') {
    stream.engine.controls.set(null)
    send({ type: 'camera.lost', fault: explain(event.fault) })
  }
}

/** A model was stored again: what runs it has read the previous one, and what could not run may run now. */
const followModels = ({ stream, device: { store }, pipeline }: FollowParts, { send, guard }: Telling): (() => void) =>
  store.news.add(
    guard(({ name }) => {
      const { value: slot } = stream.graph
      if (slot?.stored && runsModel(slot.stored.value, name)) {
        stream.engine.pipelines.forgive()
        send({ type: 'graph.changed', graph: slot })
      }
      if (!runsModel(stream.wanted.value.pipeline, name)) return
      pipeline.hasReadOther()
      send({ type: 'model.changed' })
    }),
  )

/** A plugin has come, gone or changed whose node it has: what could not run may run now, and the other way round. */
const followPlugins = ({ stream, pipeline }: FollowParts, { send, guard }: Telling): (() => void) =>
  onTypesChanged(
    guard(() => {
      const { value: slot } = stream.graph
      if (slot?.stored && isOfPlugins(slot.stored.value)) {
        stream.engine.pipelines.forgive()
        send({ type: 'graph.changed', graph: slot })
      }
      if (!isOfPlugins(stream.wanted.value.pipeline)) return
      pipeline.hasReadOther()
      send({ type: 'model.changed' })
      stream.observe()
    }),
  )

const isOfPlugins = ({ nodes }: GraphDraft): boolean => nodes.some(({ type }) => pluginOf(type) !== undefined)

/**
 * The field map was replaced, or is there now. One that cannot be used any more is used until the camera is opened
 * again: a robot that drives is better off with it than without any.
 */
const followMap = ({ stream, device: { maps, mapNews } }: FollowParts, { send, guard }: Telling): (() => void) =>
  mapNews.add(
    guard(() => {
      const used = stream.engine.map.value
      const map = maps().get(stream.manifest.map_id)
      if (!map || map === used) return
      if (!used || canonicalContent(map) !== canonicalContent(used)) send({ type: 'map.changed' })
    }),
  )
