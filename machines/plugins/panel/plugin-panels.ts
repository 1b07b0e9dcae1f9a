// The messages between panels of plugins and the programs of these plugins.
import type { Fault } from '../../errors/fault.ts'
import { token } from '../../token.ts'

/** What hands messages to programs and hears theirs. */
export interface PluginPanels {
  /** Hands a JSON value to the program of a plugin; why it cannot: `plugin.not_running`. */
  readonly send: (name: string, message: unknown) => Fault | undefined
  /** Hears each message that the program of a plugin has for its panels; returns what ends that. */
  readonly listen: (name: string, heard: (message: unknown) => void) => () => void
  /** Hears each line that the program of a plugin prints or logs; returns what ends that. */
  readonly listenToLines: (name: string, heard: (line: string) => void) => () => void
}

export const PLUGIN_PANELS = token<PluginPanels>('plugin-panels')
