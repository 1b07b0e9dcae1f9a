// The wire between this service and the program of a plugin: what each side may say, as schemas.
//
// A frame is a u32 (little endian) with the length of what follows: a MessagePack array of a message and, where the
// message says so, its bytes. A message is a map with `type`. Beside its bytes it is JSON: no extensions, no binary.
import type { Static, TSchema } from 'typebox'
import { JobId } from '../../jobs/job.ts'
import { enumOf } from '../../schema/enum-of.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { PluginName, PluginVersion } from '../name.ts'
import { PermissionWord } from '../permission.ts'

const strict = { additionalProperties: false } as const

/** A longer frame is refused, and skipped. */
export const MAX_PLUGIN_FRAME_BYTES = 4 * 1024 * 1024

/** Values in one message, lists and maps counted with what is in them: more take more memory than their bytes. */
export const MAX_PLUGIN_VALUES = 65_536

/** Of the body of a request to a route, and of its answer. */
export const MAX_ROUTE_BODY_BYTES = 1024 * 1024

/** Of a message between a panel and its program, of the data of an event, of the parameters of a job, as JSON. */
export const MAX_PLUGIN_JSON_BYTES = 64 * 1024

/** How many topics a plugin may publish at once. */
export const MAX_TOPICS = 64

/** Of one value of a topic. */
export const MAX_TOPIC_BYTES = 16 * 1024

/** How many streams a plugin may watch at once. */
export const MAX_WATCHES = 16

const NT_TYPES = {
  boolean: 'true or false',
  double: 'a number',
  int: 'a whole number',
  string: 'a text',
  'boolean[]': 'a list of them',
  'double[]': 'a list of numbers',
  'int[]': 'a list of whole numbers',
  'string[]': 'a list of texts',
  raw: 'the bytes of the frame',
} as const

const LOG_LEVELS = {
  debug: 'for who writes the plugin',
  info: 'what is usual',
  warn: 'what is not, and goes on',
  error: 'what failed',
} as const

const Ask = Type.Integer({
  minimum: 1,
  maximum: 2 ** 48,
  description: 'A number of the one who asks; the answer repeats it.',
})
const Request = Type.Integer({ minimum: 1, maximum: 2 ** 48, description: 'A number; the reply repeats it.' })
const Watch = Type.Integer({ minimum: 1, maximum: 2 ** 48, description: 'A number of the plugin.' })
const Status = Type.Integer({ minimum: 200, maximum: 599, description: 'As of HTTP.' })
const Word = (about: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', description: `Small letters, digits and underscores. ${about}` })
const Line = (maxLength: number, description: string) => Type.String({ maxLength, description })
const Json = (about: string) =>
  Type.Unknown({ description: `${about} JSON, at most ${MAX_PLUGIN_JSON_BYTES / 1024} KiB.` })
const StreamId = Type.String({ minLength: 1, maxLength: 64, description: 'Of a stream.' })
const MediaType = Type.String({ minLength: 3, maxLength: 100, description: 'As `application/json`.' })

const message = <Name extends string, Properties extends Record<string, TSchema>>(
  type: Name,
  description: string,
  properties: Properties,
) => Type.Object({ type: Type.Literal(type, { description: 'Its type.' }), ...properties }, { ...strict, description })

/** What this service says to the program of a plugin. */
export const TO_PLUGIN = {
  start: message('start', 'The first message. The plugin answers `ready` within 30 s.', {
    api: Type.Integer({ minimum: 1, description: 'The interface for plugins that this service has.' }),
    name: PluginName,
    version: PluginVersion,
    folder: Line(4096, 'Path of the unpacked package, which it may read.'),
    data_folder: Line(4096, 'Path of its own folder, which it may write.'),
    granted: Type.Array(PermissionWord, { description: 'What it may do.' }),
  }),
  request: message(
    'request',
    'A request to one of its routes; the bytes are its body. It answers `reply` within 10 s.',
    {
      request: Request,
      method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'As of HTTP.' }),
      path: Line(8192, 'What stands behind `/v1/plugins/{name}/api`, with a slash in front.'),
      query: Line(8192, 'What stands behind the question mark; may be empty.'),
      media_type: Type.Union([MediaType, Type.Null()], { description: 'Of the body; null: there is none.' }),
    },
  ),
  panel: message('panel', 'A message of one of its panels.', { message: Json('Whatever the panel said.') }),
  results: message('results', 'The results of a frame of a stream that it watches; a slow plugin misses some.', {
    watch: Watch,
    stream_id: StreamId,
    results: Type.Unknown({ description: 'As a message of `/v1/results`, without its stream.' }),
  }),
  job: message('job', 'A job begins. It answers `job_done`, and before that `job_progress` as often as it likes.', {
    job: JobId,
    kind: Word('One of its manifest.'),
    params: Json('As they were given.'),
  }),
  job_cancel: message('job_cancel', 'Somebody ended a job; what comes of it is not heard any more.', { job: JobId }),
  answer: message('answer', 'To an `ask` or a `job_start`. The bytes are a body that is not JSON.', {
    ask: Ask,
    ok: Type.Boolean({ description: 'Whether it was done.' }),
    status: Type.Integer({
      minimum: 0,
      maximum: 599,
      description: 'As of HTTP; 0 where the interface was not asked, or it is the answer to a `job_start`.',
    }),
    media_type: Type.Union([MediaType, Type.Null()], { description: 'Of the body; null: there is none.' }),
    body: Type.Unknown({
      description: oneLine`
        JSON; null where the bytes are the body, or there is none. Where it was not done, an object with \`code\` and
        \`detail\`. Of a job that was started, its \`job_id\`.
      `,
    }),
  }),
  stop: message('stop', 'It ends itself within 2 s, or is killed. SIGTERM says the same.', {}),
} as const

