// A plugin as clients see it.
import type { Static } from 'typebox'
import type { FaultCode } from '../errors/catalogue.ts'
import { FaultDocument } from '../errors/fault-document.ts'
import Type from '../schema/type.ts'
import { manifestExample, PluginManifest } from './manifest.ts'
import { PluginName, PluginVersion } from './name.ts'
import { PermissionWord } from './permission.ts'
import { Confinement } from './process/confinement.ts'
import { PluginStateWord } from './stored-plugin.ts'

const strict = { additionalProperties: false } as const

const PluginRunDocument = Type.Object(
  {
    state: Type.String({ description: 'As the machine of its program says.' }),
    restarts: Type.Integer({ minimum: 0, description: 'Starts of its program after it ended by itself.' }),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'What is wrong with it; null: nothing.' }),
    confinement: Type.Array(Confinement, {
      description: 'What holds its program, and what does not on this device; empty until it was started.',
    }),
    refused: Type.Integer({ minimum: 0, description: 'What it said that nobody may say; nothing became of that.' }),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the latest of that was refused; null: none was.',
    }),
    lines: Type.Array(Type.String({ description: 'For people.' }), {
      description: 'The latest lines that it printed or logged, the oldest first.',
    }),
  },
  { ...strict, title: 'PluginRun', description: 'How the program of a plugin does.' },
)

export const Plugin = Type.Object(
  {
    name: PluginName,
    version: PluginVersion,
    revision: Type.Integer({ minimum: 1, description: 'Of what is stored of it.' }),
    state: PluginStateWord,
    previous_version: Type.Union([PluginVersion, Type.Null()], {
      description: 'What is gone back to when an upgrade does not come up; null: nothing.',
    }),
    fault: Type.Union([FaultDocument, Type.Null()], {
      description: 'Why it is not what was ordered, or what is wrong with it; null: nothing.',
    }),
    granted: Type.Array(PermissionWord, {
      description: 'What an administrator granted of what its manifest asks for.',
    }),
    manifest: Type.Union([PluginManifest, Type.Null()], {
      description: 'What it says of itself; null: its files are not on the disk.',
    }),
    size_bytes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Of its package.' }),
    unpacked_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Of its files.' }),
    installed_at_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'When this version was installed, Unix time; null: its files are not on the disk.',
    }),
    run: Type.Union([PluginRunDocument, Type.Null()], { description: 'null: nothing of it runs.' }),
  },
  { ...strict, title: 'Plugin', description: 'A plugin that is installed.' },
)
export type Plugin = Static<typeof Plugin>

/** A fault as it is shown of a plugin. */
export type PluginFault = { readonly code: FaultCode; readonly detail: string }

export const pluginExample: Plugin = {
  name: manifestExample.name,
  version: manifestExample.version,
  revision: 2,
  state: 'enabled',
  previous_version: null,
  fault: null,
  granted: ['topics'],
  manifest: manifestExample,
  size_bytes: 41_230,
  unpacked_bytes: 120_744,
  installed_at_ms: 1_769_863_501_000,
  run: {
    state: 'ready',
    restarts: 0,
    fault: null,
    confinement: [{ means: 'files', holds: true, why: 'Landlock: it reads its package and writes its own folder' }],
    refused: 0,
    refusal: null,
    lines: ['watching 2 streams'],
  },
}
