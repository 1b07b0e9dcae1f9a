// The tokens of remote streams.
import type { Fault } from '../../machines/errors/fault.ts'
import type { CameraCapture, StreamCapture } from '../../machines/interdevice/capture.ts'
import { token } from '../../machines/token.ts'
import type { RemoteStreams } from './remote-streams.ts'

/** The streams of peers that are worked on here. */
export const REMOTE_STREAMS = token<RemoteStreams>('remote-streams')

/**
 * Asks a peer how the pictures of a stream are taken. Fails as the access to it and its wire do; `stream.not_found`;
 * `peer.refuses_us`; `peer.bad_answer`.
 */
export const READ_CAPTURE =
  token<(peer_id: string, stream_id: string) => Promise<StreamCapture | Fault>>('read-capture')

/** The same, of the camera alone: whatever pipeline runs there. */
export const READ_CAMERA_CAPTURE =
  token<(peer_id: string, stream_id: string) => Promise<CameraCapture | Fault>>('read-camera-capture')