/** What the program of a plugin says to this service. */
export const FROM_PLUGIN = {
  ready: message('ready', 'It has started; the answer to `start`.', {}),
  publish: message(
    'publish',
    oneLine`
    A value for an NT topic, which is published with the first one. The bytes are the value of a topic of the type raw.
    It takes the permission topics.
  `,
    {
      topic: Type.String({
        pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}$',
        description: 'Letters, digits, underscores, dots and hyphens, in parts with slashes; below its own prefix.',
      }),
      nt_type: enumOf(NT_TYPES, 'PluginTopicType'),
      value: Type.Union(
        [
          Type.Boolean(),
          Type.Number(),
          Type.String({ maxLength: MAX_TOPIC_BYTES }),
          Type.Array(Type.Boolean(), { maxItems: MAX_TOPIC_BYTES }),
          Type.Array(Type.Number(), { maxItems: MAX_TOPIC_BYTES / 8 }),
          Type.Array(Type.String({ maxLength: MAX_TOPIC_BYTES }), { maxItems: MAX_TOPIC_BYTES / 8 }),
          Type.Null(),
        ],
        { description: 'Of that type; null for raw.' },
      ),
    },
  ),
  unpublish: message('unpublish', 'A topic goes; all do when the plugin ends.', {
    topic: Line(600, 'As it was published.'),
  }),
  event: message('event', 'An event for all who listen.', {
    kind: Word('One of its manifest.'),
    data: Json('What is told.'),
  }),
  log: message('log', 'A line for the log of the plugin.', {
    level: enumOf(LOG_LEVELS, 'PluginLogLevel'),
    text: Line(2000, 'For people.'),
  }),
  reply: message('reply', 'The answer to a `request`. The bytes are its body where it is not JSON.', {
    request: Request,
    status: Status,
    media_type: Type.Optional(MediaType),
    body: Type.Optional(
      Type.Unknown({ description: 'JSON; left out where the bytes are the body, or there is none.' }),
    ),
  }),
  panel: message('panel', 'A message to all of its panels that are open.', { message: Json('Whatever it says.') }),
  job_start: message('job_start', 'It wants a job of its own done; `answer` says its id, then `job` begins it.', {
    ask: Ask,
    kind: Word('One of its manifest.'),
    params: Json('Given back with `job`.'),
  }),
  job_progress: message('job_progress', 'How far a job is.', {
    job: JobId,
    percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'At most 100; null: nobody can tell.',
    }),
    message: Line(200, 'For people; may be empty.'),
  }),
  job_done: message('job_done', 'A job has ended.', {
    job: JobId,
    result: Type.Optional(Json('What came of it.')),
    error: Type.Optional(Line(1000, 'Why it failed, in a sentence; left out: it did not.')),
  }),
  ask: message(
    'ask',
    oneLine`
    A request of the interface of this service, as \`GET /v1/streams\`; \`answer\` brings what came of it. It takes the
    permission read, or operate, as the request does; at most 50 a second.
  `,
    {
      ask: Ask,
      method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'As of HTTP.' }),
      path: Type.String({
        pattern: '^/v1/[!-~]{1,2000}$',
        description: 'Letters, digits and signs of a URL, with its query; `/v1/` in front.',
      }),
      body: Type.Optional(Type.Unknown({ description: 'A JSON document.' })),
    },
  ),
  watch: message('watch', 'It wants the results of a stream from now on. It takes the permission read.', {
    watch: Watch,
    stream_id: StreamId,
    max_fps: Type.Optional(
      Type.Number({ minimum: 0.1, maximum: 60, description: 'No more often than so many times a second; default 10.' }),
    ),
  }),
  unwatch: message('unwatch', 'It does not want them any more.', { watch: Watch }),
} as const

export type ToPluginType = keyof typeof TO_PLUGIN
export type FromPluginType = keyof typeof FROM_PLUGIN
export type ToPlugin = { [Type in ToPluginType]: Static<(typeof TO_PLUGIN)[Type]> }[ToPluginType]
export type FromPlugin = { [Type in FromPluginType]: Static<(typeof FROM_PLUGIN)[Type]> }[FromPluginType]
