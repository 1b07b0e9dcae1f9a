// The needs of the rows of peers, and the examples in the reference.
import { ASK_PEER, PEER_ACCESS, PEER_REGISTRY, REGISTER_PEER } from '../../actors/peers/tokens.ts'
import { READ_CAPTURE, REMOTE_STREAMS } from '../../actors/remote-streams/tokens.ts'
import type { Given } from '../../machines/token.ts'
import { SIGN_IN } from '../session/area.ts'
import { writeNeeds } from '../stream/write.ts'

export const peerNeeds = {
  ...writeNeeds,
  remote: REMOTE_STREAMS,
  readCapture: READ_CAPTURE,
  signIn: SIGN_IN,
  peers: PEER_REGISTRY,
  accessTo: PEER_ACCESS,
  register: REGISTER_PEER,
  ask: ASK_PEER,
}
export type PeerApiParts = Given<typeof peerNeeds>

const DEVICE_ID = '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10'
const BASE = 'https://10.12.34.11:5801'

export const registrationExample = { base_url: BASE, name: 'Back' }

const stream = {
  id: 'front',
  alias: 'Front',
  status: 'live',
  revision: 3,
  camera_uid: 'stream-front',
  formats: ['mjpeg', 'jpeg'],
  width_px: 640,
  height_px: 480,
  fps: 30,
  commands: ['set_control', 'set_pose'],
  authority: 'source',
}

/** A stream of a peer, as it is shown here. */
export const peerStreamExample = {
  ...stream,
  origin: { peer_id: 'back', revision: 3, stale: false },
  compute: 'proxy',
}

/** A peer with a link. */
export const peerExample = {
  id: 'back',
  revision: 2,
  device_id: DEVICE_ID,
  name: 'Back',
  base_url: BASE,
  integration: 'native',
  status: 'linked',
  authority: 'source',
  protocol_version: '1.0',
  capabilities: ['proxy_streams', 'remote_control'],
  api_base: BASE,
  ws_base: 'wss://10.12.34.11:5801',
  fingerprint: null,
  has_token: false,
  streams: [peerStreamExample],
  url_streams: [],
  pipelines: [{ stream_id: 'front', id: 'stream-front', revision: 3, outputs: [{ id: 'tags', type: 'detections' }] }],
  localization_outputs: [],
  rig: [{ camera_uid: 'stream-front', stream_id: 'front', pose_revision: 3, has_pose: false }],
  synced_at_ms: 1_767_225_600_000,
  stale: false,
  health: { round_trip_ms: 1.2, last_seen_ms: 1_767_225_601_000 },
  fault: null,
}
