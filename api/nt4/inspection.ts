// Looking at an NT4 server, the robot's or any other: which topics there are, and what is in one.

import type { Static } from 'typebox'
import type { Directory } from '../../actors/directory.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { AccessPolicy } from '../../machines/http/access.ts'
import { jsonValue } from '../../machines/nt4/json-value.ts'
import { linkedAddress } from '../../machines/nt4/nt4-link-machine.ts'
import { Nt4ProtocolName } from '../../machines/nt4/protocol-name.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import { readStruct } from '../../machines/nt4/struct.ts'
import { addressText, NT4_PORT, type Nt4Address, parseHost } from '../../machines/nt4/target.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Nt4Inspection, Nt4Look, Nt4Topic, Nt4TopicSeen } from '../../native/nt4/port.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault, invalidBody } from '../problems/problem.ts'
import { foreignAddressFault } from '../session/refusal.ts'

/** What the rows work with. policy: who may look beyond private networks. */
export interface InspectionParts {
  readonly inspection: Nt4Inspection
  readonly policy: AccessPolicy
  readonly settings: () => { readonly value: Nt4Settings }
}

const strict = { additionalProperties: false } as const
const MAX_TOPICS = 10_000
const MAX_ELEMENTS = 100_000

const server = {
  host: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'A name or an address. Without one: the server with which there is a link now.',
    }),
  ),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: 'Goes with `host`; 5810 if it is not said.' }),
  ),
}

const LookAtTopics = Type.Object(
  {
    ...server,
    prefix: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          'How their names begin. Those of the server itself begin with `$`, and are shown only if this does.',
      }),
    ),
    types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 32,
        description:
          'Their types: `double`, `struct:Pose3d`. One that ends in a colon stands for all that begin so: `struct:`.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TOPICS,
        description: 'At most so many are shown; 1000 if it is not said.',
      }),
    ),
  },
  { ...strict, title: 'Nt4TopicsQuestion', description: 'Which topics of which server.' },
)

const LookAtValue = Type.Object(
  {
    ...server,
    topic: Type.String({ minLength: 1, maxLength: 1_024, description: 'Its whole name.' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ELEMENTS,
        description: 'At most so many elements of an array are shown; 10000 if it is not said.',
      }),
    ),
  },
  { ...strict, title: 'Nt4ValueQuestion', description: 'Which topic of which server.' },
)

const Topic = Type.Object(
  {
    name: Type.String({ description: 'Its whole name.' }),
    type: Type.String({
      description: 'As it was published: `double`, `struct:Pose3d[]`, `protobuf`, or anything else.',
    }),
    properties: Type.Record(Type.String(), Type.Unknown(), { description: 'Those that were given to it.' }),
  },
  { ...strict, title: 'Nt4Topic', description: 'A topic of an NT4 server.' },
)

const seen = {
  server: Type.String({ description: '`host:port` of who was asked.' }),
  protocol: Nt4ProtocolName,
}

const Topics = Type.Object(
  {
    ...seen,
    complete: Type.Boolean({
      description: oneLine`
        Whether the server had no more to say. false: it was cut short after 2 s or 4 MiB, and there may be further
        topics.
      `,
    }),
    count: Type.Integer({ minimum: 0, description: 'How many topics were found that are as asked for, shown or not.' }),
    topics: Type.Array(Topic, { description: 'By name.' }),
  },
  { ...strict, title: 'Nt4Topics', description: 'The topics of a server.' },
)

const TopicValue = Type.Object(
  {
    ...seen,
    topic: Topic,
    timestamp_us: Type.Union([Type.Integer(), Type.Null()], {
      description: "Of the value, in the server's time; null: there is no value.",
    }),
    value: Type.Unknown({
      description: oneLine`
        null: nobody has written one, the server keeps none, or it is bytes that are not taken apart. An integer
        beyond 2^53 is a decimal text; NaN and the infinities are the texts \`NaN\`, \`Infinity\` and \`-Infinity\`. A
        struct is an object with its fields, by the layout that is published under \`/.schema/\`.
      `,
    }),
    count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many elements an array has, shown or not; null: it is no array.',
    }),
    base64: Type.Union([Type.String(), Type.Null()], {
      description: oneLine`
        The bytes of what travels as bytes: \`raw\`, \`protobuf\`, \`msgpack\`, structs, and every type of which NT4
        knows nothing. null for all else.
      `,
    }),
    not_decoded: Type.Union([Type.String(), Type.Null()], {
      description: 'Why bytes are shown in base64 only; null: they are not.',
    }),
  },
  { ...strict, title: 'Nt4Value', description: 'What is in a topic.' },
)

const LIMITS = oneLine`
  Opens a session of its own and closes it again: at most 2 s and 4 MiB, four at a time. An address outside of private
  networks takes an administrator. The host is looked up once, and asked at the address that was judged.
`

