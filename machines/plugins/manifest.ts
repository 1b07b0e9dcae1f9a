// What a package says of itself: the file `vedette-plugin.json` at the top of its zip.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../schema/defaults.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { PluginName, PluginVersion } from './name.ts'
import { NodeDeclaration } from './node-declaration.ts'
import { PERMISSIONS, PermissionWord } from './permission.ts'
import { PluginProgram } from './program.ts'

const strict = { additionalProperties: false } as const

/** The interface between plugins and this service; a manifest names the oldest one that it can do with. */
export const PLUGIN_API = 1

const Word = (about: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', description: `Small letters, digits and underscores. ${about}` })

const bounded = (value: number, [minimum, maximum]: readonly [number, number], description: string) =>
  withDefault(Type.Integer({ minimum, maximum, description }), value)

const limits = {
  memory_mb: bounded(256, [16, 2048], 'Of all its processes.'),
  cpu_percent: bounded(50, [5, 100], 'Of one core.'),
  disk_mb: bounded(64, [1, 4096], 'Of its own data folder.'),
  processes: bounded(16, [1, 64], 'With its threads, at once.'),
}

const aboutLimits = { ...strict, description: 'What its program may take of the device.' } as const

const PluginLimits = Type.Object(limits, { ...aboutLimits, title: 'PluginLimits' })
export type PluginLimits = Static<typeof PluginLimits>

/** Of a plugin that asks for no others. */
export const DEFAULT_LIMITS: PluginLimits = { memory_mb: 256, cpu_percent: 50, disk_mb: 64, processes: 16 }

const PluginPanel = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 40, description: 'On its tab.' }),
    folder: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Path in the package of the folder with index.html.',
    }),
  },
  { ...strict, title: 'PluginPanel', description: 'A panel on the page, in a frame of its own.' },
)

const PluginJob = Type.Object(
  {
    kind: Word('What the job is.'),
    title: Type.String({ minLength: 1, maxLength: 60, description: 'For people.' }),
  },
  { ...strict, title: 'PluginJob', description: 'A job that it can be asked for.' },
)

const fields = {
  name: PluginName,
  version: PluginVersion,
  minimum_api: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: `The oldest interface for plugins that it can do with; that of this service is ${PLUGIN_API}.`,
  }),
  title: Type.String({ minLength: 1, maxLength: 60, description: 'For people.' }),
  description: withDefault(Type.String({ maxLength: 500, description: 'What it is good for, for people.' }), ''),
  program: Type.Optional(PluginProgram),
  permissions: withDefault(
    Type.Array(PermissionWord, {
      uniqueItems: true,
      maxItems: Object.keys(PERMISSIONS).length,
      description: 'What it wants to do beyond computing. An administrator grants it, or some of it.',
    }),
    [],
  ),
  limits: withDefault(PluginLimits, DEFAULT_LIMITS),
  provides: Type.Object(
    {
      nodes: Type.Optional(Type.Array(NodeDeclaration, { maxItems: 16, description: 'Nodes of pipelines.' })),
      routes: Type.Optional(Type.Boolean({ description: 'Whether it answers below `/v1/plugins/{name}/api/`.' })),
      panel: Type.Optional(PluginPanel),
      jobs: Type.Optional(Type.Array(PluginJob, { maxItems: 16, description: 'Jobs that it does.' })),
      events: Type.Optional(Type.Array(Word('A kind of events.'), { maxItems: 16, description: 'What it tells.' })),
    },
    { ...strict, title: 'PluginProvides', description: 'What it brings.' },
  ),
}

/** A manifest with all its fields. */
export const PluginManifest = Type.Object(fields, {
  ...strict,
  title: 'PluginManifest',
  description: 'What a package says of itself.',
})
export type PluginManifest = Static<typeof PluginManifest>

/** The file as people write it: what has a default may be left out. */
export const PluginManifestFile = inputOf(
  {
    $schema: Type.Optional(
      Type.String({ maxLength: 500, description: 'Where this schema is, for editors; of no use to the service.' }),
    ),
    ...fields,
    limits: withDefault(inputOf(limits, { ...aboutLimits, title: 'PluginLimitsFile' }), DEFAULT_LIMITS),
  },
  {
    ...strict,
    title: 'PluginManifestFile',
    description: oneLine`
      The file vedette-plugin.json at the top of a package: what it is, what it brings, and what it wants to do.
    `,
  },
)

export const manifestExample: PluginManifest = {
  name: 'note-finder',
  version: '1.2.0',
  minimum_api: 1,
  title: 'Note finder',
  description: 'Finds the orange rings on the floor.',
  permissions: ['topics'],
  limits: DEFAULT_LIMITS,
  program: { runtime: 'python', path: 'main.py' },
  provides: { routes: true, events: ['note_seen'] },
}
