// Trying the modes of a camera, one after the other, each in an engine of its own: what a mode does to its engine is
// part of its figures and harms no other.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { modeText } from '../../machines/cameras/bandwidth.ts'
import type { CameraMode } from '../../machines/cameras/mode.ts'
import type { Result } from '../../machines/engine/result.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { type FormatBench, type MeasuredMode, ranked, toMeasuredMode } from '../../machines/formats/bench.ts'
import { Latest } from '../../machines/latest.ts'
import { demoMap } from '../../machines/localization/field-map.ts'
import type { Plan } from '../../machines/pipeline/graph.ts'
import type { EnginePort, EngineTask, V4l2Task } from '../../native/engine/port.ts'
import type { Cameras } from '../cameras/cameras.ts'
import type { Work } from '../jobs/jobs.ts'

/** What is measured. duration_ms: of each mode, from its first picture on. */
export interface BenchRequest {
  readonly camera_uid: string
  readonly modes: readonly CameraMode[]
  readonly duration_ms: number
}

/** What it takes to measure. */
export interface FormatBenchParts {
  readonly engines: EnginePort
  readonly cameras: Pick<Cameras, 'present'>
}

/** The work of a job that measures each mode for a moment. Its result is a FormatBench. */
export const formatBench =
  ({ engines, cameras }: FormatBenchParts, { camera_uid, modes, duration_ms }: BenchRequest): Work =>
  (report) =>
    Effect.gen(function* () {
      const done: MeasuredMode[] = []
      for (const [n, mode] of modes.entries()) {
        report({ percent: (100 * n) / modes.length, stage: 'measuring', message: modeText(mode) })
        const camera = cameras.present(camera_uid)
        if (!camera) return yield* Effect.fail(unplugged(camera_uid))
        const task = taskOf({ ...mode, device: camera.node.device, controls: camera.unit.controls })
        done.push(yield* Effect.scoped(measureMode(engines, mode, task, duration_ms)))
      }
      return { camera_uid, ranking: [...ranked(done)] } satisfies FormatBench
    })

const FIRST_PICTURE_LIMIT_MS = 5_000 // some cameras think about their exposure for seconds

const measureMode = (
  engines: EnginePort,
  mode: CameraMode,
  task: EngineTask,
  duration_ms: number,
): Effect.Effect<MeasuredMode, never, Scope.Scope> =>
  Effect.gen(function* () {
    const results = new Latest<Result>()
    const jpegBytes: number[] = []
    const seen: Result[] = []
    const first = Promise.withResolvers<void>()
    results.subscribe((result) => {
      seen.push({ ...result, data: result.data.slice() })
      first.resolve()
    })
    const sinks = { results, picture: ({ jpeg }: { readonly jpeg: Uint8Array }) => void jpegBytes.push(jpeg.length) }
    const engine = yield* engines.spawn('format bench', sinks)
    const ended = Promise.withResolvers<Fault>()
    const stop = engine.subscribe((event) => {
      if (event.type === 'lost' || event.type === 'exited') ended.resolve(event.fault)
    })
    yield* Effect.addFinalizer(() => Effect.sync(stop))
    yield* engine.open(task)
    if (mode.pixel_format === 'mjpeg')
      engine.setPictureKinds([{ key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])
    const lost = Effect.map(
      Effect.promise(() => ended.promise),
      (fault): Fault | null => fault,
    )
    const pause = (ms: number) => Effect.as(Effect.sleep(ms), null)
    const came = Effect.as(
      Effect.promise(() => first.promise),
      null,
    )
    const early = yield* Effect.raceFirst(Effect.raceFirst(came, lost), pause(FIRST_PICTURE_LIMIT_MS))
    const late = early ?? (yield* Effect.raceFirst(lost, pause(duration_ms)))
    return toMeasuredMode(mode, { results: seen, jpegBytes }, late)
  }).pipe(Effect.catch((fault) => Effect.succeed(toMeasuredMode(mode, { results: [], jpegBytes: [] }, fault))))

/** Pictures are made grey, which every pipeline begins with, and nothing comes of it: no graph says that. */
const DECODING: Plan = {
  slots: 2,
  steps: [
    { id: 'source', type: 'source', inputs: [], outputs: [0, -1], params: {} },
    { id: 'gray', type: 'gray', inputs: [0], outputs: [1], params: {} },
  ],
  outputs: [],
}

const taskOf = (source: Omit<V4l2Task, 'backend'>): EngineTask => ({
  source: { backend: 'v4l2', ...source },
  media_roots: [],
  intrinsics: null,
  mount: null,
  map: demoMap,
  plan: DECODING,
})

const unplugged = (uid: string): Fault => ({
  code: 'camera.missing',
  detail: `the camera ${uid} was unplugged while it was measured; plug it in and start again`,
})
