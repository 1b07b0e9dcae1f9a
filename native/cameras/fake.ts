// Cameras that a test plugs in; none at first.
import * as Effect from 'effect/Effect'
import type { CameraAnswer, ModeRates, VideoNode } from '../../machines/cameras/camera-info.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { unanswered } from './answers.ts'
import type { CamerasPort } from './port.ts'

/** A camera to be plugged in. number: of its device file. */
export interface FakeCamera {
  readonly number: number
  readonly port?: string
  readonly serial?: string | null
  readonly product?: string
  readonly bus?: number
  readonly speed_mbit_s?: number
  readonly modes?: readonly ModeRates[]
  /** Else it is on a ribbon cable. Default: it is. */
  readonly isOnUsb?: boolean
  readonly answer?: Omit<CameraAnswer & { readonly ok: false }, 'device'>
}

const defaultModes: readonly ModeRates[] = [
  { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: [30, 15] },
  { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: [30] },
]

export class FakeCameras implements CamerasPort {
  cores = 4
  /** Why nothing can be listed, while it is set. */
  fault: Fault | undefined
  /** Why nothing can be reset, while it is set. */
  resetFault: Fault | undefined
  /** What a reset takes. */
  whileOff: Effect.Effect<void> = Effect.void
  /** Device files that were reset. */
  readonly resets: string[] = []
  /** Device files that were asked, in that order. */
  readonly asked: string[] = []
  readonly #plugged = new Map<string, { readonly node: VideoNode; readonly answer: CameraAnswer }>()
  readonly #watchers = new Set<() => void>()
  #count = 0

  readonly nodes = Effect.suspend(() =>
    this.fault ? Effect.fail(this.fault) : Effect.succeed([...this.#plugged.values()].map(({ node }) => node)),
  )

  readonly ask = (devices: readonly string[]) =>
    Effect.sync(() => {
      this.asked.push(...devices)
      return devices.map((device) => this.#plugged.get(device)?.answer ?? unanswered(device, 'it is gone'))
    })

  readonly watch = (changed: () => void) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => this.#watchers.add(changed)),
        () => Effect.sync(() => this.#watchers.delete(changed)),
      ),
    )

  readonly reset = ({ device }: VideoNode) =>
    Effect.suspend(() => {
      if (this.resetFault) return Effect.fail(this.resetFault)
      this.resets.push(device)
      return this.whileOff
    })

  /** Plugs one in; returns its device file. What was there under its number is gone. */
  plug(camera: FakeCamera): string {
    this.#count += 1
    const node = this.node(camera)
    const { device, name: product } = node
    const answer: CameraAnswer = camera.answer
      ? { device, ...camera.answer }
      : {
          device,
          ok: true,
          driver: 'uvcvideo',
          card: product,
          is_capture: true,
          busy: false,
          modes: [...(camera.modes ?? defaultModes)],
        }
    this.#plugged.set(device, { node, answer })
    this.#tell()
    return device
  }

  /** As the system would describe it, were it plugged in now. */
  node(camera: FakeCamera): VideoNode {
    const {
      number,
      port = '1',
      serial = null,
      product = 'HD Cam',
      bus = 1,
      speed_mbit_s = 480,
      isOnUsb = true,
    } = camera
    return {
      device: `/dev/video${number}`,
      plugged: String(this.#count),
      name: product,
      index: 0,
      controller: 'platform/usb-host',
      usb: isOnUsb
        ? {
            vendor_id: '1d6c',
            product_id: '0103',
            serial,
            manufacturer: 'Acme',
            product,
            port,
            interface: '1.0',
            bus,
            speed_mbit_s,
            folder: `/sys/devices/${bus}-${port}`,
          }
        : null,
    }
  }

  /** Another program takes pictures from it, or lets go of it. */
  use(device: string, busy: boolean): void {
    const camera = this.#plugged.get(device)
    if (camera?.answer.ok) this.#plugged.set(device, { ...camera, answer: { ...camera.answer, busy } })
  }

  unplug(device: string): void {
    this.#plugged.delete(device)
    this.#tell()
  }

  #tell(): void {
    for (const changed of [...this.#watchers]) changed()
  }
}

/** Those of a made-up device, in ports as its USB has them. */
export const believableCameras = (): FakeCameras => {
  const cameras = new FakeCameras()
  cameras.plug({ number: 0, port: '1', bus: 1 })
  cameras.plug({ number: 2, port: '1.2', bus: 3 })
  return cameras
}
