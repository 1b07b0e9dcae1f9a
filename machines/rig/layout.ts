// Where the cameras sit on the robot. The pose of a camera stands in the manifest of its stream, and nowhere else.

import { type CameraUnit, cameraCollection } from '../cameras/unit.ts'
import type { PoseDocument } from '../localization/pose.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import type { StoredValue, Whole } from '../settings/store.ts'
import { streamCollection } from '../stream/collection.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import { cameraUidOf } from '../stream/part-names.ts'
import { ownCameraOf } from '../stream/sources/traits.ts'
import { rigCollection } from './robot.ts'

/** The name of a camera in the layout; a stream whose pictures come from elsewhere is a camera there as well. */
export const LayoutUid = Type.String({
  pattern: '^(cam-[a-z2-7]{8}|stream-[a-z][a-z0-9_-]{0,39})$',
  description: oneLine`
    The name of a camera, cam- and 8 of a to z and 2 to 7, or stream- and the id of a stream whose pictures come from
    no camera of the device.
  `,
  examples: ['stream-front'],
})

/** All that the layout is made of. */
export const cameraLayout: Whole = {
  name: 'camera-layout',
  collections: [streamCollection, cameraCollection, rigCollection],
}

/** A camera of the robot. */
export interface LaidOut {
  readonly camera_uid: string
  readonly name: string
  /** Plugged in, or nothing that can be. */
  readonly present: boolean
  /** That has it; null: none. */
  readonly stream: StoredValue<CanonicalManifest> | null
  readonly pose: PoseDocument | null
}

/** The units of cameras: those that are plugged in, and all that are known. */
export interface KnownUnits {
  readonly present: readonly CameraUnit[]
  readonly units: readonly CameraUnit[]
}

/** The cameras of streams in the order of these, then those that are plugged in and that no stream has. */
export const layoutOf = (
  streams: readonly StoredValue<CanonicalManifest>[],
  { present, units }: KnownUnits,
): readonly LaidOut[] => {
  const isIn = (uid: string, some: readonly { readonly camera_uid: string }[]) =>
    some.some(({ camera_uid }) => camera_uid === uid)
  const used = streams.map((stream): LaidOut => {
    const { alias, source, pose = null } = stream.value
    const camera_uid = cameraUidOf(stream.value)
    if (!ownCameraOf(source)) return { camera_uid, name: alias, present: true, stream, pose }
    const name = units.find((unit) => unit.camera_uid === camera_uid)?.name ?? alias
    return { camera_uid, name, present: isIn(camera_uid, present), stream, pose }
  })
  const unused = present.filter(({ camera_uid }) => !isIn(camera_uid, used))
  return [
    ...used,
    ...unused.map(({ camera_uid, name }) => ({ camera_uid, name, present: true, stream: null, pose: null })),
  ]
}
