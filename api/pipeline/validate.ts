// Asks the planner about a graph that is stored nowhere.

import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { ANYWHERE, examineGraph, type PlanContext } from '../../machines/pipeline/examine.ts'
import { GraphDraft } from '../../machines/pipeline/graph.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import { planContextOf } from '../../machines/stream/plan-context.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'
import type { PipelineParts } from './parts.ts'
import { PlannerReport, reportExample, reportOf } from './report.ts'
import { graphExample } from './wire.ts'

const Question = Type.Object(
  {
    graph: GraphDraft,
    stream_id: Type.Optional(
      about(StreamId, 'The stream that would run it: its pictures and its calibration are what warnings follow from.'),
    ),
  },
  { additionalProperties: false, title: 'PlannerQuestion', description: 'A graph to be checked, and for whom.' },
)

export const validateRow = (parts: PipelineParts) =>
  read('POST', '/v1/pipelines/validate', {
    summary: 'Check a pipeline',
    about: oneLine`
      Answers with the plan, and with diagnostics: what is wrong or worth knowing, where, and as \`fix\` a JSON Patch
      (RFC 6902) of the graph that repairs it. A graph that cannot run is an answer like any other; only a document
      that is none is refused. Nothing is stored, and no stream is touched.
    `,
    body: { schema: Question, example: { graph: graphExample, stream_id: 'front' } },
    answer: PlannerReport,
    example: reportExample,
    get: ({ body: { graph, stream_id } }) => {
      const context = contextOf(parts, stream_id)
      return isFault(context) ? context : reportOf(graph, examineGraph(graph, context), context)
    },
    faults: ['stream.failed'],
  })

const contextOf = ({ streams, unavailable, models }: PipelineParts, id: string | undefined): PlanContext | Fault => {
  if (id === undefined) return { ...ANYWHERE, unavailable: unavailable(), models }
  const stream = streams.get(id)
  if (!stream) return unknownStream(id)
  const opened = stream.engine.opened.value
  const context = { ...planContextOf(stream.manifest, opened), unavailable: unavailable(), models }
  if (context.picture === null && stream.status().state === 'failed')
    return fault(
      'stream.failed',
      oneLine`
        how large the pictures of the stream ${id} are only its engine can tell, and that has failed; see its status, or
        ask without stream_id
      `,
    )
  return context
}

const unknownStream = (id: string): Fault =>
  fault('body.invalid', `/stream_id of the body is ${quote(id)}, which is no stream; GET /v1/streams lists them`, {
    errors: [{ pointer: '/stream_id', message: `is ${quote(id)}, which is no stream` }],
  })
