// What can be asked of an adapter, wherever its paths begin: under /extcam/{table}, or at the root of a port of its own.
import type { FastifyReply } from 'fastify'
import type { AdapterDoor } from '../../actors/extcam/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, mediaExample } from '../../machines/media/item.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import { Name } from '../../machines/schema/name.ts'
import Type from '../../machines/schema/type.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { SlotNumber } from '../../machines/stream/slots.ts'
import { sendDocument } from '../endpoints/answer.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { SNAPSHOT_FAULTS } from '../media/snapshot.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import type { Previews } from '../stream/preview/preview.ts'
import { PREVIEW_ANSWER, PREVIEW_FAULTS, type PreviewParts, showPreview } from '../stream/preview/show.ts'
import {
  ExtcamHardwareReport,
  ExtcamResults,
  ExtcamStatus,
  hardwareReportExample,
  Orientation,
  resultsExample,
  statusExample,
} from './wire.ts'

/** Finds the adapter that a request means. */
export type AdapterOf<Params> = (
  call: Pick<Call, 'directory' | 'request'> & { readonly params: Params },
) => AdapterDoor | Fault

/** The vendor ignores what it does not know, and clients add a time so that no cache answers: `/stream.mjpg?t=1712`. */
const asVendor = { ignoresOtherQueries: true } as const

export const resultsRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  summary: 'The newest frame, as the vendor has it',
  about: 'The same text as the NT key `json`, with the times of its frame.',
  mediaType: 'application/json',
  schema: ExtcamResults,
  example: resultsExample,
  get: (call: Parameters<typeof adapterOf>[0]) => {
    const adapter = adapterOf(call)
    return isFault(adapter) ? adapter : { bytes: adapter.results() }
  },
  faults: ['extcam.not_found'] as const,
})

export const statusRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  summary: 'The condition of a stream, as the vendor has it',
  answer: ExtcamStatus,
  example: statusExample,
  get: (call: Parameters<typeof adapterOf>[0]) => {
    const adapter = adapterOf(call)
    return isFault(adapter) ? adapter : adapter.status()
  },
  faults: ['extcam.not_found'] as const,
})

export const hardwareReportRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  because: 'the vendor answers with a list',
  summary: 'What is known of the camera and its lens, for people',
  about: 'The vendor does not say what is in it; the names are ours.',
  answer: {
    status: 'ok',
    mediaType: 'application/json',
    schema: ExtcamHardwareReport,
    example: hardwareReportExample,
  } as const,
  faults: ['extcam.not_found'] as const,
  serve: (call: Parameters<typeof adapterOf>[0], reply: FastifyReply) => {
    const adapter = adapterOf(call)
    return sendDocument(reply, 'ok', isFault(adapter) ? adapter : adapter.hardwareReport())
  },
})

export const orientationRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  because: 'the body is a list, and clients of the vendor take nothing but 200 for a success',
  summary: 'Say which way the robot looks, as clients of the vendor do without NT',
  about:
    'The same as the NT key `robot_orientation_set`, which does not count while this is in force: until two seconds ' +
    'after the last call. It is said with each turn of a robot program.',
  body: { schema: Orientation, example: [90, 0, 0, 0, 0, 0] },
  answer: { status: 'ok' } as const,
  faults: ['extcam.not_found', 'body.invalid'] as const,
  serve: (call: Parameters<typeof adapterOf>[0] & { body: readonly number[] }, reply: FastifyReply) => {
    const adapter = adapterOf(call)
    if (isFault(adapter)) return sendProblem(reply, adapter)
    const why = adapter.sayHeading(call.body)
    return why ? sendProblem(reply, fault('body.invalid', why)) : reply.code(SUCCESS.ok).send()
  },
})

const SnapshotName = Name(60, 'What the item is to be called; default: the stream and the time.')
const errorsInName = validatorOf(SnapshotName)

const snapshot = {
  ...asVendor,
  because: 'the vendor has the name of the picture in the query, or in a header, and no body',
  publishes: [mediaChanged],
  answer: { status: 'ok', mediaType: 'application/json', schema: MediaItem, example: mediaExample },
  faults: ['extcam.not_found', ...SNAPSHOT_FAULTS],
} as const

const keep = async (
  adapter: AdapterDoor | Fault,
  name: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (isFault(adapter)) return sendProblem(reply, adapter)
  return sendDocument(reply, 'ok', await adapter.takeSnapshot(name))
}

