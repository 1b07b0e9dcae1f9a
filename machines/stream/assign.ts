// Which camera a stream has from now on: another one takes over its role, or a camera in a new port is the one that it
// has.
import type { ModeConditions } from '../cameras/best-mode.ts'
import { modesOf } from '../cameras/camera-info.ts'
import { cropText, fittedCrop } from '../cameras/crop.ts'
import { keysOf } from '../cameras/keys.ts'
import { candidatesFor, type PresentCamera, type Recognised } from '../cameras/recognise.ts'
import { type CameraUnit, cameraCollection } from '../cameras/unit.ts'
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import { changeOrder, type Expected, staleFault } from '../settings/commit.ts'
import type { StoredValue } from '../settings/store.ts'
import type { Command } from '../supervision/actors.ts'
import { streamCollection } from './collection.ts'
import type { CanonicalManifest } from './manifest.ts'
import { modeFor, modesText } from './sources/camera-mode.ts'
import type { CanonicalSource } from './sources/source.ts'
import { ownCameraOf } from './sources/traits.ts'

/** A camera that a stream is to have. */
export interface Assignment {
  readonly stored: StoredValue<CanonicalManifest>
  /** The streams beside this one. */
  readonly others: readonly CanonicalManifest[]
  readonly camera: PresentCamera
  /** Whether it is the very unit that the stream has; undefined: where it may be. */
  readonly isSame: boolean | undefined
  readonly recognised: Recognised
  readonly conditions: ModeConditions
  readonly expected: Expected
}

/** The stream that has a camera. */
export const userOf = (uid: string, streams: readonly CanonicalManifest[]): CanonicalManifest | undefined =>
  streams.find(({ source }) => ownCameraOf(source)?.camera_uid === uid)

/** Why a camera cannot be given to a stream; undefined: it can. */
export const inUse = (uid: string, others: readonly CanonicalManifest[]): Fault | undefined => {
  const user = userOf(uid, others)
  return (
    user && {
      code: 'camera.in_use',
      detail: oneLine`
        the stream ${user.id} has the camera ${uid} already, and a camera gives its pictures to one stream; delete
        that one, or assign it another camera first`,
    }
  )
}

/** Why a stream cannot have a source: one of these has its camera already; undefined: none has. */
export const cameraInUse = (source: CanonicalSource, others: readonly CanonicalManifest[]): Fault | undefined => {
  const camera = ownCameraOf(source)
  return camera && inUse(camera.camera_uid, others)
}

/** The one write that does it, or why it cannot be. */
export const assignCamera = (assignment: Assignment): Command<'settings'> | Fault => {
  const { stored, others, camera, isSame, recognised, expected } = assignment
  const { source } = stored.value
  const { camera_uid } = camera.unit
  const now = ownCameraOf(source)?.camera_uid
  const stale = staleFault(`${streamCollection.name}/${stored.value.id}`, stored.revision, expected)
  const refusal = stale ?? inUse(camera_uid, others)
  if (refusal) return refusal
  const lost = candidatesFor(camera, recognised.absent).find((each) => each.camera_uid === now)
  if (lost && isSame !== false)
    return claim(lost, camera, [...recognised.absent, ...recognised.present.map(({ unit }) => unit)])
  if (isSame && now !== camera_uid) return notTheSame(camera_uid, now)
  return replace(assignment)
}

/**
 * From now on it is this unit that is found where the camera is. The name that the camera had stands for nothing then.
 */
const claim = (lost: CameraUnit, { node }: PresentCamera, units: readonly CameraUnit[]): Command<'settings'> =>
  changeOrder(cameraCollection, lost.camera_uid, (now) => ({
    ...now,
    ...keysOf(node),
    device: node.device,
    claim: 1 + Math.max(...units.map((unit) => unit.claim)),
  }))

const notTheSame = (uid: string, now: string | undefined): Fault => ({
  code: 'body.invalid',
  detail: now
    ? oneLine`
      the camera ${uid} cannot be the unit ${now}: that one is plugged in, is of another model, or has another serial
      number; leave same_unit out to give the stream this camera`
    : 'the stream has no camera yet, so that this cannot be the same; leave same_unit out',
  errors: [{ pointer: '/same_unit', message: 'is true, but the camera cannot be the one that the stream has' }],
})

/** The stream keeps the mode that it has, where the camera has that too. */
const replace = ({ stored, camera, conditions, expected }: Assignment): Command<'settings'> | Fault => {
  const { id, source } = stored.value
  const modes = modesOf(camera.node)
  const now = ownCameraOf(source)
  const mode = (now && modeFor(now, modes, conditions)) ?? modeFor({}, modes, conditions)
  if (!mode)
    return {
      code: 'manifest.invalid',
      detail: oneLine`
        the camera ${camera.unit.camera_uid} cannot be used now: it has ${modesText(modes)}; GET
        /v1/peripherals/cameras says what is wrong with it`,
    }
  const { crop } = stored.value
  const fitted = crop ? fittedCrop(crop, mode) : { ok: true as const, crop: null }
  if (crop && !fitted.ok)
    return {
      code: 'manifest.invalid',
      detail: oneLine`
        the crop of the stream ${id}, ${cropText(crop)}, does not lie in the pictures of the camera
        ${camera.unit.camera_uid}, which would have ${mode.width_px}x${mode.height_px} pixels; make it smaller or take
        it off (POST /v1/streams/${id}/crop), and assign the camera then`,
    }
  const replaced = { backend: 'v4l2' as const, camera_uid: camera.unit.camera_uid, ...mode }
  const kept = fitted.ok && fitted.crop ? { crop: fitted.crop } : {}
  return changeOrder(streamCollection, id, ({ crop: _, ...now }) => ({ ...now, ...kept, source: replaced }), expected)
}
