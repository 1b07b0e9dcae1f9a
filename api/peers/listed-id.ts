// The ids of streams of peers as the list of all streams has them, in the paths under a peer.
import Type from '../../machines/schema/type.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'

/** The stream, in a path under its peer. */
export const RemoteStreamId = Type.String({
  description:
    'A stream of the peer: its id there, or the one under which `GET /v1/streams?include=remote` lists it, with the ' +
    'peer and a colon before it.',
  examples: ['front'],
})

/** The same row, which takes a stream of a peer by either id: that of the peer, or that of the list of all streams. */
export const byEitherId = (endpoint: Endpoint): Endpoint => {
  const { serve, feed } = endpoint
  if (!('remote_stream_id' in endpoint.params)) return endpoint
  return {
    ...endpoint,
    serve: (call, reply) => serve(withOwnId(call), reply),
    ...(feed && {
      feed: {
        ...feed,
        admit: (call) => feed.admit(withOwnId(call)),
        accept: (call, socket) => feed.accept(withOwnId(call), socket),
      },
    }),
  }
}

/** The id on the device itself: without the peer and the colon before it, which no id of a stream has in it. */
const withOwnId = (call: Call): Call => {
  const { peer_id = '', remote_stream_id = '' } = call.params
  const listed = `${peer_id}:`
  if (!remote_stream_id.startsWith(listed)) return call
  return { ...call, params: { ...call.params, remote_stream_id: remote_stream_id.slice(listed.length) } }
}
