// What a stream's pipeline does: its outputs, their newest values, its figures, and how well it is.
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { Call } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { metricsExample, metricsOf, StreamMetrics, StreamSmoke, smokeExample, smokeOf } from './figures.ts'
import type { StreamParts } from './parts.ts'
import {
  OutputList,
  OutputSample,
  outputSample,
  outputsExample,
  outputsOf,
  sampleExample,
  TruthSample,
  truthExample,
  truthSample,
} from './samples.ts'
import { storedStream, streamNotFound } from './view.ts'

/** What `answer` makes of a stream that exists, else `stream.not_found`. */
const ofStream =
  <Name extends string>(answer: (spec: CanonicalManifest, params: Record<Name, string>) => object) =>
  ({ directory, params }: Call<Name | 'id'>): object | Fault => {
    const stored = storedStream(directory, params.id)
    return stored ? answer(stored.value, params) : streamNotFound(params.id)
  }

export const pipelineRows = (parts: StreamParts) => [
  read('GET', '/v1/streams/:id/metrics', {
    summary: 'Figures of a stream',
    about: 'Frames, rates, latencies, and the time that each node takes.',
    answer: StreamMetrics,
    example: metricsExample,
    get: ofStream(({ id }) => metricsOf(parts, id)),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/:id/pipeline/outputs', {
    summary: 'Outputs of a pipeline',
    answer: OutputList,
    example: outputsExample,
    get: ofStream((spec) => ({ outputs: outputsOf(spec) })),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/:id/pipeline/outputs/:port/sample', {
    summary: 'Newest value of an output',
    answer: OutputSample,
    example: sampleExample,
    get: ofStream<'port'>((spec, { port }) => outputSample(parts, spec, port)),
    faults: ['stream.not_found', 'output.not_found'],
  }),

  read('GET', '/v1/streams/:id/pipeline/smoke', {
    summary: 'How well a pipeline is',
    about:
      'Healthy: live, and a frame was processed within the last second (or three frame times, where those are longer).',
    answer: StreamSmoke,
    example: smokeExample,
    get: ofStream(({ id }) => smokeOf(parts, id)),
    faults: ['stream.not_found'],
  }),

  read('GET', '/v1/streams/:id/truth', {
    summary: 'Truth of a synthetic stream',
    about: 'Where the robot and the camera really were in the newest frame, and how far off the solved pose is.',
    answer: TruthSample,
    example: truthExample,
    get: ofStream((spec) => truthSample(parts, spec)),
    faults: ['stream.not_found', 'stream.no_truth'],
  }),
]
