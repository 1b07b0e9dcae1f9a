// What is asked of logs and answered, on the wire.
import type { Static, TObject } from 'typebox'
import { Boot } from '../../machines/logs/boots.ts'
import { LogLevelName, LogLine, LogSourceName, logLineExample } from '../../machines/logs/line.ts'
import type { LogFilter } from '../../machines/logs/query.ts'
import { LogSettings } from '../../machines/logs/settings.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const DEFAULT_LIMIT = 200
const MAX_LIMIT = 1_000
const MAX_CURSOR_CHARACTERS = 256

const source = Type.Optional(LogSourceName)

const filter = {
  level: Type.Optional(LogLevelName),
  boot: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of this start of the device (`GET /v1/device/logs/sources`).' }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'What stands in the message, the part or the facts, in capital letters or small ones.',
    }),
  ),
}

const times = {
  since: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Unix time, ms: lines from then on, the first of them first.' }),
  ),
  until: Type.Optional(Type.Integer({ minimum: 0, description: 'Unix time, ms: lines before that.' })),
}

/** What a page is asked for with. */
export const pageQuery = {
  source,
  ...filter,
  ...times,
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CURSOR_CHARACTERS,
      description: oneLine`
        The \`older_cursor\` or \`newer_cursor\` of another page, or the \`cursor\` of a line, for what came after it.
        Default: the newest lines, or with \`since\` the first.
      `,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'The most lines to answer with.',
    }),
  ),
}
export type PageQuery = Static<TObject<typeof pageQuery>>

/** Whatever is in it. */
export const LogFile = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'LogFile',
  description: 'A log, packed with gzip.',
})

/** What a log is carried away with. */
export const downloadQuery = {
  source,
  ...filter,
  ...times,
  form: Type.Optional(
    Type.Enum(['text', 'json'], {
      default: 'text',
      description: 'text: a line for people. json: a LogLine on each line.',
    }),
  ),
}
export type DownloadQuery = Static<TObject<typeof downloadQuery>>

/** What a log is followed with. */
export const followQuery = {
  source,
  ...filter,
  backlog: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_LIMIT,
      default: 0,
      description: 'So many of the newest lines that there are already come first.',
    }),
  ),
}
export type FollowQuery = Static<TObject<typeof followQuery>>

/** Which lines a query means. */
export const filterIn = ({ level, boot, text, since, until }: Omit<DownloadQuery, 'form'>): LogFilter => ({
  ...(level !== undefined && { level }),
  ...(boot !== undefined && { boot }),
  ...(text !== undefined && { text }),
  ...(since !== undefined && { sinceMs: since }),
  ...(until !== undefined && { untilMs: until }),
})

export const DEFAULT_PAGE_LIMIT = DEFAULT_LIMIT

const absent = orNull(Type.String(), 'Why there is no such log here; null: there is, or lines of it are known.')

/** A page of a log. */
export const LogPage = Type.Object(
  {
    source: LogSourceName,
    lines: Type.Array(LogLine, { description: 'The oldest first.' }),
    older_cursor: orNull(Type.String(), 'Asks for what came before; null: there is nothing.'),
    newer_cursor: orNull(Type.String(), 'Asks for what has come since; null: there is no line yet.'),
    complete: Type.Boolean({
      description: oneLine`
        Whether there is nothing more that way now. false: there may be, also where fewer lines came than were asked
        for, since many had to be looked through: ask on with the cursor.
      `,
    }),
    gone: orNull(
      Type.String(),
      'Said where lines that followed the cursor are not kept any more; null: none is missing.',
    ),
    absent,
  },
  { ...strict, title: 'LogPage', description: 'A part of a log.' },
)

export const pageExample = {
  source: 'own',
  lines: [logLineExample],
  older_cursor: 'before:own:1042',
  newer_cursor: 'after:own:1042',
  complete: false,
  gone: null,
  absent: null,
}

const { level, parts } = LogSettings.properties

/** What logs there are, and how much ours holds. */
export const LogSources = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of `level` and `parts`; 0: nobody has changed them yet.' }),
    level,
    parts,
    level_at_start: LogLevelName,
    known_parts: Type.Array(Type.String(), { description: 'Parts that have said anything since the service started.' }),
    boot: Type.Integer({ minimum: 1, description: 'Which start of the device this is, as this service counts them.' }),
    boots: Type.Array(Boot, { description: 'The starts that it knows, the oldest first.' }),
    sources: Type.Array(
      Type.Object(
        { source: LogSourceName, absent },
        { ...strict, title: 'LogSource', description: 'Where lines come from.' },
      ),
    ),
  },
  { ...strict, title: 'LogSources', description: 'What logs there are, and how much our own holds.' },
)

export const sourcesExample = {
  revision: 2,
  level: null,
  parts: { nt4: 'debug' },
  level_at_start: 'info',
  known_parts: ['nt4', 'streams'],
  boot: 7,
  boots: [{ boot: 7, boot_id: '5f0d1c2b3a495867768594a3b2c1d0e1', at_ms: 1_767_225_600_000 }],
  sources: [
    { source: 'own', absent: null },
    { source: 'journal', absent: 'this system keeps no journal: journalctl is not there' },
    { source: 'kernel', absent: null },
  ],
}

/** A change of how much our own log holds. */
export const LogChange = Type.Object(
  {
    level: Type.Optional(level),
    parts: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }), Type.Union([LogLevelName, Type.Null()]), {
        additionalProperties: false,
        maxProperties: 64,
        description: 'Of single parts; null: as all others from now on.',
      }),
    ),
  },
  { ...strict, title: 'LogChange', minProperties: 1, description: 'What is left out stays as it is.' },
)
