// Requests about a peer's streams and cameras, forwarded to it: the peer decides, and its answer is the answer.

import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { StreamCommand, StreamCommandAnswer } from '../../machines/interdevice/command.ts'
import { GraphPatch, GraphPatchAnswer } from '../../machines/interdevice/graph-patch.ts'
import { pathPart } from '../../machines/interdevice/path-part.ts'
import { RemoteControls, RemoteGraph, RemotePoseOf } from '../../machines/interdevice/stream-parts.ts'
import { PoseBody } from '../../machines/localization/pose-body.ts'
import { PeerId } from '../../machines/peers/peer.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { bodyOfCommand, Precondition } from '../endpoints/controls.ts'
import { type ForeignAnswer, type Forwarded, forward } from '../endpoints/forward.ts'
import { remoteControlsExample, remoteGraphExample, remotePoseExample } from '../interdevice/stream-parts.ts'
import { poseExample } from '../stream/wire.ts'
import { RemoteStreamId } from './listed-id.ts'
import { ABOUT_COMPUTE, computeRow } from './set-compute.ts'
import type { PeerApiParts } from './wire.ts'

const streamParams = { peer_id: PeerId, remote_stream_id: RemoteStreamId }
const poseParams = {
  peer_id: PeerId,
  camera_uid: Type.String({ description: 'A camera of the peer, as it is named there.', examples: ['stream-front'] }),
}

const READ_LIMIT_MS = 10_000 // a camera is asked there
const LIMIT_MS = 20_000 // a pipeline is tried by an engine there before it is taken
const MAX_ANSWER_BYTES = 256 * 1024

const ABOUT = oneLine`
  The peer decides, with its own revision, and its answer is passed on as it is: also its refusals, as 409 with the
  present revision in \`context\`. Nothing is remembered here. Where the peer cannot be reached nothing was done
  (502); where it gives no answer in time (504), repeat the order with the same \`request_id\`: the peer does it once.
`

const ABOUT_READING = oneLine`
  Asked of the peer each time; its answer is passed on as it is. Nothing is remembered here: where it cannot be
  reached that is said (502), and where it gives no answer in time (504).
`

export const forwardedRows = (parts: PeerApiParts) => {
  const { accessTo, ask } = parts
  const send = (
    { params }: { readonly params: { readonly peer_id: string } },
    { method, path, body, headers }: Forwarded,
  ): Promise<ForeignAnswer | Fault> | Fault => {
    const access = accessTo(params.peer_id)
    if (isFault(access)) return access
    return ask(access.target, {
      method,
      path,
      body,
      headers,
      limitMs: method === 'GET' ? READ_LIMIT_MS : LIMIT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
  }
  const faults = [
    'peer.not_found',
    'peer.not_native',
    'peer.not_linked',
    'revision.stale',
    'request_id.reused',
  ] as const
  const stream = (id: string) => `/v1/interdevice/streams/${pathPart(id)}`
  const pose = (uid: string) => `/v1/interdevice/rig/cameras/${pathPart(uid)}/pose`
  const met = ['peer.not_found', 'peer.not_native', 'peer.not_linked'] as const
  return [
    forward('GET', '/v1/peers/:peer_id/streams/:remote_stream_id/controls', {
      params: streamParams,
      summary: 'Controls of the camera of a stream of a peer',
      send,
      about: oneLine`
        With their ranges, and the revision that \`set_control\` may expect. ${ABOUT_READING} \`control_changed\` with
        \`peer_id\` tells of each that is set.
      `,
      answer: { schema: RemoteControls, example: remoteControlsExample },
      to: ({ params }) => `${stream(params.remote_stream_id)}/controls`,
      faults: [...met, 'stream.not_found', 'actor.unavailable', 'camera.not_open', 'camera.failed'],
    }),

    forward('GET', '/v1/peers/:peer_id/streams/:remote_stream_id/pipeline/graph', {
      params: streamParams,
      summary: 'The pipeline of a stream of a peer',
      send,
      about: oneLine`
        With every parameter, and the revision that a patch expects. ${ABOUT_READING} \`pipeline_changed\` with
        \`peer_id\` tells when it is another.
      `,
      answer: { schema: RemoteGraph, example: remoteGraphExample },
      to: ({ params }) => `${stream(params.remote_stream_id)}/pipeline/graph`,
      faults: [...met, 'stream.not_found'],
    }),

    forward('GET', '/v1/peers/:peer_id/rig/cameras/:camera_uid/pose', {
      params: poseParams,
      summary: 'Where a camera of a peer sits on the robot',
      send,
      about: oneLine`
        As the peer knows it now; \`rig\` of \`GET /v1/peers/{id}\` shows the poses of all as they were read last.
        ${ABOUT_READING}
      `,
      answer: { schema: RemotePoseOf, example: remotePoseExample },
      to: ({ params }) => pose(params.camera_uid),
      faults: [...met, 'camera.not_found'],
    }),

    forward('POST', '/v1/peers/:peer_id/streams/:remote_stream_id/commands', {
      params: streamParams,
      summary: 'Have something done with a stream of a peer',
      send,
      about: `${ABOUT} ${ABOUT_COMPUTE}`,
      here: { isMeant: ({ command }) => command === 'set_compute', row: computeRow(parts, streamParams) },
      body: {
        schema: StreamCommand,
        example: { request_id: '6f1e3c5a-0b5d-4d1c-9a64-0f1f0c6e7b21', command: 'set_pose', payload: poseExample },
      },
      answer: {
        schema: StreamCommandAnswer,
        example: { accepted: true, new_revision: 4, applied_at_ms: 1_767_225_600_000 },
      },
      to: ({ params }) => `${stream(params.remote_stream_id)}/commands`,
      faults: [...faults, 'stream.not_found'],
    }),

    forward('POST', '/v1/peers/:peer_id/streams/:remote_stream_id/pipeline/graph/patch', {
      params: streamParams,
      summary: 'Change the pipeline of a stream of a peer',
      about: ABOUT,
      send,
      body: {
        schema: GraphPatch,
        example: {
          request_id: '0f0c7d1e-3f0a-4a55-8a51-7b9a4c2f1d33',
          expected_pipeline_revision: 3,
          patch: [{ op: 'replace', path: '/nodes/1/params/decimate', value: 2 }],
        },
      },
      answer: {
        schema: GraphPatchAnswer,
        example: {
          accepted: true,
          pipeline_revision: 4,
          applied_at_ms: 1_767_225_600_000,
          summary: { nodes: 2, outputs: ['tags'], operations: 1 },
        },
        canBeGone: true,
      },
      to: ({ params }) => `${stream(params.remote_stream_id)}/pipeline/graph/patch`,
      faults: [...faults, 'stream.not_found'],
    }),

    forward('PUT', '/v1/peers/:peer_id/rig/cameras/:camera_uid/pose', {
      params: poseParams,
      summary: 'Say where a camera of a peer sits on the robot',
      about: ABOUT,
      send,
      body: bodyOfCommand({ schema: PoseBody, example: poseExample }, true),
      to: ({ params }) => pose(params.camera_uid),
      faults: [...faults, 'camera.not_found'],
    }),

    forward('DELETE', '/v1/peers/:peer_id/rig/cameras/:camera_uid/pose', {
      params: poseParams,
      summary: 'Forget where a camera of a peer sits',
      about: ABOUT,
      send,
      body: { schema: Precondition, example: {}, optional: true },
      to: ({ params }) => pose(params.camera_uid),
      faults: [...faults, 'camera.not_found'],
    }),
  ]
}
