// Pictures of the streams of peers, as the peers send them. Nothing of them is decoded here, and no stream is made.

import type { Socket } from 'node:net'
import { TUNNELS } from '../../actors/peers/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { REFUSALS } from '../../machines/peers/greeting.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { VIEWER_PLACES } from '../../machines/viewers/viewer-places.ts'
import { areaOf } from '../endpoints/area.ts'
import { area, type Call } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { proxy } from '../endpoints/proxy.ts'
import { fps, framesForm } from '../stream/preview/frames-form.ts'
import { PICTURE_HEADERS, PREVIEW_MEDIA_TYPE } from '../stream/preview/picture-part.ts'
import { pictureQuery } from '../stream/preview/picture-query.ts'
import { PREVIEW_ANSWER } from '../stream/preview/show-preview.ts'
import { byEitherId, RemoteStreamId } from './listed-id.ts'

const params = {
  peer_id: Type.String({ description: 'The peer, as `GET /v1/peers` names it.', examples: ['back'] }),
  remote_stream_id: RemoteStreamId,
}
type Params = keyof typeof params

/** What can go wrong between two devices. */
const PEER_FAULTS = [
  ...REFUSALS,
  ...(['peer.not_found', 'peer.not_linked', 'peer.unreachable', 'peer.too_slow', 'peer.bad_answer'] as const),
]

/** What the peer can refuse, in its own words. */
const PICTURE_FAULTS = [
  ...(['stream.not_found', 'stream.no_picture', 'output.not_found', 'output.other_kind'] as const),
  ...(['picture.too_many_kinds', 'viewer.too_many'] as const),
]

const Picture = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'PeerPicture',
  description: 'A picture as the other device sends it.',
})

const previewQuery = {
  ...pictureQuery,
  fps,
  codec: Type.Optional(
    Type.Enum(['mjpeg'], {
      default: 'mjpeg',
      description: oneLine`
        H.264 is not passed on, and h264 refused: the device itself has it (\`GET
        /v1/streams/{id}/preview?codec=h264\` there).
      `,
    }),
  ),
}

const TRY_AGAIN_LATER = 1013

/** codec: of that there is but one. */
const wanted = ({
  params: { peer_id, remote_stream_id },
  query: { codec: _, ...query },
}: Call<Params, Readonly<Record<string, unknown>>>) => ({ peer_id, stream_id: remote_stream_id, query })

export const peerPictureArea = areaOf({ tunnels: TUNNELS, places: VIEWER_PLACES }, ({ tunnels, places }) => {
  const ends = new Set<() => void>()

  /**
   * Takes a place for a viewer and opens what it asked for: from before the opening, which takes its time, until its
   * connection closes, so that others that come meanwhile are counted too. One that leaves meanwhile keeps its place
   * until there is something to see.
   */
  const placed = async <Opened extends object>(
    { request: { socket } }: Call<Params>,
    open: () => Promise<Opened | Fault>,
  ): Promise<Opened | Fault> => {
    const full = places.full()
    if (full) return full
    const leave = places.take()
    const found = await open().catch((error: unknown) => {
      leave()
      throw error
    })
    if (isFault(found) || socket.closed) leave()
    else socket.once('close', leave)
    return found
  }
  /** end: the way to send a viewer away when the service stops. */
  const enter = (connection: Socket, end: () => void): void => {
    ends.add(end)
    connection.once('close', () => ends.delete(end))
  }
  const refusal = ({ params: { peer_id } }: Call<Params>): Fault | undefined => tunnels.refusal(peer_id)

  const table = area('peers', 'Other devices, and what they have.', [
    proxy('GET', '/v1/peers/:peer_id/streams/:remote_stream_id/preview', {
      params,
      summary: 'Live pictures of a peer (MJPEG)',
      about: oneLine`
        Byte for byte what the peer sends, one connection to it for all who want the same. A viewer that is slow
        misses whole pictures, the newest wins. It ends when the peer ends it or the link to it is gone; ask again
        then. Here nothing is decoded and no engine runs. The peer's budget for previews counts this device as one
        viewer.
      `,
      query: previewQuery,
      answer: { ...PREVIEW_ANSWER, mediaType: PREVIEW_MEDIA_TYPE, otherForms: [] },
      refusal: (call) => refusal(call) ?? places.full(),
      relay: async (call) => {
        const found = await placed(call, () => tunnels.preview(wanted(call)))
        if (isFault(found)) return found
        return {
          mediaType: found.tunnel.mediaType,
          join: (socket) => {
            enter(socket, () => socket.destroySoon())
            found.join(socket)
          },
        }
      },
      faults: [...PEER_FAULTS, ...PICTURE_FAULTS],
    }),

    proxy('GET', '/v1/peers/:peer_id/streams/:remote_stream_id/frame', {
      params,
      summary: 'One picture of a peer',
      about: oneLine`
        As the peer answers it, with what it says of the picture. \`If-None-Match\` and \`If-Modified-Since\` are
        passed on. Who asks for what is on its way already gets that one.
      `,
      query: pictureQuery,
      answer: {
        status: 'ok',
        also: ['unchanged'],
        mediaType: 'image/jpeg',
        schema: Picture,
        headers: PICTURE_HEADERS,
      },
      refusal,
      relay: (call) => tunnels.picture(wanted(call), conditionsIn(call.request.headers)),
      faults: [...PEER_FAULTS, ...PICTURE_FAULTS],
    }),

    feed('GET', '/v1/peers/:peer_id/streams/:remote_stream_id/frames', {
      ...framesForm,
      params,
      summary: 'The frames of a peer, one message each',
      about: oneLine`
        Each message as the peer sends it, one connection to it for all who listen. Who is slow misses whole messages,
        the newest wins. When nothing comes from the peer any more the socket is closed with 1013; come again then.
        A peer of a version that knows no \`results\` sends pictures without them (no flag 8).
      `,
      admit: async (call) => {
        const found = await placed(call, () => tunnels.frames(wanted(call)))
        return isFault(found) ? found : undefined
      },
      accept: (call, socket) => {
        enter(call.request.socket, () => socket.terminate())
        void tunnels.frames(wanted(call)).then((found) => {
          if (isFault(found)) socket.close(TRY_AGAIN_LATER, 'the other device has gone')
          else found.join(socket)
        })
      },
      faults: [...PEER_FAULTS, ...PICTURE_FAULTS],
    }),
  ])
  return {
    ...table,
    endpoints: table.endpoints.map(byEitherId),
    close: () => {
      for (const end of ends) end()
    },
  }
})

const CONDITIONS = ['if-none-match', 'if-modified-since']

const conditionsIn = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  Object.fromEntries(
    CONDITIONS.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  ) as Readonly<Record<string, string>>
