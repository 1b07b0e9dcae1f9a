// The row on which the topics of the linked server are told with their values.
import { FaultDocument } from '../../machines/errors/fault-document.ts'
import { Nt4ProtocolName } from '../../machines/nt4/protocol-name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'
import { onlyListens } from '../connections/connections.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import type { LiveTopicFeed } from './live-topics.ts'

const strict = { additionalProperties: false } as const
const DEFAULT_RATE_PER_S = 4
const MAX_RATE_PER_S = 10
const TRY_AGAIN_LATER = 1013

const Server = Type.Object(
  {
    kind: Type.Literal('server'),
    server: orNull(Type.String(), '`host:port` of the server; null: there is none now.'),
    protocol: orNull(Nt4ProtocolName, 'null: there is no server now.'),
    fault: orNull(FaultDocument, 'Why there is none; null: there is one, or it is being called.'),
  },
  {
    ...strict,
    title: 'Nt4LiveServer',
    description: oneLine`
      The first message, and one whenever the server comes or goes. With a server, what was told before counts no more
      and all its topics follow; without one, what was told before is as it was.
    `,
  },
)

const value = {
  name: Type.String({ description: 'The whole name of the topic.' }),
  value: Type.Unknown({
    description: oneLine`
      As in \`POST /v1/nt4/value\`: null: nobody has written one, or it is bytes that are not taken apart. Of an array
      the first 64 elements, of a text the first 1000 characters.
    `,
  }),
  count: orNull(
    Type.Integer({ minimum: 0 }),
    'How many elements an array has, or how many bytes what is not taken apart; null: it is neither.',
  ),
  is_cut: Type.Boolean({ description: 'Whether there is more of it than is told: `POST /v1/nt4/value` has all.' }),
  not_decoded: orNull(Type.String(), 'Why bytes are not shown; null: they are, or it is none.'),
  age_ms: orNull(
    Type.Integer({ minimum: 0 }),
    'How long ago it was written, by the clock of the server; null: nobody has written one.',
  ),
}

const Topics = Type.Object(
  {
    kind: Type.Literal('topics'),
    topics: Type.Array(
      Type.Object(
        {
          ...value,
          type: Type.String({ description: 'As it was published.' }),
          properties: Type.Record(Type.String(), Type.Unknown(), { description: 'Those that were given to it.' }),
          role: orNull(
            Type.Enum(['published', 'read'], {
              description: 'published: this device publishes it. read: this device reads what others write to it.',
            }),
            'What this device has to do with it; null: nothing.',
          ),
        },
        { ...strict, title: 'Nt4LiveTopic', description: 'A topic with its newest value.' },
      ),
      { description: 'Each is new, or has another type or other properties; at most 500 in one message.' },
    ),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Topics that are not told for want of room: beyond 10000, or 8 MiB with their values.',
    }),
  },
  { ...strict, title: 'Nt4LiveTopics', description: 'Topics that are there.' },
)

const Values = Type.Object(
  {
    kind: Type.Literal('values'),
    values: Type.Array(
      Type.Object(value, { ...strict, title: 'Nt4LiveValue', description: 'What is in a topic now.' }),
      { description: 'Of topics that were told before; at most 500 in one message.' },
    ),
  },
  { ...strict, title: 'Nt4LiveValues', description: 'Values that were written: of each topic the newest.' },
)

const Gone = Type.Object(
  { kind: Type.Literal('gone'), names: Type.Array(Type.String()) },
  { ...strict, title: 'Nt4LiveGone', description: 'Topics that are not there any more.' },
)

const valueExample = {
  name: '/SmartDashboard/Speed',
  value: 3.42,
  count: null,
  is_cut: false,
  not_decoded: null,
  age_ms: 12,
}

const query = {
  rate: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: MAX_RATE_PER_S,
      default: DEFAULT_RATE_PER_S,
      description: 'How often each value is told, a second, at most.',
    }),
  ),
}

/** The row. */
export const topicsFeedRow = (topics: LiveTopicFeed): Endpoint =>
  feed('GET', '/v1/nt4/topics', {
    access: 'operate', // as the look at a server
    summary: 'The topics of the linked NT4 server, live',
    about: oneLine`
      Of the server with which this device has a link, or which it is itself: all topics, then what changes. It takes
      one more session with that server, for all who listen here, at most eight. Who is slow is told fewer values, of
      each topic the newest; who takes none for 30 s is cut off.
    `,
    query,
    messages: [
      {
        name: 'server',
        schema: Server,
        example: { kind: 'server', server: '10.12.34.2:5810', protocol: '4.1', fault: null },
      },
      {
        name: 'topics',
        schema: Topics,
        example: {
          kind: 'topics',
          topics: [{ ...valueExample, type: 'double', properties: {}, role: null }],
          left_out: 0,
        },
      },
      { name: 'values', schema: Values, example: { kind: 'values', values: [valueExample] } },
      { name: 'gone', schema: Gone, example: { kind: 'gone', names: ['/SmartDashboard/Speed'] } },
    ],
    admit: () => topics.full(),
    accept: ({ query: { rate = DEFAULT_RATE_PER_S }, request }, socket) => {
      if (request.socket.closed) return
      if (topics.full()) {
        socket.close(TRY_AGAIN_LATER, 'there is no room for another one who listens') // others came since
        return
      }
      onlyListens(request.socket)
      topics.accept(socket, rate)
    },
    faults: ['viewer.too_many'],
  })