const FAULTS: readonly ClientCode[] = [
  ...(['nt4.closed', 'nt4.no_clock', 'nt4.not_linked', 'nt4.refused', 'nt4.unreachable'] as const),
]

const topicExample = { name: '/SmartDashboard/Auto', type: 'string', properties: {} }
const seenExample = { server: '10.12.34.2:5810', protocol: '4.1' }

/** The two rows. */
export const inspectionRows = (parts: InspectionParts): readonly Endpoint[] => [
  read('POST', '/v1/nt4/topics', {
    access: 'operate', // it makes this device call others
    summary: 'The topics of an NT4 server',
    about: LIMITS,
    body: { schema: LookAtTopics, example: { host: '10.12.34.2', prefix: '/SmartDashboard/' } },
    answer: Topics,
    example: { ...seenExample, complete: true, count: 1, topics: [topicExample] },
    get: async (call) => {
      const at = lookFor(parts, call)
      if (isFault(at)) return at
      const { prefix = '', types, limit = 1_000 } = call.body
      const found = await parts.inspection.topics(at, prefix)
      if (isFault(found)) return found
      const wanted = found.topics.filter((topic) => isOfTypes(topic, types))
      return {
        server: addressText(at),
        protocol: found.protocol,
        complete: found.limit === null,
        count: wanted.length,
        topics: wanted.slice(0, limit),
      } satisfies Static<typeof Topics>
    },
    faults: FAULTS,
  }),

  read('POST', '/v1/nt4/value', {
    access: 'operate',
    summary: 'What is in a topic of an NT4 server',
    about: LIMITS,
    body: { schema: LookAtValue, example: { host: '10.12.34.2', topic: topicExample.name } },
    answer: TopicValue,
    example: {
      ...seenExample,
      topic: topicExample,
      timestamp_us: 81_250_312,
      value: 'two notes',
      count: null,
      base64: null,
      not_decoded: null,
    },
    get: async (call) => {
      const at = lookFor(parts, call)
      if (isFault(at)) return at
      const { topic, limit = 10_000 } = call.body
      const found = await parts.inspection.topic(at, topic)
      return isFault(found) ? found : valueView(found, at, limit)
    },
    faults: [...FAULTS, 'nt4.topic_not_found'],
  }),
]

interface Wanted {
  readonly host?: string
  readonly port?: number
}

/** The server to look at, or why that is not possible. */
const lookFor = (
  { settings, policy }: InspectionParts,
  { directory, body, request }: Call<never, unknown, Wanted>,
): Nt4Look | Fault => {
  const at = serverOf(directory, body)
  if (isFault(at)) return at
  return { ...at, name: `${settings().value.client_name}-inspection`, refusal: foreignAddressFault(policy, request) }
}

const serverOf = ({ actor }: Directory, { host: text, port }: Wanted): Nt4Address | Fault => {
  if (text !== undefined) {
    const host = parseHost(text)
    return host === undefined
      ? invalidBody({ pointer: '/host', message: 'must be a name or an address' })
      : { host, port: port ?? NT4_PORT }
  }
  if (port !== undefined) return invalidBody({ pointer: '/host', message: 'is missing; a port goes with it' })
  const link = actor('nt4-link')?.getSnapshot()
  const linked = link && linkedAddress(link)
  const out = 'there is no link to the robot now; name a host, or look at GET /v1/device/nt4'
  return linked ?? fault('nt4.not_linked', out)
}

const isOfTypes = ({ type }: Nt4Topic, types: readonly string[] | undefined): boolean =>
  types?.some((wanted) => (wanted.endsWith(':') ? type.startsWith(wanted) : type === wanted)) ?? true

const valueView = (found: Nt4TopicSeen, at: Nt4Address, limit: number): Static<typeof TopicValue> => {
  const { topic, newest, protocol } = found
  const bytes = newest?.value instanceof Uint8Array ? newest.value : undefined
  const struct = bytes && structValue(found, bytes)
  const value = bytes ? (struct?.ok ? struct.value : undefined) : newest?.value
  const array = value !== undefined && isArray(value) ? value : undefined
  return {
    server: addressText(at),
    protocol,
    topic,
    timestamp_us: newest?.timestampUs ?? null,
    value: value === undefined ? null : jsonValue(array ? array.slice(0, limit) : value),
    count: array?.length ?? null,
    base64: bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') : null,
    not_decoded: struct && !struct.ok ? struct.reason : null,
  }
}

const structValue = ({ topic: { type }, layouts }: Nt4TopicSeen, bytes: Uint8Array) =>
  type.startsWith('struct:')
    ? readStruct(type, bytes, layouts)
    : { ok: false as const, reason: `values of the type ${type} are not taken apart here` }

const isArray = (value: unknown): value is readonly unknown[] | Float64Array =>
  Array.isArray(value) || value instanceof Float64Array
