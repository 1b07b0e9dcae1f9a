// The streams of peers that are worked on here.
import { DIRECTORY } from '../../actors/directory.ts'
import { ASK_PEER, PEER_ACCESS, PEER_REGISTRY, TUNNELS } from '../../actors/peers/tokens.ts'
import { readingCameraCapture, readingCapture } from '../../actors/remote-streams/read-capture.ts'
import { RemoteStreams } from '../../actors/remote-streams/remote-streams.ts'
import { READ_CAMERA_CAPTURE, READ_CAPTURE, REMOTE_STREAMS } from '../../actors/remote-streams/tokens.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { INLETS } from '../../native/inlets/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { RemoteStreamChildren } from './children.ts'
import { remoteStreamPorts } from './ports.ts'

export const remoteStreamBranch = branch({
  ports: remoteStreamPorts,
  offers: [
    offer(
      REMOTE_STREAMS,
      { streams: STREAM_REGISTRY, onBug: ON_BUG },
      ({ streams, onBug }) => new RemoteStreams({ streams, onBug: onBug('remote-streams') }),
    ),
    offer(READ_CAPTURE, { findPeer: PEER_ACCESS, ask: ASK_PEER }, readingCapture),
    offer(READ_CAMERA_CAPTURE, { findPeer: PEER_ACCESS, ask: ASK_PEER }, readingCameraCapture),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    all: REMOTE_STREAMS,
    peers: PEER_REGISTRY,
    tunnels: TUNNELS,
    inlets: INLETS,
    readCapture: READ_CAMERA_CAPTURE,
    record: RECORD,
  },
  start: ({ directory, ...parts }) => {
    const { events } = directory
    const children = new RemoteStreamChildren({ ...parts, events, write: settingsWriter(directory) })
    return keepAsWanted(parts, children)
  },
})
