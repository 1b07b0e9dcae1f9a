// Streams: the cameras, and what runs on their pictures.
import Type from 'typebox'
import { PoseDocument } from '../../machines/localization/pose.ts'
import { StreamId, StreamManifest } from '../../machines/stream/manifest.ts'
import { command } from '../endpoints/command.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { catalogueRows } from './catalogue.ts'
import { mediaRows } from './media.ts'
import { pipelineRows } from './pipeline.ts'
import { Previews } from './preview.ts'
import { streamList, streamView } from './view.ts'
import {
  manifestExample,
  poseExample,
  StreamList,
  StreamResource,
  StreamSpec,
  specExample,
  streamExample,
} from './wire.ts'
import { canonicalStream, changeStream, createStream, deleteStream, restartStream } from './write.ts'

const PortName = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description:
    "1 to 40 lower-case letters, digits, - and _, beginning with a letter. The name of one of the pipeline's outputs.",
})

export { Previews, StreamResource, StreamSpec }

/** previews: where viewers are kept, since they outlive their request. */
export const streamArea = (previews: Previews): Area =>
  area('streams', 'Cameras, and what runs on their pictures.', { id: StreamId, port: PortName }, [
    ...streamRows,
    ...poseRows,
    ...catalogueRows,
    ...mediaRows(previews),
    ...pipelineRows,
  ])

const streamRows = [
  read('GET', '/v1/streams', {
    summary: 'All streams',
    about: 'In the order of their creation. The revision is that of the list.',
    answer: StreamList,
    example: { revision: 1, streams: [streamExample] },
    get: ({ directory }) => streamList(directory),
  }),

  command('POST', '/v1/streams', {
    summary: 'Create and start a stream',
    about:
      'Without an id, one is made from the alias. The stream is stored, and started again at each boot. Files must lie inside the media roots ' +
      "(the data directory, and what VEDETTE_MEDIA_ROOTS names); with an administrator's token they may lie elsewhere.",
    to: 'settings',
    body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
    send: createStream,
    answer: {
      schema: StreamResource,
      example: streamExample,
      of: ({ directory }, order) => streamView(directory, order.id as string),
    },
    faults: ['stream.exists', 'stream.too_many', 'document.exists'],
  }),

  read('GET', '/v1/streams/:id', {
    summary: 'One stream',
    answer: StreamResource,
    example: streamExample,
    get: ({ directory, params }) => streamView(directory, params.id),
    faults: ['stream.not_found'],
  }),

  command('DELETE', '/v1/streams/:id', {
    summary: 'Stop a stream and forget it',
    to: 'settings',
    conditional: true,
    send: deleteStream,
    faults: ['stream.not_found'],
  }),

  command('POST', '/v1/streams/:id/restart', {
    summary: 'Restart a stream',
    about:
      'Ends its engine and starts another; one that has failed is tried at once. Answers when that is ordered; the status tells when it is live. Its viewers stay.',
    to: 'streams',
    send: restartStream,
    faults: ['stream.not_found'],
  }),

  read('POST', '/v1/streams/validate', {
    summary: 'Check a manifest',
    about: 'Answers with the manifest as it would be stored, every default filled in. Nothing is created.',
    body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
    answer: StreamSpec,
    example: specExample,
    get: canonicalStream,
    faults: ['manifest.invalid'],
  }),
]

const poseRows = [
  command('PUT', '/v1/streams/:id/pose', {
    summary: 'Say where the camera sits on the robot',
    about: 'The pose of the camera body (x forward, y left, z up) in the robot frame. In force from the next frame on.',
    to: 'settings',
    conditional: true,
    body: { schema: PoseDocument, example: poseExample },
    send: (call) => changeStream(call, { pose: call.body }),
    faults: ['stream.not_found'],
  }),

  command('DELETE', '/v1/streams/:id/pose', {
    summary: 'Forget where the camera sits',
    about: 'The camera is then taken to sit at the origin of the robot.',
    to: 'settings',
    conditional: true,
    send: (call) => changeStream(call, { pose: null }),
    faults: ['stream.not_found'],
  }),
]
