// The camera of one stream over the time of an incarnation: when it appears, what was tried to get it back, and who
// shares its bus.
import * as Effect from 'effect/Effect'
import type { BusUser } from '../../machines/cameras/bandwidth.ts'
import { modesOf } from '../../machines/cameras/camera-info.ts'
import { noBandwidthText } from '../../machines/cameras/no-bandwidth.ts'
import type { PresentCamera } from '../../machines/cameras/recognise.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { type Recovery, type RecoveryStep, recoveryText, withStep } from '../../machines/stream/recovery.ts'
import { ownCameraOf } from '../../machines/stream/sources/traits.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import type { StreamDevice } from './stream-device.ts'

/** What the camera of a stream works with. */
export interface StreamCameraParts
  extends Pick<StreamDevice, 'cameras' | 'cameraPort' | 'cameraPower' | 'clock' | 'others'> {
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

/** Nothing of it matters to a stream whose pictures come from elsewhere. */
export class StreamCamera {
  readonly #parts: StreamCameraParts
  #recovery: Recovery | undefined
  /** Where it was last, by its uid: it may be away when its port is to be switched. */
  #place: { readonly uid: string; readonly device: string; readonly folder: string } | undefined

  constructor(parts: StreamCameraParts) {
    this.#parts = parts
  }

  /**
   * Calls back when the camera of the manifest is plugged in, or was found under another device file; returns the way
   * to stop that.
   */
  onAppeared(manifest: () => CanonicalManifest, appeared: () => void): () => void {
    const plugged = () => {
      const node = this.#presentOf(manifest())?.node
      return node?.answer.ok ? node.plugged : undefined
    }
    let before = plugged()
    return this.#parts.cameras.subscribe(() => {
      const now = plugged()
      if (now !== undefined && now !== before) appeared()
      before = now
    })
  }

  /**
   * The stream has no camera any more, or did not get it. What is tried from now on is told together when it has it
   * again.
   */
  lost({ code }: Fault, manifest: CanonicalManifest): void {
    if (ownCameraOf(manifest.source)) this.#recovery ??= { code, beganMs: this.#nowMs(), steps: [] }
  }

  /** It is being opened. */
  opening(manifest: CanonicalManifest): void {
    const camera = this.#presentOf(manifest)
    this.#notePlace(camera)
    this.#note({ what: 'open', device: camera?.node.device ?? null, atMs: this.#nowMs() })
  }

  /** It gives pictures. */
  live(): void {
    const recovery = this.#recovery
    this.#recovery = undefined
    if (recovery && recovery.steps.length > 0)
      this.#parts.record({ code: 'camera.recovered', detail: recoveryText(recovery, this.#nowMs()) })
  }

  /** Has the system take its USB device away and find it again, and enters in the error history what came of that. */
  reset(manifest: CanonicalManifest): Effect.Effect<void, Fault> {
    const node = this.#presentOf(manifest)?.node
    if (!node) return Effect.void
    const note = (why: string | null) => {
      this.#note({ what: 'reset', why, atMs: this.#nowMs() })
      const what = `The camera ${node.device} gives no pictures, however often it is opened.`
      const outcome =
        why === null
          ? 'Its USB device was reset.'
          : `Its USB device should be reset, but ${why}. Pull its cable and put it back.`
      this.#parts.record({ code: 'camera.reset', detail: `${what} ${outcome}` })
    }
    return Effect.tapError(
      Effect.tap(this.#parts.cameraPort.reset(node), () => Effect.sync(() => note(null))),
      ({ detail }) => Effect.sync(() => note(detail)),
    )
  }

  /** Has its USB port switched off and on, and enters in the error history what came of that. */
  cyclePower(manifest: CanonicalManifest): Effect.Effect<void, Fault> {
    this.#notePlace(this.#presentOf(manifest))
    const place = this.#place
    if (!place || place.uid !== ownCameraOf(manifest.source)?.camera_uid) return Effect.void
    const note = (why: string | null) => {
      this.#note({ what: 'power', why, atMs: this.#nowMs() })
      const what = `The camera ${place.device} gives no pictures, also after its USB device was reset.`
      const outcome =
        why === null
          ? 'Its USB port was without power for a moment.'
          : `Its USB port should be switched off and on, but ${why}. Do it at /device/usb, or pull its cable.`
      this.#parts.record({ code: 'camera.power_cycled', detail: `${what} ${outcome}` })
    }
    return Effect.tapError(
      Effect.tap(this.#parts.cameraPower.cycle({ folder: place.folder, stream_id: manifest.id }), () =>
        Effect.sync(() => note(null)),
      ),
      ({ detail }) => Effect.sync(() => note(detail)),
    )
  }

  /** The same fault, with who shares the bus and what would fit, where it is that. */
  explained(fault: Fault, manifest: CanonicalManifest): Fault {
    const mode = ownCameraOf(manifest.source)
    const camera = this.#presentOf(manifest)
    if (fault.code !== 'camera.no_bandwidth' || !mode || !camera) return fault
    const text = noBandwidthText({
      mode,
      modes: modesOf(camera.node),
      others: this.#onBusOf(camera, manifest.id),
      conditions: this.#parts.cameras.conditionsOf(camera.node),
    })
    return { ...fault, detail: `${fault.detail.replace(/\.?$/, '.')} ${text}` }
  }

  #onBusOf({ node: { controller, usb } }: PresentCamera, id: string): readonly BusUser[] {
    return this.#parts.others().flatMap((each) => {
      const mode = ownCameraOf(each.source)
      const node = this.#presentOf(each)?.node
      const isThere = each.id !== id && each.enabled && node?.controller === controller && node.usb?.bus === usb?.bus
      return isThere && mode ? [{ stream_id: each.id, mode }] : []
    })
  }

  #presentOf({ source }: CanonicalManifest): PresentCamera | undefined {
    const camera = ownCameraOf(source)
    return camera && this.#parts.cameras.present(camera.camera_uid)
  }

  #notePlace(camera: PresentCamera | undefined): void {
    if (camera?.node.usb)
      this.#place = { uid: camera.unit.camera_uid, device: camera.node.device, folder: camera.node.usb.folder }
  }

  #note(step: RecoveryStep): void {
    if (this.#recovery) this.#recovery = withStep(this.#recovery, step)
  }

  #nowMs(): number {
    return monotonicMs(this.#parts.clock)
  }
}
