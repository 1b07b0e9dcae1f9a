// What can be asked of an adapter, wherever its paths begin: under /extcam/{table}, or at the root of a port of its
// own.

import type { Static, TObject } from 'typebox'
import { isFault } from '../../machines/errors/fault.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, mediaExample } from '../../machines/media/item.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import { Name, NameOrEmpty } from '../../machines/schema/name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { SlotNumber } from '../../machines/stream/slots.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { SNAPSHOT_FAULTS } from '../media/snapshot.ts'
import { fault } from '../problems/problem.ts'
import { type AdapterOf, vendorRow } from './vendor-row.ts'
import {
  ExtcamHardwareReport,
  ExtcamResults,
  ExtcamStatus,
  hardwareReportExample,
  Orientation,
  resultsExample,
  statusExample,
} from './wire.ts'

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

export const hardwareReportRow = vendorRow({
  summary: 'What is known of the camera and its lens, for people',
  about: 'The vendor does not say what is in it; the names are ours.',
  answer: { schema: ExtcamHardwareReport, example: hardwareReportExample },
  ask: (adapter) => adapter.hardwareReport(),
})

export const orientationRow = vendorRow({
  summary: 'Say which way the robot looks, as clients of the vendor do without NT',
  about:
    'The same as the NT key `robot_orientation_set`, which does not count while this is in force: until two seconds ' +
    'after the last call. It is said with each turn of a robot program.',
  body: { schema: Orientation, example: [90, 0, 0, 0, 0, 0] },
  ask: (adapter, { body }) => {
    const why = adapter.sayHeading(body)
    return why === undefined ? undefined : fault('body.invalid', why)
  },
  faults: ['body.invalid'],
})

const MAX_NAME_LENGTH = 60
const WHAT_NAME = 'What the item is to be called; default: the stream and the time.'
const errorsInName = validatorOf(Name(MAX_NAME_LENGTH, WHAT_NAME))

const snapshot = {
  publishes: [mediaChanged],
  answer: { schema: MediaItem, example: mediaExample },
} as const

export const captureRow = vendorRow({
  ...snapshot,
  summary: 'Keep a picture of a stream, as clients of the vendor ask for it',
  about: 'The same as `POST /v1/streams/{id}/snapshot`.',
  query: {
    snapname: Type.Optional(NameOrEmpty(MAX_NAME_LENGTH, WHAT_NAME)), // the vendor's Python library sends ''
  },
  ask: (adapter, { query }) => adapter.takeSnapshot(query.snapname || undefined),
  faults: SNAPSHOT_FAULTS,
})

const HEADER = 'snapname'
const nameIn = ({ headers }: Call['request']) => headers[HEADER] || undefined

export const oldCaptureRow = vendorRow({
  ...snapshot,
  summary: 'The same, as old clients of the vendor ask for it',
  about: oneLine`
    The header \`${HEADER}\` may have a name for the item. Browsers are refused, since any page could make them send it.
  `,
  acts: true,
  refuse: ({ request }) => {
    const name = nameIn(request)
    const [error] = name === undefined ? [] : errorsInName(name)
    return error && fault('query.invalid', `the header ${HEADER} ${error.message}`)
  },
  ask: (adapter, { request }) => adapter.takeSnapshot(nameIn(request) as string | undefined),
  faults: [...SNAPSHOT_FAULTS, 'query.invalid'],
})

export const switchRow = vendorRow({
  summary: 'Have a stream run another of its slots, as clients of the vendor ask for it',
  about: oneLine`
    The same as \`POST /v1/streams/{id}/pipeline/graph\` with a \`slot\`, and as the NT key \`pipeline\`. Answered
    when it is stored; \`getpipe\`, \`pID\` and \`pipelineIndex\` show it with the first frame of it.
  `,
  publishes: [streamChanged],
  query: { index: { ...SlotNumber, examples: [1] } },
  ask: (adapter, { query }) => adapter.switchTo(query.index),
  faults: [
    ...(['slot.empty', 'graph.not_found', 'pipeline.refused', 'revision.stale'] as const),
    ...(['document.invalid', 'storage.full', 'storage.failed', 'storage.in_use', 'storage.unavailable'] as const),
    ...(['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended'] as const),
  ],
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

const NARROWEST_PX = 16

export const streamRow = <Params>(adapterOf: AdapterOf<Params>) => ({
  ...asVendor,
  summary: 'Live pictures of a stream (MJPEG), as the vendor has them',
  about: 'The same as `GET /v1/streams/{id}/preview`.',
  query: streamQuery,
  look: (call: Parameters<typeof adapterOf>[0] & { readonly query: Static<TObject<typeof streamQuery>> }) => {
    const adapter = adapterOf(call)
    if (isFault(adapter)) return adapter
    const { fps = 0, compression = -1, resolution } = call.query
    return {
      id: adapter.stream.id,
      fps: Math.max(0, fps),
      ...(compression >= 0 && { quality: Math.max(1, 100 - compression) }),
      ...(resolution !== undefined && { max_width: Math.max(NARROWEST_PX, Number.parseInt(resolution, 10)) }),
    }
  },
  faults: ['extcam.not_found'] as const,
})
