// The cameras of the device: what is plugged in, what was, and what each is good for.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { bestMode } from '../../machines/cameras/best-mode.ts'
import { modesOf } from '../../machines/cameras/camera-info.ts'
import { candidatesFor, type PresentCamera } from '../../machines/cameras/recognise.ts'
import { troubleOf, troubleOfAbsent } from '../../machines/cameras/trouble.ts'
import type { CameraUnit } from '../../machines/cameras/unit.ts'
import { userOf } from '../../machines/stream/assign.ts'
import type { Given } from '../../machines/token.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { Camera, cameraExample } from './wire.ts'

const needs = { cameras: CAMERAS, streams: STREAM_REGISTRY }
type Parts = Given<typeof needs>

export const cameraArea = areaOf(needs, (parts) =>
  area('peripherals', 'What is plugged into the device.', [
    list('GET', '/v1/peripherals/cameras', {
      summary: 'All cameras',
      about: 'Those that are plugged in, and those that streams have or had and that are away.',
      name: 'CameraList',
      item: Camera,
      example: cameraExample,
      order: 'Those that are plugged in first, by their device files.',
      items: () => parts.cameras.fault ?? camerasOf(parts),
      keyOf: ({ camera_uid }) => camera_uid,
      faults: ['device.failed'],
    }),
  ]),
)

/** All cameras, as they are listed. */
export const camerasOf = (parts: Parts): readonly Camera[] => {
  const { present, absent } = parts.cameras.recognised
  return [...present.map((camera) => presentCamera(parts, camera)), ...absent.map((unit) => absentCamera(parts, unit))]
}

const streamOf = ({ streams }: Parts, uid: string): string | null =>
  userOf(
    uid,
    streams.all().map(({ manifest }) => manifest),
  )?.id ?? null

const presentCamera = (parts: Parts, camera: PresentCamera): Camera => {
  const { node, unit, known_by } = camera
  const { answer, device, usb, controller } = node
  const stream_id = streamOf(parts, unit.camera_uid)
  // One that a stream has is decided: nobody is to be asked which it is.
  const candidates = stream_id === null ? candidatesFor(camera, parts.cameras.recognised.absent) : []
  return {
    camera_uid: unit.camera_uid,
    name: unit.name,
    present: true,
    device,
    known_by,
    driver: answer.ok ? answer.driver : null,
    usb: usb && {
      vendor_id: usb.vendor_id,
      product_id: usb.product_id,
      manufacturer: usb.manufacturer,
      product: usb.product,
      serial: usb.serial,
      controller,
      port: usb.port,
      bus: usb.bus,
      speed_mbit_s: usb.speed_mbit_s,
    },
    modes: answer.ok ? answer.modes : [],
    other_formats: (answer.ok && answer.other_formats) || [],
    best_mode: bestMode(modesOf(node), parts.cameras.conditionsOf(node)) ?? null,
    stream_id,
    trouble: troubleOf(camera, stream_id !== null) ?? troubleOfStream(parts, stream_id),
    candidates: candidates.map(({ camera_uid, name }) => ({
      camera_uid,
      name,
      stream_id: streamOf(parts, camera_uid),
    })),
  }
}

/** What its stream says of it: that another program has it, that it gives no pictures. */
const troubleOfStream = ({ streams }: Parts, id: string | null): string | null => {
  const fault = id === null ? null : streams.get(id)?.status().fault
  return fault?.code.startsWith('camera.') ? fault.detail : null
}

const absentCamera = (parts: Parts, unit: CameraUnit): Camera => ({
  camera_uid: unit.camera_uid,
  name: unit.name,
  present: false,
  device: null,
  driver: null,
  known_by: null,
  usb: null,
  modes: [],
  other_formats: [],
  best_mode: null,
  stream_id: streamOf(parts, unit.camera_uid),
  trouble: troubleOfAbsent(unit, parts.cameras.recognised.present),
  candidates: [],
})
