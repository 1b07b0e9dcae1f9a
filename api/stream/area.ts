// Streams: the cameras, and what runs on their pictures.

import { PEER_REGISTRY } from '../../actors/peers/tokens.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { PoseBody } from '../../machines/localization/pose-body.ts'
import { ListedPeerStream, listedPeerStream } from '../../machines/peers/listed-stream.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamState } from '../../machines/stream/events.ts'
import { CanonicalManifest, StreamManifest } from '../../machines/stream/manifest.ts'
import { restartStream } from '../../machines/stream/orders.ts'
import { shownManifest } from '../../machines/stream/shown-manifest.ts'
import { StreamStatus } from '../../machines/stream/status.ts'
import type { Given } from '../../machines/token.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { resource } from '../endpoints/resource.ts'
import { assignNeeds, assignRow } from './camera/assign.ts'
import { backendNeeds, backendRows } from './camera/backends.ts'
import { controlNeeds, controlRows } from './camera/controls.ts'
import { cropNeeds, cropRow } from './camera/crop.ts'
import { formatNeeds, formatRow } from './camera/formats.ts'
import { catalogueNeeds, catalogueRows } from './catalogue.ts'
import { codecNeeds, codecRows } from './codecs.ts'
import { changeNeeds, manifestRow } from './manifest-change.ts'
import { ofStream, ofStreamNeeds } from './of-stream.ts'
import { graphNeeds, graphRows } from './pipeline/graph.ts'
import { pipelineNeeds, pipelineRows } from './pipeline/pipeline.ts'
import { posePatch } from './pose.ts'
import { pictureNeeds, pictureRows } from './preview/pictures.ts'
import { Previews } from './preview/preview.ts'
import { recordingNeeds, recordingRows } from './recording.ts'
import { resultNeeds, resultsRow } from './results/results-row.ts'
import { manifestExample, poseExample, specExample, streamExample, streamParams } from './wire.ts'
import { canonicalStream, newStream, writeNeeds } from './write.ts'

/** The needs of the rows of streams themselves. */
const manifestNeeds = { ...ofStreamNeeds, ...writeNeeds, peers: PEER_REGISTRY }

const needs = {
  ...manifestNeeds,
  ...changeNeeds,
  ...catalogueNeeds,
  ...controlNeeds,
  ...cropNeeds,
  ...codecNeeds,
  ...formatNeeds,
  ...backendNeeds,
  ...assignNeeds,
  ...pictureNeeds,
  ...pipelineNeeds,
  ...graphNeeds,
  ...recordingNeeds,
  ...resultNeeds,
}

/** Its viewers outlive their requests, and leave when the server stops. */
export const streamArea = areaOf(needs, (parts) => {
  const previews = new Previews(parts.viewers)
  const results = resultsRow(parts)
  const table = area('streams', 'Cameras, and what runs on their pictures.', [
    ...streamRows(parts),
    manifestRow(parts),
    ...catalogueRows(parts),
    ...controlRows(parts),
    cropRow(parts),
    ...codecRows(parts),
    formatRow(parts),
    ...backendRows(parts),
    assignRow(parts),
    ...pictureRows(parts, previews),
    ...pipelineRows(parts),
    ...graphRows(parts),
    ...recordingRows(parts),
    results.row,
  ])
  const close = () => {
    previews.endAll()
    results.close()
  }
  return { ...table, close }
})

const streamRows = (parts: Given<typeof manifestNeeds>) => {
  const stream = resource('/v1/streams', {
    collection: streamCollection,
    title: 'Stream',
    about: 'A stream.',
    spec: CanonicalManifest,
    status: StreamStatus,
    example: streamExample,
    specOf: shownManifest,
    statusOf: (id) => parts.streams.get(id)?.status(),
  })
  return [
    stream.list({
      summary: 'All streams',
      order: oneLine`
        In the order of their creation; those of peers behind them, in the order in which these were registered, with
        \`origin\`, \`compute\` and \`authority\`.
      `,
      about: '`revision` is that of the streams of this device.',
      query: {
        include: Type.Optional(
          Type.Enum(['remote'], {
            description: 'remote: also the streams of peers, as they were when they were read.',
          }),
        ),
      },
      beside: {
        item: ListedPeerStream,
        items: ({ query }) =>
          (query as { readonly include?: string }).include === 'remote'
            ? parts.peers.all().flatMap((peer) => peer.streams().map(listedPeerStream))
            : [],
      },
    }),

    stream.create({
      summary: 'Create and start a stream',
      about: oneLine`
        Without an id, one is made from the alias. The stream is stored, and started again at each boot. Files must
        lie inside the media roots (the data directory, and what VEDETTE_MEDIA_ROOTS names); with an administrator's
        token they may lie elsewhere.
      `,
      body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
      send: (call) => newStream(parts, call),
      faults: ['stream.exists', 'stream.too_many', 'document.exists', 'camera.in_use'],
    }),

    stream.read({ summary: 'One stream' }),

    stream.delete({ summary: 'Stop a stream and forget it' }),

    stream.change('PUT', '/pose', {
      summary: 'Say where the camera sits on the robot',
      about: oneLine`
        The pose of the camera body (x forward, y left, z up) in the robot frame. In force from the next frame on. The
        same as the pose of its camera in the rig.
      `,
      body: { schema: PoseBody, example: poseExample },
      patch: ({ body }) => posePatch(body),
    }),

    stream.change('DELETE', '/pose', {
      summary: 'Forget where the camera sits',
      about: 'The camera is then taken to sit at the origin of the robot.',
      patch: () => ({ pose: null }),
    }),

    command('POST', '/v1/streams/:id/restart', {
      params: streamParams,
      summary: 'Restart a stream',
      about: oneLine`
        Ends its engine and starts another; one that has failed is tried at once, and so is a pipeline that has ended
        engines. Answers when that is ordered; the status tells when it is live. Its viewers stay.
      `,
      publishes: [streamState],
      to: 'streams',
      send: ({ params }) =>
        ofStream(parts, params.id, ({ manifest, engine }) => {
          engine.pipelines.forgive()
          return restartStream(manifest)
        }),
      faults: ['stream.not_found'],
    }),

    read('POST', '/v1/streams/validate', {
      summary: 'Check a manifest',
      about: 'Answers with the manifest as it would be stored, every default filled in. Nothing is created.',
      body: { schema: StreamManifest, example: manifestExample, invalid: 'manifest.invalid' },
      answer: CanonicalManifest,
      example: specExample,
      get: async (call) => {
        const canonical = await canonicalStream(parts, call)
        return isFault(canonical) ? canonical : shownManifest(canonical)
      },
      faults: ['manifest.invalid'],
    }),
  ]
}
