// Real engines for tests: tasks made from manifests, and an engine process with everything it says kept at hand.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { EngineLimits } from '../../../machines/engine/health.ts'
import type { Result } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type {
  Engine,
  EngineEvent,
  EngineOpened,
  EngineSource,
  EngineTask,
  V4l2Task,
} from '../../../native/engine/port.ts'
import { engineProcesses } from '../../../native/engine/service/engines.ts'
import type { EmulatedCamera } from '../cameras/v4l2/cameras.ts'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { arrival } from '../until.ts'

/** The task of a stream with this manifest, on the demo's field. */
export const engineTask = (manifest: StreamManifest, map = demoMap): EngineTask => {
  const canonical = canonicalManifest(manifest)
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  const { source, crop = null, intrinsics = null, pose: mount = null, pipeline } = canonical.manifest
  if (source.backend === 'v4l2') throw new Error('whoever opens a camera has to know its device file')
  if (source.backend === 'file' && source.path === undefined) throw new Error('an engine opens a file by its path')
  const planned = planGraph(pipeline)
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors))
  return { source: source as EngineSource, crop, media_roots: ['/'], intrinsics, mount, map, plan: planned.plan }
}

/** The task of a stream of an emulated camera: MJPEG of 640x480 at 30 a second, of which tags are found. */
export const cameraTask = ({ device }: EmulatedCamera, changes: Partial<V4l2Task> = {}): EngineTask => {
  const mode = { pixel_format: 'mjpeg', width_px: 640, height_px: 480, fps: 30 } as const
  return { ...engineTask(smallCamera), source: { backend: 'v4l2', device, ...mode, controls: [], ...changes } }
}

/** The default graph with other parameters for its detector. */
export const graphWithTags = (params: Readonly<Record<string, unknown>>): GraphDocument => ({
  ...defaultGraph,
  nodes: defaultGraph.nodes.map((node) => (node.type === 'apriltag' ? { ...node, params } : node)),
})

/** A small synthetic camera that stands still: cheap to run. */
export const smallCamera: StreamManifest = {
  source: { backend: 'synthetic', width_px: 640, height_px: 400, fps: 60, motion: 'still' },
}

/** An engine process and what it said. Each `next` waits for something that comes after the call. */
export interface EngineProbe {
  readonly engine: Engine
  readonly results: readonly Result[]
  readonly pictures: readonly Picture[]
  readonly events: readonly EngineEvent[]
  readonly open: (manifest: StreamManifest, map?: FieldMap) => Promise<EngineOpened>
  /** Opens an emulated camera. changes: of the mode and the controls, which are none. */
  readonly openCamera: (camera: EmulatedCamera, changes?: Partial<V4l2Task>) => Promise<EngineOpened>
  /** Calls a listener with each result, in the middle of its delivery. */
  readonly onResult: (listener: (result: Result) => void) => void
  readonly nextResult: () => Promise<Result>
  readonly nextPicture: () => Promise<Picture>
  readonly nextEvent: (type: EngineEvent['type']) => Promise<EngineEvent>
  /** Ends the process; the test's end does so otherwise. */
  readonly release: () => Promise<void>
}

/**
 * Starts an engine process that ends with the test. limits: how long each thing may take; those of the product when
 * nothing is said.
 */
export const startEngine = async (
  t: Lifetime & { readonly name?: string },
  limits?: EngineLimits,
): Promise<EngineProbe> => {
  const scope = Scope.makeUnsafe()
  const release = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(release)
  const results: Result[] = []
  const pictures: Picture[] = []
  const events: EngineEvent[] = []
  const arrived = { result: new Latest<Result>(), picture: new Latest<Picture>(), event: new Latest<EngineEvent>() }
  arrived.result.subscribe((result) => results.push(result))
  arrived.picture.subscribe((picture) => pictures.push(picture))
  arrived.event.subscribe((event) => events.push(event))
  const sinks = { results: arrived.result, picture: (picture: Picture) => arrived.picture.set(picture) }
  const name = `test ${t.name ?? 'of a file'}`
  const engine = await Effect.runPromise(Scope.provide(engineProcesses(limits).spawn(name, sinks), scope))
  engine.subscribe((event) => arrived.event.set(event))
  const seen = () => ({ results: results.length, pictures: pictures.length, events })
  return {
    engine,
    results,
    pictures,
    events,
    release,
    open: (manifest, map) => Effect.runPromise(engine.open(engineTask(manifest, map))),
    openCamera: (camera, changes) => Effect.runPromise(engine.open(cameraTask(camera, changes))),
    onResult: (listener) => void arrived.result.subscribe(listener),
    nextResult: () => arrival('a result of the engine', next(arrived.result), seen),
    nextPicture: () => arrival('a picture of the engine', next(arrived.picture), seen),
    nextEvent: (type) =>
      arrival(
        `the engine's event ${type}`,
        next(arrived.event, (event) => event.type === type),
        seen,
      ),
  }
}

/** The next value, or the next one that is accepted. */
const next = <Value>(values: Latest<Value>, accept: (value: Value) => boolean = () => true): Promise<Value> =>
  new Promise((resolve) => {
    const stop = values.subscribe((value) => {
      if (!accept(value)) return
      stop()
      resolve(value)
    })
  })

/** A picture of the small synthetic camera as a JPEG, for tests that need a file. */
export const takePicture = async (t: Lifetime): Promise<{ readonly picture: Picture; readonly result: Result }> => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  camera.engine.setPictureKinds([{ key: 'a', max_width_px: 0, quality: 90, overlay: false, fps: 0 }])
  const picture = await camera.nextPicture()
  const result = await camera.nextResult()
  await camera.release()
  return { picture, result }
}

/**
 * A file with tags in it, for a source that passes JPEGs through. folder: where it lies; default one that goes with the
 * test.
 */
export const tagsFile = async (t: Lifetime, folder = folderOf(t)) => {
  const { picture } = await takePicture(t)
  const path = join(folder, 'tags.jpg')
  writeFileSync(path, picture.jpeg)
  return { path, jpeg: Buffer.from(picture.jpeg) }
}
