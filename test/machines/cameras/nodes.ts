// Cameras as a test plugs them in, without a port.
import type { AskedNode } from '../../../machines/cameras/camera-info.ts'
import { keysOf } from '../../../machines/cameras/keys.ts'
import type { CameraUnit } from '../../../machines/cameras/unit.ts'

interface CameraFacts {
  readonly serial?: string | null
  readonly manufacturer?: string
  readonly product?: string
  readonly number?: number
}

/** A camera in a port, as it was found. */
export const cameraIn = (
  port: string,
  { serial = null, manufacturer = 'Acme', product = 'HD Cam', number = 0 }: CameraFacts = {},
): AskedNode => ({
  device: `/dev/video${number}`,
  plugged: `${port}-${number}`,
  name: product,
  index: 0,
  controller: 'platform/usb',
  usb: {
    vendor_id: '1d6c',
    product_id: '0103',
    serial,
    manufacturer,
    product,
    port,
    interface: '1.0',
    bus: 1,
    speed_mbit_s: 480,
    folder: `/sys/${port}`,
  },
  answer: { device: `/dev/video${number}`, ok: true, driver: 'uvcvideo', card: product, is_capture: true, modes: [] },
})

/** The unit that a camera became when it was met. */
export const unitOf = (node: AskedNode, camera_uid: string, more: Partial<CameraUnit> = {}): CameraUnit => ({
  camera_uid,
  name: 'Acme HD Cam',
  ...keysOf(node),
  device: node.device,
  controls: [],
  claim: 0,
  ...more,
})
