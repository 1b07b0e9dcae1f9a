// The plugins that are enabled, for all who run something of them.
import type { Latest } from '../latest.ts'
import { token } from '../token.ts'
import type { InstalledPlugin } from './installed.ts'

/** Set by whoever keeps the plugins, with each change; the others make what runs agree with it. */
export const ENABLED_PLUGINS = token<Latest<readonly InstalledPlugin[]>>('enabled-plugins')