export const captureRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...snapshot,
  summary: 'Keep a picture of a stream, as clients of the vendor ask for it',
  about: 'The same as `POST /v1/streams/{id}/snapshot`.',
  query: {
    snapname: Type.Optional(SnapshotName),
  },
  serve: (call: Parameters<typeof adapterOf>[0] & { query: { snapname?: string } }, reply: FastifyReply) =>
    keep(adapterOf(call), call.query.snapname, reply),
})

const HEADER = 'snapname'

export const oldCaptureRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...snapshot,
  summary: 'The same, as old clients of the vendor ask for it',
  about: `The header \`${HEADER}\` may have a name for the item. Browsers are refused, since any page could make them send it.`,
  acts: true,
  faults: [...snapshot.faults, 'query.invalid'] as const,
  serve: (call: Parameters<typeof adapterOf>[0], reply: FastifyReply) => {
    const { headers, method } = call.request
    if (method === 'HEAD') return reply.code(SUCCESS.ok).send()
    const name = headers[HEADER] || undefined
    const [error] = name === undefined ? [] : errorsInName(name)
    if (error) return sendProblem(reply, fault('query.invalid', `the header ${HEADER} ${error.message}`))
    return keep(adapterOf(call), name as string | undefined, reply)
  },
})

export const switchRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  because: 'the vendor has the number in the query and no body, and its clients take nothing but 200 for a success',
  summary: 'Have a stream run another of its slots, as clients of the vendor ask for it',
  about:
    'The same as `POST /v1/streams/{id}/pipeline/graph` with a `slot`, and as the NT key `pipeline`. Answered when it is stored; `getpipe`, `pID` and `pipelineIndex` show it with ' +
    'the first frame of it.',
  publishes: [streamChanged],
  query: { index: { ...SlotNumber, examples: [1] } },
  answer: { status: 'ok' } as const,
  faults: [
    ...(['extcam.not_found', 'slot.empty', 'graph.not_found', 'pipeline.refused', 'revision.stale'] as const),
    ...(['document.invalid', 'storage.full', 'storage.failed', 'storage.in_use', 'storage.unavailable'] as const),
    ...(['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended'] as const),
  ],
  serve: async (call: Parameters<typeof adapterOf>[0] & { query: { index: number } }, reply: FastifyReply) => {
    const adapter = adapterOf(call)
    const why = isFault(adapter) ? adapter : await adapter.switchTo(call.query.index)
    return why ? sendProblem(reply, why) : reply.code(SUCCESS.ok).send()
  },
})

/** As dashboards of WPILib say how they want pictures; what is not positive leaves it to the camera. */
const streamQuery = {
  fps: Type.Optional(Type.Number({ minimum: -1, maximum: 240, description: 'At most. Default, and 0 or -1: all.' })),
  compression: Type.Optional(
    Type.Integer({
      minimum: -1,
      maximum: 100,
      description: "Of the JPEG; 0: best. Default, and -1: the camera's own.",
    }),
  ),
  resolution: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{1,3}x[1-9]\\d{1,3}$',
      description: 'Width and height, `320x240`; wider pictures are scaled down to that width.',
    }),
  ),
}

interface StreamQuery {
  readonly fps?: number
  readonly compression?: number
  readonly resolution?: string
}

const NARROWEST_PX = 16

/** previews: who watches. */
export const streamRow = <Params>(parts: PreviewParts, previews: Previews, adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  because: 'it never ends: pictures go past fastify straight to the socket',
  summary: 'Live pictures of a stream (MJPEG), as the vendor has them',
  about: 'The same as `GET /v1/streams/{id}/preview`.',
  query: streamQuery,
  answer: PREVIEW_ANSWER,
  faults: ['extcam.not_found', ...PREVIEW_FAULTS] as const,
  serve: (call: Parameters<typeof adapterOf>[0] & { query: StreamQuery }, reply: FastifyReply) => {
    const adapter = adapterOf(call)
    if (isFault(adapter)) return sendProblem(reply, adapter)
    const { directory, request, query } = call
    const { fps = 0, compression = -1, resolution } = query
    return showPreview(...([parts, previews, { clock: directory.clock, request, reply }] as const), {
      id: adapter.stream.id,
      fps: Math.max(0, fps),
      ...(compression >= 0 && { quality: Math.max(1, 100 - compression) }),
      ...(resolution !== undefined && { max_width: Math.max(NARROWEST_PX, Number.parseInt(resolution, 10)) }),
    })
  },
})
