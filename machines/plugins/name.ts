// What a plugin is called, and which one it is.
import Type from '../schema/type.ts'

/** Paths below `/v1/plugins` that are no plugin's. */
export const RESERVED_NAMES = ['disabled', 'install', 'schema', 'upload', 'uploads'] as const

/** Names its folder, its routes and its topics. */
export const PluginName = Type.String({
  pattern: `^(?!(${RESERVED_NAMES.join('|')})$)[a-z][a-z0-9-]{1,39}$`,
  description: `Small letters, digits and hyphens, 2 to 40, a letter first; not ${RESERVED_NAMES.join(', ')}.`,
  examples: ['note-finder'],
})

/** Of a plugin, by Semantic Versioning 2.0.0, without build metadata. */
export const PluginVersion = Type.String({
  pattern: '^(0|[1-9][0-9]{0,5})[.](0|[1-9][0-9]{0,5})[.](0|[1-9][0-9]{0,5})(-[0-9A-Za-z.-]{1,40})?$',
  description: 'MAJOR.MINOR.PATCH, and a hyphen and a label after it where it is a pre-release: 1.2.0, 1.3.0-beta.1.',
  examples: ['1.2.0'],
})
