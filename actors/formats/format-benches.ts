// Measuring cameras that streams have: such a stream is held meanwhile, if that is wanted. Nothing is stored of it, and
// whatever ends the work lets the stream go.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import type { Work } from '../jobs/jobs.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import { untilSo } from '../until-heard.ts'
import { type BenchRequest, type FormatBenchParts, formatBench } from './format-bench.ts'

/** What it takes to measure, and to hold streams. */
export interface FormatBenchesParts extends FormatBenchParts {
  readonly streams: Pick<StreamRegistry, 'all' | 'held' | 'subscribe'>
  /** By the robot's own word. */
  readonly robotEnabled: Latest<boolean>
}

/** What is measured, and whether a stream that has the camera is held meanwhile. */
export interface WantedBench extends BenchRequest {
  readonly hold_stream: boolean
}

const LET_GO_LIMIT = '10 seconds' // an engine is ended within 5 s, also one that ends a file first
const LOOK_EVERY = '50 millis'

export class FormatBenches {
  readonly #parts: FormatBenchesParts

  constructor(parts: FormatBenchesParts) {
    this.#parts = parts
  }

  /** The streams that would open a camera. */
  usersOf(camera_uid: string): readonly StreamRuntime[] {
    return this.#parts.streams
      .all()
      .filter(({ manifest: { enabled, source } }) => enabled && ownCameraOf(source)?.camera_uid === camera_uid)
  }

  /** Why the streams that have a camera cannot be held now; undefined: they can. */
  refusal(camera_uid: string): Fault | undefined {
    const users = this.usersOf(camera_uid)
    const recorded = users.find(({ recording }) => recording.isRunning)
    if (recorded) return isRecorded(recorded)
    const [user] = users
    return user && this.#parts.robotEnabled.value ? robotIsEnabled(user) : undefined
  }

  /** The work of a job. */
  work({ hold_stream, ...request }: WantedBench): Work {
    const measure = formatBench(this.#parts, request)
    if (!hold_stream) return measure
    const { camera_uid } = request
    return (report, whileWaiting) =>
      Effect.gen({ self: this }, function* () {
        const users = this.usersOf(camera_uid)
        yield* this.#hold(camera_uid)
        const measured = Effect.andThen(untilLetGo(users), measure(report, whileWaiting))
        return yield* Effect.raceFirst(measured, this.#untilNeeded(camera_uid))
      })
  }

  /** Holds the camera for as long as the scope is open. */
  #hold(camera_uid: string): Effect.Effect<void, Fault, Scope.Scope> {
    return Effect.suspend(() => {
      const refusal = this.refusal(camera_uid)
      if (refusal) return Effect.fail(refusal)
      const { held } = this.#parts.streams
      const hold = Effect.acquireRelease(
        Effect.sync(() => held.hold(camera_uid, isMeasured)),
        (letGo) => Effect.sync(letGo),
      )
      return Effect.asVoid(hold)
    })
  }

  /** Fails when the robot is enabled, which counts on a stream that is held. */
  #untilNeeded(camera_uid: string): Effect.Effect<never, Fault> {
    const { robotEnabled, streams } = this.#parts
    const subscribe = (changed: () => void) => {
      const stops = [robotEnabled.subscribe(changed), streams.subscribe(changed)]
      return () => {
        for (const stop of stops) stop()
      }
    }
    const isNeeded = () => robotEnabled.value === true && this.usersOf(camera_uid).length > 0
    return Effect.andThen(untilSo(subscribe, isNeeded), Effect.fail(wasEnabled(camera_uid)))
  }
}

/** Waits until the engines of streams that are held have ended. */
const untilLetGo = (streams: readonly StreamRuntime[]): Effect.Effect<void, Fault> => {
  const keepers = () => streams.filter((stream) => stream.isHeld && stream.child?.status() !== undefined)
  return Effect.whileLoop({
    while: () => keepers().length > 0,
    body: () => Effect.sleep(LOOK_EVERY),
    step: () => {},
  }).pipe(
    Effect.timeoutOrElse({
      duration: LET_GO_LIMIT,
      orElse: () => Effect.suspend(() => Effect.fail(keepsCamera(keepers()))),
    }),
  )
}

/** What a stream says meanwhile. */
const isMeasured: Fault = {
  code: 'camera.held',
  detail: oneLine`
    The modes of its camera are being measured. It comes back by itself when that is over, or as soon as the job is
    cancelled, which GET /v1/jobs has.
  `,
}

const robotIsEnabled = ({ id }: StreamRuntime): Fault => ({
  code: 'camera.robot_enabled',
  detail: oneLine`
    the robot is enabled, and the stream ${id} would be without pictures while its camera is measured; disable the
    robot first
  `,
})

const wasEnabled = (uid: string): Fault => ({
  code: 'camera.robot_enabled',
  detail: oneLine`
    the robot was enabled, so that the camera ${uid} was given back before all of its modes were measured; start again
    when the robot is disabled
  `,
})

const isRecorded = ({ id }: StreamRuntime): Fault => ({
  code: 'camera.in_use',
  detail: `the stream ${id}, which has the camera, is being recorded; end the recording first`,
})

const keepsCamera = (streams: readonly StreamRuntime[]): Fault => ({
  code: 'camera.in_use',
  detail: oneLine`
    the stream ${streams.map(({ id }) => id).join(', ')} has not let go of the camera in time; start again, and
    restart the stream if it goes on
  `,
})
