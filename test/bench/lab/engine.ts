// One engine process, run without the rest of the service: the benchmark stands where the control process would.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Result } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Picture, PictureKind } from '../../../machines/stream/picture.ts'
import { attachedStreamOf, ownCameraOf } from '../../../machines/stream/sources/traits.ts'
import type { Engine, EngineEvent, EngineOpened, EngineSource } from '../../../native/engine/port.ts'
import { engineProcesses } from '../../../native/engine/service/engines.ts'
import type { Lab } from './lab.ts'

/** What an engine is to do, and who takes what it makes. */
export interface EngineRun {
  readonly manifest: StreamManifest
  readonly map?: FieldMap
  readonly kinds?: readonly PictureKind[]
  readonly onResult?: (result: Result) => void
  readonly onPicture?: (picture: Picture) => void
}

/** An engine at work. ended: a source that does not loop has played its last picture. */
export interface RunningEngine {
  readonly pid: number
  readonly engine: Engine
  readonly opened: EngineOpened
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts an engine; it ends with the lab at the latest. */
export const runEngine = async (lab: Lab, run: EngineRun): Promise<RunningEngine> => {
  const canonical = canonicalManifest(run.manifest)
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  const { source, intrinsics = null, pose: mount = null, pipeline } = canonical.manifest
  if (ownCameraOf(source) || attachedStreamOf(source) || source.backend === 'file')
    throw new Error('this bench opens no camera of a device, and no video')
  const planned = planGraph(pipeline)
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors))

  const scope = Scope.makeUnsafe()
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  lab.defer(stop)
  const results = new Latest<Result>()
  results.subscribe((result) => run.onResult?.(result))
  const sinks = { results, picture: (picture: Picture) => run.onPicture?.(picture) }
  const engine = await Effect.runPromise(Scope.provide(engineProcesses().spawn('bench', sinks), scope))
  const ended = new Promise<void>((resolve) => {
    engine.subscribe((event: EngineEvent) => {
      if (event.type === 'ended') resolve()
      else if ('fault' in event) lab.say(`the engine says: ${event.type} ${event.fault.detail}`)
    })
  })
  const task = {
    source: source as EngineSource,
    media_roots: ['/'],
    intrinsics,
    mount,
    map: run.map ?? demoMap,
    plan: planned.plan,
  }
  const opened = await Effect.runPromise(engine.open(task))
  if (run.kinds) engine.setPictureKinds(run.kinds)
  return { pid: engine.pid, engine, opened, ended, stop }
}
