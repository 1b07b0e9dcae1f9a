// A stream of another device as a source.
import type { Static } from 'typebox'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { sourceKind } from './source-kind.ts'

const about = oneLine`
  A stream of another device, whose pictures come through the tunnel to it. Made by the command \`set_compute\` alone,
  and gone with it: it can be sent for the stream that has it, and for no other.`

/** A stream of a peer whose pictures are worked on here. It stands for the explicit order to do so. */
export const PeerSource = Type.Object(
  {
    backend: Type.Literal('peer'),
    peer_id: Type.String({ maxLength: 40, description: 'The peer.' }),
    stream_id: Type.String({ maxLength: 64, description: 'The stream, as the peer names it.' }),
    fps: Type.Number({ minimum: 0.1, maximum: 240, description: 'What its camera gives there.' }),
  },
  { additionalProperties: false, title: 'PeerSource', description: about },
)
export type PeerSource = Static<typeof PeerSource>

/** A stream of another device. */
export const peerKind = sourceKind({
  backend: 'peer',
  sent: PeerSource,
  whole: PeerSource,
  traits: { attachedStream: (source) => source, fps: ({ fps }) => fps },
})
