// Streams: the cameras, and what runs on their pictures.
import { PoseDocument } from '../../machines/localization/pose.ts'
import { deleteOrder, mergeOrder } from '../../machines/settings/commit.ts'
import { listRevisionOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { StreamManifest } from '../../machines/stream/manifest.ts'
import { restartStream } from '../../machines/stream/orders.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { catalogueRows } from './catalogue.ts'
import { mediaRows } from './media.ts'
import { type StreamParts, streamNeeds } from './parts.ts'
import { pipelineRows } from './pipeline.ts'
import { Previews } from './preview.ts'
import { allStreams, ofStream, streamView } from './view.ts'
import {
  manifestExample,
  poseExample,
  StreamResource,
  StreamSpec,
  specExample,
  streamExample,
  streamParams,
} from './wire.ts'
import { canonicalStream, newStream } from './write.ts'

/** Its viewers outlive their requests, and leave when the server stops. */
export const streamArea = areaOf(streamNeeds, (parts) => {
  const previews = new Previews()
  const table = area('streams', 'Cameras, and what runs on their pictures.', [
    ...streamRows(parts),
    ...poseRows,
    ...catalogueRows,
    ...mediaRows(parts, previews),
    ...pipelineRows(parts),
  ])
  return { ...table, close: () => previews.endAll() }
})

const streamRows = (parts: StreamParts) => [
  list('GET', '/v1/streams', {
    name: 'StreamList',
    summary: 'All streams',
    order: 'In the order of their creation.',
    item: StreamResource,
    example: streamExample,
    items: () => allStreams(parts),
    keyOf: ({ id }) => id,
    revision: ({ directory }) => listRevisionOf(directory.settings, streamCollection),
  }),

  command('POST', '/v1/streams', {
    summary: 'Create and start a stream',
    about:
      'Without an id, one is made from the alias. The stream is stored, and started again at each boot. Files must lie inside the media roots ' +
      "(the data directory, and what VEDETTE_MEDIA_ROOTS names); with an administrator's token they may lie elsewhere.",
    to: 'settings',
    body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
    send: (call) => newStream(parts, call),
    answer: {
      schema: StreamResource,
      example: streamExample,
      of: (_call, { id }) => streamView(parts, id),
    },
    faults: ['stream.exists', 'stream.too_many', 'document.exists'],
  }),

  read('GET', '/v1/streams/:id', {
    params: streamParams,
    summary: 'One stream',
    answer: StreamResource,
    example: streamExample,
    get: ({ params }) => streamView(parts, params.id),
    faults: ['stream.not_found'],
  }),

  command('DELETE', '/v1/streams/:id', {
    params: streamParams,
    summary: 'Stop a stream and forget it',
    to: 'settings',
    conditional: true,
    send: ({ params, expected }) => deleteOrder(streamCollection, params.id, expected),
    faults: ['stream.not_found'],
  }),

  command('POST', '/v1/streams/:id/restart', {
    params: streamParams,
    summary: 'Restart a stream',
    about:
      'Ends its engine and starts another; one that has failed is tried at once. Answers when that is ordered; the status tells when it is live. Its viewers stay.',
    to: 'streams',
    send: ({ params }) => ofStream(parts, params.id, ({ manifest }) => restartStream(manifest)),
    faults: ['stream.not_found'],
  }),

  read('POST', '/v1/streams/validate', {
    summary: 'Check a manifest',
    about: 'Answers with the manifest as it would be stored, every default filled in. Nothing is created.',
    body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
    answer: StreamSpec,
    example: specExample,
    get: (call) => canonicalStream(parts, call),
    faults: ['manifest.invalid'],
  }),
]

const poseRows = [
  command('PUT', '/v1/streams/:id/pose', {
    params: streamParams,
    summary: 'Say where the camera sits on the robot',
    about: 'The pose of the camera body (x forward, y left, z up) in the robot frame. In force from the next frame on.',
    to: 'settings',
    conditional: true,
    body: { schema: PoseDocument, example: poseExample },
    send: ({ params, body, expected }) => mergeOrder(streamCollection, params.id, { pose: body }, expected),
    faults: ['stream.not_found'],
  }),

  command('DELETE', '/v1/streams/:id/pose', {
    params: streamParams,
    summary: 'Forget where the camera sits',
    about: 'The camera is then taken to sit at the origin of the robot.',
    to: 'settings',
    conditional: true,
    send: ({ params, expected }) => mergeOrder(streamCollection, params.id, { pose: null }, expected),
    faults: ['stream.not_found'],
  }),
]
