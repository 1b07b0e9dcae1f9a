// How the program of a plugin is started that does a step: confined as all programs of plugins are, but not behind all
// others, since a stream waits for it.
import { isFault } from '../../../../machines/errors/fault.ts'
import type { PluginStep } from '../../../../machines/pipeline/plugin-step.ts'
import { DEFAULT_LIMITS } from '../../../../machines/plugins/manifest.ts'
import { projectPath } from '../../../files/project-root.ts'
import { type Confined, confined } from '../../../programs/confine.ts'
import { runtimeOf } from '../../../programs/plugin-runtime.ts'

/** With which a node in JavaScript sees the memory of its pictures. */
const SHARED_MEMORY = projectPath('native/addon/build/shared_memory.node')

/** Of the memory that it shares with its engine, and of the engine's pictures; 3 is its socket, which all have. */
const MEMORY_FDS = [4, 5]

/** What is to be spawned. Throws a sentence when the device cannot run it. */
export const pluginCommand = ({ folder, data_folder, program, limits, has_network }: PluginStep): Confined => {
  const all = { ...DEFAULT_LIMITS, ...limits }
  const command = runtimeOf(program, folder, all.memory_mb)
  if (isFault(command)) throw new Error(command.detail)
  const isNode = program.runtime === 'node'
  return confined({
    ...all,
    command: { ...command, env: { ...command.env, ...(isNode && { VEDETTE_SHARED_MEMORY: SHARED_MEMORY }) } },
    has_network,
    precedence: 'usual',
    read: [folder, ...(isNode ? [SHARED_MEMORY] : [])],
    write: [data_folder],
    keepFds: MEMORY_FDS,
    cwd: folder,
  })
}
