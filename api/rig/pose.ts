// The rows that say where the cameras sit on the robot, at each of the paths.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { PoseBody } from '../../machines/localization/pose-body.ts'
import { type LaidOut, LayoutUid, layoutOf } from '../../machines/rig/layout.ts'
import { type Expected, type MergePatch, mergeOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import type { Endpoint, RowBase } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'
import { posePatch } from '../stream/pose.ts'
import { poseExample } from '../stream/wire.ts'

export const rigNeeds = { directory: DIRECTORY, cameras: CAMERAS, streams: STREAM_REGISTRY }
export type RigParts = Given<typeof rigNeeds>

/** The cameras of streams in the order of these, then those that are plugged in and that no stream has. */
export const laidOut = ({ cameras, streams }: Pick<RigParts, 'cameras' | 'streams'>): readonly LaidOut[] => {
  const present = cameras.recognised.present.map(({ unit }) => unit)
  return layoutOf(
    streams.all().map(({ stored }) => stored),
    { present, units: cameras.units },
  )
}

/** What the paths differ in. isShown: whose cameras are known there. */
interface PoseRowOptions extends Pick<RowBase, 'access'> {
  readonly isShown?: (camera: LaidOut) => boolean
}

/** The rows that say where a camera sits, and forget it. path: of all cameras. */
export const poseRows = (
  parts: RigParts,
  path: string,
  { isShown = () => true, ...row }: PoseRowOptions = {},
): readonly Endpoint[] => {
  const one = `${path}/:camera_uid/pose` as '/:camera_uid'
  const change = (camera_uid: string, patch: MergePatch<CanonicalManifest>, expected: Expected) =>
    changeOf(parts, laidOut(parts).filter(isShown), camera_uid, { patch, expected })
  const shared = {
    ...row,
    params: { camera_uid: LayoutUid },
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    faults: ['camera.not_found', 'camera.no_stream'],
  } as const
  return [
    command('PUT', one, {
      ...shared,
      summary: 'Say where a camera sits on the robot',
      about: 'The same as the pose of the stream that has it. In force from the next frame on.',
      body: { schema: PoseBody, example: poseExample },
      send: ({ params, body, expected }) => {
        const patch = posePatch(body)
        return isFault(patch) ? patch : change(params.camera_uid, patch, expected)
      },
    }),

    command('DELETE', one, {
      ...shared,
      summary: 'Forget where a camera sits on the robot',
      about: 'It is then taken to sit at the origin of the robot.',
      send: ({ params, expected }) => change(params.camera_uid, { pose: null }, expected),
    }),
  ]
}

const changeOf = (
  { cameras }: Pick<RigParts, 'cameras'>,
  shown: readonly LaidOut[],
  camera_uid: string,
  { patch, expected }: { readonly patch: MergePatch<CanonicalManifest>; readonly expected: Expected },
): Command<'settings'> | Fault => {
  const camera = shown.find((each) => each.camera_uid === camera_uid)
  if (camera?.stream) return mergeOrder(streamCollection, camera.stream.value.id, patch, expected)
  const isKnown = cameras.units.some((unit) => unit.camera_uid === camera_uid)
  return isKnown
    ? fault(
        'camera.no_stream',
        `no stream has the camera ${camera_uid}, and its pose is a part of its stream; create one first`,
      )
    : cameraCollection.notFound(camera_uid)
}
