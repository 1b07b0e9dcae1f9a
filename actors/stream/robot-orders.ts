// What a robot program wants of a stream, and how many frames the resource guard leaves out, carried to the engine of
// one incarnation: when its camera is opened, and as it changes.

import { type Heading, NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { liveInForce, mountInForce, NO_WANTS } from '../../machines/extcam/robot-wants.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import type { Engine } from '../../native/engine/port.ts'
import type { Talk } from '../run.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/**
 * Between the robot's part of a stream, which outlives its engines, and one of these, which knows nothing when it has
 * just started.
 */
export class RobotOrders {
  readonly #engine: Pick<Engine, 'setLive' | 'setHeading' | 'setMount' | 'setRewind'>
  readonly #stream: Pick<StreamRuntime, 'robot' | 'manifest' | 'guard'>
  #sentLive = NO_LIVE_CONTROLS
  #mountOfTask: PoseDocument | null = null

  constructor(
    engine: Pick<Engine, 'setLive' | 'setHeading' | 'setMount' | 'setRewind'>,
    stream: Pick<StreamRuntime, 'robot' | 'manifest' | 'guard'>,
  ) {
    this.#engine = engine
    this.#stream = stream
  }

  /** Says what is there already, and goes on with what comes; returns the ways to stop that. */
  follow(guard: Talk['guard']): readonly (() => void)[] {
    const { live, heading, wants } = this.#stream.robot
    const sendHeading = (sample: Heading | undefined) => sample && this.#engine.setHeading(sample)
    sendHeading(heading.value)
    let before = this.#wants
    return [
      live.subscribe(guard(() => this.sendLive())),
      this.#stream.guard.onChanged(guard(() => this.sendLive())),
      heading.subscribe(guard(sendHeading)),
      wants.subscribe(
        guard((now) => {
          if (now.mount !== before.mount) this.sendMount(this.#stream.manifest)
          if (now.keepsRewind !== before.keepsRewind) this.sendRewind(this.#stream.manifest)
          before = now
        }),
      ),
    ]
  }

  /**
   * Sends the live controls, when they are others than those that the engine knows. manifest: of the camera that is, or
   * is about to be, open.
   */
  sendLive(manifest: CanonicalManifest = this.#stream.manifest): void {
    const { robot, guard } = this.#stream
    const live = liveInForce(robot.live.value ?? NO_LIVE_CONTROLS, manifest, guard.limit.skip)
    if (isSameJson(live, this.#sentLive)) return
    this.#sentLive = live
    this.#engine.setLive(live)
  }

  /** What a task that is made now says of where the camera sits. */
  mountOfTask(manifest: CanonicalManifest): PoseDocument | null {
    this.#mountOfTask = mountInForce(this.#wants, manifest)
    return this.#mountOfTask
  }

  /** After an opening: what the robot has said since its task was made. */
  sendOtherMount(manifest: CanonicalManifest): void {
    if (mountInForce(this.#wants, manifest) !== this.#mountOfTask) this.sendMount(manifest)
  }

  sendMount(manifest: CanonicalManifest): void {
    this.#engine.setMount(mountInForce(this.#wants, manifest))
  }

  sendRewind(manifest: CanonicalManifest): void {
    this.#engine.setRewind(rewindBytes(manifest), !this.#wants.keepsRewind)
  }

  get #wants() {
    return this.#stream.robot.wants.value ?? NO_WANTS
  }
}
