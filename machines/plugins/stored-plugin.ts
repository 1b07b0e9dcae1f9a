// What is stored of a plugin: which release it is, what it may do, and where the change that was made of it last
// stands. With it every state outlives a restart and a power cut; what lies on the disk follows it.
import type { Static } from 'typebox'
import type { FaultCode } from '../errors/catalogue.ts'
import type { Fault } from '../errors/fault.ts'
import { enumOf } from '../schema/enum-of.ts'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { pluginChanged } from './events.ts'
import { PluginName, PluginVersion } from './name.ts'
import { PermissionWord } from './permission.ts'

const strict = { additionalProperties: false } as const

/** Where a plugin stands. */
export const PLUGIN_STATES = {
  disabled: 'nothing of it runs; `fault` says why, where nobody ordered that',
  starting: 'it was enabled or upgraded, and has not come up yet',
  enabled: 'it came up; what runs of it is shown by `run`',
  removing: 'it is being removed',
} as const
export type PluginStateName = keyof typeof PLUGIN_STATES

export const PluginStateWord = enumOf(PLUGIN_STATES, 'PluginState')

/** Names the folder of a release: its version, and the beginning of the SHA-256 of its package. */
export const ReleaseName = Type.String({
  pattern: '^[0-9][0-9A-Za-z.-]{0,70}-[0-9a-f]{12}$',
  description: 'Letters, digits, dots and hyphens: the version, and the beginning of the SHA-256 of the package.',
})

const Granted = Type.Array(PermissionWord, { uniqueItems: true, description: 'What an administrator granted.' })

/** What is gone back to. */
const PreviousRelease = Type.Object(
  {
    version: PluginVersion,
    release: ReleaseName,
    granted: Granted,
    was_enabled: Type.Boolean({ description: 'Whether it ran.' }),
  },
  { ...strict, title: 'PreviousPlugin', description: 'The version before an upgrade that has not come up yet.' },
)

const StoredFault = Type.Object(
  {
    code: Type.String({ maxLength: 80, description: 'Of the fault.' }),
    detail: Type.String({ maxLength: 2_000, description: 'For people.' }),
  },
  { ...strict, title: 'StoredPluginFault', description: 'What was wrong with it.' },
)

export const StoredPlugin = Type.Object(
  {
    version: PluginVersion,
    release: ReleaseName,
    granted: Granted,
    state: PluginStateWord,
    previous: Type.Union([PreviousRelease, Type.Null()], { description: 'null: there is nothing to go back to.' }),
    fault: Type.Union([StoredFault, Type.Null()], { description: 'Why it is not what was ordered; null: it is.' }),
  },
  { ...strict, title: 'StoredPlugin', description: 'What is stored of a plugin.' },
)
export type StoredPlugin = Static<typeof StoredPlugin>

/** Each may have a process and a gigabyte; more of them are a mistake. */
export const MAX_PLUGINS = 32

/** What to tell who asks for one that is not installed. */
export const noPlugin = (name: string) =>
  ({ code: 'plugin.not_found', detail: `there is no plugin ${name} here; install it first` }) as const

export const pluginCollection = collection({
  name: 'plugins',
  id: PluginName,
  schema: StoredPlugin,
  limit: MAX_PLUGINS,
  changed: pluginChanged,
  notFound: noPlugin,
  check: ({ state, previous }) =>
    previous === null || state === 'starting'
      ? []
      : [{ pointer: '/previous', message: 'is there, and only a plugin that is starting can go back' }],
})

const MAX_DETAIL_LENGTH = 2_000

/** A fault as it is stored. */
export const storedFault = ({ code, detail }: Fault): { readonly code: FaultCode; readonly detail: string } => ({
  code,
  detail: detail.slice(0, MAX_DETAIL_LENGTH),
})
