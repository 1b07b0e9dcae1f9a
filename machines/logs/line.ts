// A line of a log, of whichever source, as it is told to whoever asks.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { LOG_LEVELS } from './level.ts'

const strict = { additionalProperties: false } as const

/** Where lines come from. */
export const SOURCES = ['own', 'journal', 'kernel'] as const
export type LogSourceId = (typeof SOURCES)[number]

/** The schema of their names. */
export const LogSourceName = Type.Enum([...SOURCES], {
  title: 'LogSourceName',
  description: oneLine`
    own: what this service says. journal: what all programs of the system say, by systemd. kernel: what the kernel says.
  `,
})

/** The schema of how much a line matters. */
export const LogLevelName = Type.Enum([...LOG_LEVELS], {
  title: 'LogLevelName',
  description: oneLine`
    error: something does not work. warn: something is not as it should be. info: what happens. debug: what only who
    looks for a fault wants to know.
  `,
})

/** Longer ones are cut: what is in a log is read by people. */
export const MAX_MESSAGE_CHARACTERS = 8_192

/** The schema of a line. */
export const LogLine = Type.Object(
  {
    cursor: Type.String({ description: 'Its place in the log of its source.' }),
    boot: orNull(
      Type.Integer({ minimum: 1 }),
      'Which start of the device it was, as this service counts them; null: one that it does not know.',
    ),
    monotonic_us: orNull(
      Type.Integer({ minimum: 0 }),
      'Since that start, by a clock that nobody sets: lines of one start are in its order.',
    ),
    at_ms: Type.Integer({
      description: oneLine`
        Unix time, by the clock of the device as it stood then; a device without a clock of its own starts with a wrong
        one. Of lines of this service since the start of the device it is put right when that is set.
      `,
    }),
    level: LogLevelName,
    part: orNull(
      Type.String(),
      'Of which part of the service it is, or which program of the system wrote it; null: it is not told.',
    ),
    pid: orNull(Type.Integer({ minimum: 0 }), 'The process that wrote it; null: it is not told.'),
    message: Type.String({ description: 'Without secrets, and cut where it is longer than 8192 characters.' }),
    facts: orNull(
      Type.Record(Type.String(), Type.Unknown()),
      'What programs read of it, as `code` and `resource`; null: there is none.',
    ),
  },
  { ...strict, title: 'LogLine', description: 'A line of a log.' },
)
export type LogLine = Static<typeof LogLine>

export const logLineExample: LogLine = {
  cursor: 'own:1042',
  boot: 7,
  monotonic_us: 83_120_455,
  at_ms: 1_767_229_300_000,
  level: 'warn',
  part: 'nt4',
  pid: null,
  message: 'the robot does not answer at 10.12.34.2:5810',
  facts: { code: 'nt4.unreachable', resource: 'nt4-link' },
}

/** A message that is short enough. */
export const cutMessage = (message: string): string =>
  message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…` : message

/** The part of the service that a line is of: who knows a code or a resource, knows it. */
export const partOf = ({ part, code, resource }: Readonly<Record<string, unknown>>): string => {
  if (typeof part === 'string' && part !== '') return part
  if (typeof resource === 'string' && resource !== '') return resource.split('/', 1)[0] as string
  return typeof code === 'string' && code !== '' ? (code.split('.', 1)[0] as string) : 'service'
}
