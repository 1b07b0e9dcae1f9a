// The rig: where the cameras sit on the robot, and how large that is.
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { PoseBody, quaternionOf } from '../../machines/localization/pose-body.ts'
import { rigChanged } from '../../machines/rig/events.ts'
import { cameraLayout, LayoutUid, layoutOf } from '../../machines/rig/layout.ts'
import { ROBOT, rigCollection } from '../../machines/rig/robot.ts'
import { type Expected, type MergePatch, mergeOrder } from '../../machines/settings/commit.ts'
import { documentOf, revisionOfWhole } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import { posePatch } from '../streams/pose.ts'
import { poseExample } from '../streams/wire.ts'
import { CameraLayout, layoutExample, RobotChange } from './wire.ts'

const needs = { directory: DIRECTORY, cameras: CAMERAS, streams: STREAM_REGISTRY }
type Parts = Given<typeof needs>

const params = { camera_uid: LayoutUid }

export const rigArea = areaOf(needs, (parts) =>
  area('rig', 'Where the cameras sit on the robot.', [
    read('GET', '/v1/device/camera-layout', {
      summary: 'All cameras on the robot',
      about:
        'A pose is that of the camera body in the robot frame: x forward, y left, z up. It is a part of the stream that has the camera, and the same at either door.',
      answer: CameraLayout,
      example: layoutExample,
      get: () => layoutDocument(parts),
    }),

    command('PUT', '/v1/device/cameras/:camera_uid/pose', {
      params,
      summary: 'Say where a camera sits on the robot',
      about: 'The same as the pose of the stream that has it. In force from the next frame on.',
      conditional: true,
      publishes: [streamChanged],
      to: 'settings',
      body: { schema: PoseBody, example: poseExample },
      send: ({ params, body, expected }) => {
        const patch = posePatch(body)
        return isFault(patch) ? patch : changeOf(parts, params.camera_uid, patch, expected)
      },
      faults: ['camera.not_found', 'camera.no_stream'],
    }),

    command('DELETE', '/v1/device/cameras/:camera_uid/pose', {
      params,
      summary: 'Forget where a camera sits on the robot',
      about: 'It is then taken to sit at the origin of the robot.',
      conditional: true,
      publishes: [streamChanged],
      to: 'settings',
      send: ({ params, expected }) => changeOf(parts, params.camera_uid, { pose: null }, expected),
      faults: ['camera.not_found', 'camera.no_stream'],
    }),

    command('PATCH', '/v1/device/robot-dimensions', {
      summary: 'Say how large the robot is',
      about: 'Answers with the layout. The revision that may be expected is that of the layout.',
      conditional: true,
      publishes: [rigChanged],
      to: 'settings',
      body: { schema: RobotChange, example: { length_m: 0.82, width_m: 0.76 } },
      send: ({ body, expected }) => mergeOrder(rigCollection, ROBOT, body, { ...expected, whole: cameraLayout }),
      answer: { schema: CameraLayout, example: layoutExample, of: () => layoutDocument(parts) },
    }),
  ]),
)

const laidOut = ({ cameras, streams }: Parts) => {
  const present = cameras.recognised.present.map(({ unit }) => unit)
  return layoutOf(
    streams.all().map(({ stored }) => stored),
    { present, units: cameras.units },
  )
}

const layoutDocument = (parts: Parts): CameraLayout => {
  const robot = documentOf(parts.directory.settings, rigCollection, ROBOT)?.value
  return {
    revision: revisionOf(parts),
    robot: { length_m: null, width_m: null, height_m: null, ...robot },
    cameras: laidOut(parts).map(({ stream, pose, ...camera }) => ({
      ...camera,
      stream_id: stream?.value.id ?? null,
      revision: stream?.revision ?? null,
      pose,
      quaternion: pose && quaternionOf(pose),
    })),
  }
}

const revisionOf = ({ directory: { settings } }: Parts): number =>
  revisionOfWhole(settings.getSnapshot().context, cameraLayout)

const changeOf = (
  parts: Parts,
  camera_uid: string,
  patch: MergePatch<CanonicalManifest>,
  expected: Expected,
): Command<'settings'> | Fault => {
  const camera = laidOut(parts).find((each) => each.camera_uid === camera_uid)
  if (camera?.stream) return mergeOrder(streamCollection, camera.stream.value.id, patch, expected)
  const isKnown = parts.cameras.units.some((unit) => unit.camera_uid === camera_uid)
  return isKnown
    ? fault(
        'camera.no_stream',
        `no stream has the camera ${camera_uid}, and its pose is a part of its stream; create one first`,
      )
    : cameraCollection.notFound(camera_uid)
}
