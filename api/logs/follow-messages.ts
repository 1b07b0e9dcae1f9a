// What one hears who follows a log.
import { LogLine, LogSourceName, logLineExample } from '../../machines/logs/line.ts'
import Type from '../../machines/schema/type.ts'
import type { FeedMessage } from '../endpoints/endpoint.ts'

const strict = { additionalProperties: false } as const

const Begin = Type.Object(
  {
    kind: Type.Literal('begin'),
    source: LogSourceName,
    absent: Type.Union([Type.String(), Type.Null()], {
      description: 'Why there is no such log here; null: there is.',
    }),
  },
  { ...strict, title: 'LogBegin', description: 'The first message: lines follow, if there is such a log.' },
)

const Lines = Type.Object(
  { kind: Type.Literal('lines'), lines: Type.Array(LogLine, { description: 'In their order.' }) },
  { ...strict, title: 'LogLines', description: 'Lines that have come; those of a tenth of a second in one message.' },
)

const Lost = Type.Object(
  { kind: Type.Literal('lost'), count: Type.Integer({ minimum: 1, description: 'Lines.' }) },
  { ...strict, title: 'LogLost', description: 'So many lines were left out here, since they were not taken in time.' },
)

const Ended = Type.Object(
  { kind: Type.Literal('ended'), detail: Type.String({ description: 'Why.' }) },
  { ...strict, title: 'LogEnded', description: 'The source cannot be followed any more, and the connection ends.' },
)

/** Every sort of message. */
export const followMessages: readonly FeedMessage[] = [
  { name: 'begin', schema: Begin, example: { kind: 'begin', source: 'own', absent: null } },
  { name: 'lines', schema: Lines, example: { kind: 'lines', lines: [logLineExample] } },
  { name: 'lost', schema: Lost, example: { kind: 'lost', count: 120 } },
  { name: 'ended', schema: Ended, example: { kind: 'ended', detail: 'this system keeps no journal' } },
]
