// What plugins ask for and bring, in words for people.
import type { Permission, Plugin, PluginManifest } from '../../state/plugins.ts'
import { counted, type Tone } from '../../words.ts'

/** What a permission lets a plugin do. */
export const PERMISSION_WORDS: Readonly<Record<Permission, { readonly name: string; readonly means: string }>> = {
  read: {
    name: 'See what the device sees',
    means: 'Streams, what is found in them, settings, and how the device is doing. It can change nothing.',
  },
  operate: {
    name: 'Change settings',
    means: 'Streams, pipelines and settings, as somebody at this page can. Grant it only to those you trust with that.',
  },
  topics: {
    name: 'Tell the robot values',
    means: 'It publishes topics below its own name, and no others.',
  },
  network: {
    name: 'Reach other devices',
    means: 'Anything on the network of the robot. Without it, it has no network at all.',
  },
}

/** What a plugin brings, each in a few words. */
export const providesOf = ({ program, provides }: PluginManifest): readonly string[] => {
  const { nodes = [], routes, panel, jobs = [], events = [] } = provides
  return [
    ...(panel ? [`a panel on this page: ${panel.title}`] : []),
    ...(nodes.length > 0 ? [`${counted(nodes.length, 'node')} for pipelines: ${nodes.map(titleIn).join(', ')}`] : []),
    ...(program ? [`a program that runs all the time (${RUNTIMES[program.runtime]})`] : []),
    ...(jobs.length > 0 ? [`${counted(jobs.length, 'job')}: ${jobs.map(titleIn).join(', ')}`] : []),
    ...(routes ? ['an interface of its own for other programs'] : []),
    ...(events.length > 0 ? [`${counted(events.length, 'kind')} of events: ${events.join(', ')}`] : []),
  ]
}

const titleIn = ({ title }: { readonly title: string }): string => title

const RUNTIMES = { node: 'JavaScript', python: 'Python', executable: 'a program of its own' } as const

/** How a plugin does, in a word with a tone. */
export const stateOf = ({ state, run, fault }: Plugin): { readonly word: string; readonly tone: Tone } => {
  if (state === 'starting') return { word: 'starting', tone: 'busy' }
  if (state === 'removing') return { word: 'being removed', tone: 'busy' }
  if (state === 'disabled') return fault ? { word: 'disabled', tone: 'bad' } : { word: 'disabled', tone: 'quiet' }
  if (run?.fault) return { word: 'in trouble', tone: 'bad' }
  return { word: 'enabled', tone: 'good' }
}

/** What its program may take of the device. */
export const limitsOf = ({ program, provides, limits }: PluginManifest): readonly string[] => {
  if (!program && !provides.nodes?.length) return []
  const { memory_mb = 256, cpu_percent = 50, disk_mb = 64, processes = 16 } = limits ?? {}
  return [
    `${memory_mb} MB of memory`,
    `${cpu_percent} % of one processor core`,
    `${disk_mb} MB on the disk, for data of its own`,
    `${counted(processes, 'process', 'processes')} and threads at once`,
  ]
}
