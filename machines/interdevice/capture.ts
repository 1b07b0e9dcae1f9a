// How the pictures of a stream are taken, and what is made of them: what another device needs to process them itself.
import type { Static } from 'typebox'
import { PoseDocument } from '../localization/pose.ts'
import { CanonicalGraph } from '../pipeline/graph.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { Intrinsics } from '../stream/manifest.ts'

/** `GET /v1/interdevice/streams/{id}/capture`. */
export const StreamCapture = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the stream.' }),
    alias: Type.String({ maxLength: 120, description: 'The name for people.' }),
    fps: orNull(
      Type.Number({ minimum: 0.1, maximum: 240 }),
      'Pictures a second that its camera is to give; null while none come.',
    ),
    intrinsics: orNull(Intrinsics, 'Of the pictures as they come, cropped; null: not known, or none come at present.'),
    pose: orNull(PoseDocument, 'Where the camera body sits on the robot; null: at its origin.'),
    is_live: Type.Boolean({ description: 'Whether pictures come. Else fps and intrinsics are not known.' }),
    map_id: Type.String({ maxLength: 60, description: 'The field map by which places are told.' }),
    pipeline: CanonicalGraph,
  },
  {
    title: 'StreamCapture',
    description: 'How the pictures of a stream are taken, and the pipeline that it runs on them.',
  },
)
export type StreamCapture = Static<typeof StreamCapture>

const { is_live, fps, intrinsics, pose } = StreamCapture.properties

/** What of it belongs to the camera: a device that processes the pictures itself needs no more to follow it. */
export const CameraCapture = Type.Object({ is_live, fps, intrinsics, pose })
export type CameraCapture = Static<typeof CameraCapture>
