// A step of a plan that the program of a plugin does, and the names of its type.
import type { PortFormat, PortKind } from './kinds.ts'

/** A port of a step, which is always connected. */
interface StepPort {
  readonly name: string
  readonly kind: PortKind
  /** Of a port of kind image, and only there. */
  readonly format?: PortFormat
}

/** What an engine needs to run the program of a step. */
export interface PluginStep {
  /** The name of the plugin. */
  readonly plugin: string
  readonly version: string
  /** Of its package, which is never written to. */
  readonly folder: string
  /** Its own, to keep data in. */
  readonly data_folder: string
  readonly program: {
    readonly runtime: 'node' | 'python' | 'executable'
    /** In `folder`. */
    readonly path: string
    readonly arguments?: string[]
  }
  /** Whether it may reach other devices. */
  readonly has_network: boolean
  /** What it may take; left out: the default. */
  readonly limits: {
    readonly memory_mb?: number
    readonly cpu_percent?: number
    readonly disk_mb?: number
    readonly processes?: number
  }
  /** In the order of the step's. */
  readonly inputs: readonly StepPort[]
  /** In the order of the step's. */
  readonly outputs: readonly StepPort[]
}

/** Each is a process of its own. */
export const MAX_PLUGIN_STEPS = 4

/** The plugin whose node a type is; undefined: it is one of ours. */
export const pluginOf = (type: string): string | undefined => {
  const dot = type.indexOf('.')
  return dot > 0 ? type.slice(0, dot) : undefined
}
