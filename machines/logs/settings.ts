// How much the service writes into its log: of all its parts, and of some more or less.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore } from '../settings/store.ts'
import { logChanged } from './events.ts'
import { isWithin, type LogLevel } from './level.ts'
import { LogLevelName } from './line.ts'

const MAX_PARTS = 64

/** The schema of the settings. A part is that of the lines. */
export const LogSettings = Type.Object(
  {
    level: Type.Union([LogLevelName, Type.Null()], {
      description: 'Of all parts; null: as the start of the service says (`--log`).',
    }),
    parts: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }), LogLevelName, {
      additionalProperties: false,
      maxProperties: MAX_PARTS,
      description: 'Of single parts, whatever the level of all is: `{"nt4": "debug"}`.',
    }),
  },
  {
    additionalProperties: false,
    title: 'LogSettings',
    description: oneLine`
      How much the service writes into its log: \`error\` the least, \`debug\` the most. It holds at once, and after the
      next start.
    `,
  },
)
export type LogSettings = Static<typeof LogSettings>

export const DEFAULT_LOG_SETTINGS: LogSettings = { level: null, parts: {} }

/** The id of the one document in the collection. */
export const LOG_DOCUMENT = 'log'

/** The settings as they are stored. */
export const logCollection = collection({
  name: 'log',
  id: Type.Literal(LOG_DOCUMENT),
  schema: Type.Partial(LogSettings, { additionalProperties: false }),
  limit: 1,
  changed: logChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has changed the settings of the log yet' }),
  blank: {},
})

/** The settings in force. revision 0: never changed. */
export const logSettingsIn = (store: SettingsStore): { readonly revision: number; readonly value: LogSettings } => {
  const stored = documentOf(store, logCollection, LOG_DOCUMENT)
  return { revision: stored?.revision ?? 0, value: { ...DEFAULT_LOG_SETTINGS, ...stored?.value } }
}

/** Whether a line is written. atStart: the level that the start of the service said. */
export const isWritten = (
  { level, parts }: LogSettings,
  atStart: LogLevel,
  line: { readonly level: LogLevel; readonly part: string },
): boolean => isWithin(line.level, (Object.hasOwn(parts, line.part) ? parts[line.part] : undefined) ?? level ?? atStart)
