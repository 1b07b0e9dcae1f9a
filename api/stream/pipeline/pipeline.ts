// The pipeline of a stream as it runs: its outputs, their newest values, its figures, and its health.
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import type { Given } from '../../../machines/token.ts'
import { read } from '../../endpoints/read.ts'
import { ofStream, ofStreamNeeds } from '../of-stream.ts'
import { outputParams, streamParams } from '../wire.ts'
import { AllStreamMetrics, metricNeeds, metricsExample, metricsOf, StreamMetrics } from './figures.ts'
import {
  OutputList,
  OutputSample,
  outputList,
  outputSample,
  outputsExample,
  sampleExample,
  TruthSample,
  truthExample,
  truthSample,
} from './samples.ts'
import { StreamSmoke, smokeExample, smokeOf } from './smoke.ts'

/** The needs of the rows of a running pipeline. */
export const pipelineNeeds = {
  ...ofStreamNeeds,
  ...metricNeeds,
}
type PipelineParts = Given<typeof pipelineNeeds>

export const pipelineRows = (parts: PipelineParts) => [
  read('GET', '/v1/streams/:id/metrics', {
    params: streamParams,
    summary: 'Figures of a stream',
    about: oneLine`
      Frames, rates, latencies, the time that each node takes, and what its previews take of the network where that is
      limited.
    `,
    answer: StreamMetrics,
    example: metricsExample,
    get: ({ params }) => ofStream(parts, params.id, (stream) => metricsOf(parts, stream)),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/metrics', {
    summary: 'Figures of all streams',
    about: 'The same of each as `GET /v1/streams/{id}/metrics` has. `stream_figures` tells what of it changes.',
    answer: AllStreamMetrics,
    example: { streams: [{ id: 'front', ...metricsExample }] },
    get: () => ({ streams: parts.streams.all().map((stream) => ({ id: stream.id, ...metricsOf(parts, stream) })) }),
  }),

  read('GET', '/v1/streams/:id/pipeline/outputs', {
    params: streamParams,
    summary: 'Outputs of a pipeline',
    about: oneLine`
      What can be read at \`sample\`, and pictures (\`image\`), which can be watched at the preview. With
      \`include=samples\` each with its newest value, so that one request is enough.
    `,
    query: {
      include: Type.Optional(Type.Enum(['samples'], { description: 'samples: also the newest values.' })),
    },
    answer: OutputList,
    example: outputsExample,
    get: ({ params, query }) =>
      ofStream(parts, params.id, (stream) => outputList(parts.directory, stream, query.include === 'samples')),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/:id/pipeline/outputs/:port/sample', {
    params: outputParams,
    summary: 'Newest value of an output',
    answer: OutputSample,
    example: sampleExample,
    get: ({ params }) => ofStream(parts, params.id, (stream) => outputSample(parts.directory, stream, params.port)),
    faults: ['stream.not_found', 'output.not_found', 'output.other_kind'],
  }),

  read('GET', '/v1/streams/:id/pipeline/smoke', {
    params: streamParams,
    summary: 'How well a pipeline is',
    about: oneLine`
      What runs, where the time of a frame goes, what is left out and what goes wrong. Healthy: live, and a frame was
      processed within the last second (or three frame times, where those are longer).
    `,
    answer: StreamSmoke,
    example: smokeExample,
    get: ({ params }) => ofStream(parts, params.id, (stream) => smokeOf(parts.directory, stream)),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/:id/truth', {
    params: streamParams,
    summary: 'Truth of a synthetic stream',
    about: 'Where the robot and the camera really were in the newest frame, and how far off the solved pose is.',
    answer: TruthSample,
    example: truthExample,
    get: ({ params }) => ofStream(parts, params.id, (stream) => truthSample(parts.directory, stream)),
    faults: ['stream.not_found', 'stream.no_truth'],
  }),
]
