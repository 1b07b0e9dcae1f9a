// What is published about plugins.
import { documentEvent, eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { PluginName } from './name.ts'
import { MAX_PLUGIN_JSON_BYTES } from './process/messages.ts'

/** A plugin was installed, upgraded, enabled, disabled or removed. */
export const pluginChanged = documentEvent({
  kind: 'plugin_changed',
  about: 'A plugin was installed, upgraded, enabled, disabled, gone back to its previous version, or removed.',
  resource: 'GET /v1/plugins',
  of: { field: 'plugin_name', id: PluginName, example: 'note-finder' },
})

/** Something that a plugin tells. */
export const pluginEvent = eventKind({
  kind: 'plugin_event',
  about: 'A plugin tells something: what and when is its own.',
  reference: { plugin_name: PluginName },
  data: Type.Object(
    {
      kind: Type.String({ maxLength: 40, description: 'One of those of its manifest.' }),
      data: Type.Unknown({ description: `What is told: JSON, at most ${MAX_PLUGIN_JSON_BYTES / 1024} KiB.` }),
    },
    { additionalProperties: false, title: 'PluginEventData', description: 'What a plugin tells.' },
  ),
  revised: false,
  example: { resource_ref: { plugin_name: 'note-finder' }, data: { kind: 'note_seen', data: { distance_m: 1.2 } } },
})
