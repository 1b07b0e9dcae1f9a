// Shows a stream to a client that asks for its pictures without end, at whatever path.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { leavesDevice } from '../../../machines/bandwidth/budget.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import Type from '../../../machines/schema/type.ts'
import { type PictureLook, watchPictures } from '../../../machines/stream/watch-pictures.ts'
import type { Given } from '../../../machines/token.ts'
import { VIEWER_PLACES } from '../../../machines/viewers/viewer-places.ts'
import type { Clock } from '../../../native/clock/port.ts'
import { isNext } from '../../connections/connections.ts'
import { sendHead } from '../../endpoints/answer.ts'
import type { AnswerSpec } from '../../endpoints/endpoint.ts'
import { fault, sendProblem } from '../../problems/problem.ts'
import { encoderNeeds, h264Encoder } from '../h264-encoder.ts'
import { streamNotFound } from '../of-stream.ts'
import { PREVIEW_MEDIA_TYPE } from './picture-part.ts'
import type { Previews } from './preview.ts'
import { checkVideoBandwidth, videoRoomNeeds } from './video-bandwidth.ts'
import { ABOUT_VIDEO_PACKETS, VIDEO_MEDIA_TYPE } from './video-packet.ts'

/** The needs of previews. */
export const previewNeeds = {
  ...encoderNeeds,
  ...videoRoomNeeds,
  viewers: VIEWER_PLACES,
}
export type PreviewParts = Given<typeof previewNeeds>

/** What a viewer is shown. fps 0: all pictures. */
export interface PreviewLook extends PictureLook {
  readonly id: string
  readonly fps?: number
  readonly codec?: 'mjpeg' | 'h264'
  /** Whether packets of H.264 say by their frame's own time which frame they are. */
  readonly captured?: boolean
}

/** How the answer is described. */
export const PREVIEW_ANSWER = {
  status: 'ok',
  mediaType: PREVIEW_MEDIA_TYPE,
  endless: true,
  otherForms: [
    {
      mediaType: VIDEO_MEDIA_TYPE,
      schema: Type.Unsafe<Uint8Array>({
        type: 'string',
        format: 'binary',
        title: 'VideoStream',
        description: `Of codec=h264: packets without end. ${ABOUT_VIDEO_PACKETS}`,
      }),
    },
  ],
  schema: Type.Unsafe<Uint8Array>({
    type: 'string',
    format: 'binary',
    title: 'PictureStream',
    description: 'Pictures without end, each a part with its own headers.',
  }),
} as const satisfies AnswerSpec

/** What a refusal can be. */
export const PREVIEW_FAULTS = [
  ...(['request.malformed', 'stream.not_found', 'stream.no_picture', 'picture.too_many_kinds'] as const),
  ...(['output.not_found', 'output.other_kind', 'viewer.too_many', 'codec.unavailable'] as const),
]

/** A request, and how it is answered. */
interface Asker {
  readonly clock: Clock
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const onlyMjpeg = (output: string) => {
  const message = `is h264, which shows the camera's picture alone; watch the output ${output} as mjpeg`
  return fault('query.invalid', `codec ${message}`, { errors: [{ pointer: '/codec', message }] })
}

/** Takes the connection over, or says why not. previews: who watches. */
export const showPreview = async (
  parts: PreviewParts,
  previews: Previews,
  { clock, request, reply }: Asker,
  { id, fps = 0, codec = 'mjpeg', captured = false, ...look }: PreviewLook,
): Promise<FastifyReply> => {
  if (codec === 'h264' && look.output !== undefined) return sendProblem(reply, onlyMjpeg(look.output))
  const library = codec === 'h264' ? await h264Encoder(parts) : undefined
  if (isFault(library)) return sendProblem(reply, library)
  if (!isNext(reply))
    return sendProblem(
      reply,
      fault('request.malformed', 'a preview must wait until what was asked before it on this connection is answered'),
    )
  const tooMany = parts.viewers.full()
  if (tooMany) return sendProblem(reply, tooMany)
  const stream = parts.streams.get(id)
  if (!stream) return sendProblem(reply, streamNotFound(id))
  const isMetered = parts.budget.mbit_s !== null && leavesDevice(request.raw.socket)
  if (library) {
    const full = isMetered && checkVideoBandwidth(parts)
    if (full) return sendProblem(reply, full)
    if (request.method === 'HEAD') return sendHead(reply, VIDEO_MEDIA_TYPE)
    previews.showVideo(reply, { clock, stream, isMetered, want: { library }, hasCaptured: captured })
    return reply
  }
  const watch = watchPictures(stream, look, { fps, isMetered })
  if (isFault(watch)) return sendProblem(reply, watch)
  if (request.method !== 'HEAD') previews.show(reply, { clock, stream, output: look.output ?? '', watch, fps })
  else watch.release()
  return request.method === 'HEAD' ? sendHead(reply, PREVIEW_MEDIA_TYPE) : reply
}
