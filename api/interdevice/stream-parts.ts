// What other devices read of a stream or a camera before they change it: what can be set, with the revision that a
// change may expect.
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { RemoteControls, RemoteGraph, RemotePoseOf } from '../../machines/interdevice/stream-parts.ts'
import { type LaidOut, LayoutUid } from '../../machines/rig/layout.ts'
import { cameraUidOf, pipelineIdOf } from '../../machines/stream/part-names.ts'
import { graphIdOf } from '../../machines/stream/slots.ts'
import type { Given } from '../../machines/token.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { laidOut, rigNeeds } from '../rig/pose.ts'
import { brightness, controlNeeds, controlsOfStream, labelledControl } from '../stream/camera/controls.ts'
import { cameraStreamParams, poseExample, specExample, streamParams } from '../stream/wire.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the parts of a stream. */
export const streamPartNeeds = { ...sharedStreamNeeds, ...controlNeeds, ...rigNeeds }
type StreamPartParts = Given<typeof streamPartNeeds>

export const remoteControlsExample = {
  revision: 3,
  camera_uid: 'cam-k3f7q2ma',
  controls: [labelledControl(brightness)],
}
export const remoteGraphExample = {
  revision: 3,
  pipeline_id: 'stream-front',
  is_stored: false,
  graph: specExample.pipeline,
}
export const remotePoseExample = { revision: 3, camera_uid: 'stream-front', stream_id: 'front', pose: poseExample }

/** isShown: whose cameras are known to others. */
export const streamPartRows = (parts: StreamPartParts, isShown: (camera: LaidOut) => boolean): readonly Endpoint[] => [
  read('GET', '/v1/interdevice/streams/:id/controls', {
    params: cameraStreamParams,
    summary: 'Controls of the camera of a stream',
    about:
      'Asks the camera each time, as `GET /v1/streams/{id}/controls` does. They are set by the command `set_control`.',
    access: 'peer',
    answer: RemoteControls,
    example: remoteControlsExample,
    get: async ({ params: { id } }) => {
      const stream = sharedStream(parts, id)
      if (isFault(stream)) return stream
      const controls = await controlsOfStream(parts, id)
      if (isFault(controls)) return controls
      const { revision, value } = stream.stored
      return { revision, camera_uid: cameraUidOf(value), controls: controls.map(labelledControl) }
    },
    faults: ['stream.not_found', 'actor.unavailable', 'camera.not_open', 'camera.failed'],
  }),

  read('GET', '/v1/interdevice/streams/:id/pipeline/graph', {
    params: streamParams,
    summary: 'The pipeline of a stream',
    about: 'What `POST .../pipeline/graph/patch` changes, with every parameter filled in.',
    access: 'peer',
    answer: RemoteGraph,
    example: remoteGraphExample,
    get: ({ params: { id } }) => {
      const stream = sharedStream(parts, id)
      if (isFault(stream)) return stream
      const { revision, value } = stream.stored
      const is_stored = graphIdOf(value) !== undefined
      return { revision, pipeline_id: pipelineIdOf(value), is_stored, graph: value.pipeline }
    },
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/interdevice/rig/cameras/:camera_uid/pose', {
    params: { camera_uid: LayoutUid },
    summary: 'Where a camera sits on the robot',
    access: 'peer',
    answer: RemotePoseOf,
    example: remotePoseExample,
    get: ({ params: { camera_uid } }) => {
      const camera = laidOut(parts).find((each) => each.camera_uid === camera_uid && isShown(each))
      if (!camera) return cameraCollection.notFound(camera_uid)
      const { stream, pose } = camera
      return { revision: stream?.revision ?? 0, camera_uid, stream_id: stream?.value.id ?? null, pose }
    },
    faults: ['camera.not_found'],
  }),
]
