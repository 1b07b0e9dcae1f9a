// A stream of a peer as it stands among the streams of this device: in their shape, as far as it is known, and marked.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { PeerStream } from './peer-record.ts'

const strict = { additionalProperties: false } as const
const { id, alias, status, revision, width_px, height_px, fps, ...more } = PeerStream.properties
const { crop, picture, fault, pipeline_fault, ...known } = more

/** A stream of a peer among those of this device. */
export const ListedPeerStream = Type.Object(
  {
    id: Type.String({
      maxLength: 120,
      description: oneLine`
        The id of the peer, a colon, and the id of the stream there. Streams of this device have no colon in theirs,
        and peers neither, so that no two are the same.
      `,
      examples: ['back:front'],
    }),
    revision,
    spec: Type.Object(
      { id, alias, crop },
      { ...strict, title: 'ListedPeerStreamSpec', description: 'What is known of what its user wants.' },
    ),
    status: Type.Object(
      { state: status, width_px, height_px, fps, picture, fault, pipeline_fault },
      { ...strict, title: 'ListedPeerStreamStatus', description: 'What is known of what is the case with it.' },
    ),
    ...known,
  },
  {
    ...strict,
    title: 'ListedPeerStream',
    description: oneLine`
      A stream of another device, as it was when it was read. What can be done with it is under
      \`/v1/peers/{origin.peer_id}/streams/{spec.id}\`.
    `,
  },
)
export type ListedPeerStream = Static<typeof ListedPeerStream>

/** Puts a stream of a peer into the shape of those of this device. */
export const listedPeerStream = ({
  id,
  alias,
  status: state,
  revision,
  width_px,
  height_px,
  fps,
  crop,
  picture,
  fault,
  pipeline_fault,
  ...known
}: PeerStream): ListedPeerStream => ({
  id: `${known.origin.peer_id}:${id}`,
  revision,
  spec: { id, alias, ...(crop !== undefined && { crop }) },
  status: {
    state,
    width_px,
    height_px,
    fps,
    ...(picture !== undefined && { picture }),
    ...(fault !== undefined && { fault }),
    ...(pipeline_fault !== undefined && { pipeline_fault }),
  },
  ...known,
})
