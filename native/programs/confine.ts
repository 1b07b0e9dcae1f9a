// The command line of the launcher that confines a program, and what that says about it.
import { jsonIn } from '../../machines/schema/json.ts'
import { projectPath } from '../files/project-root.ts'
import type { Command } from './plugin-runtime.ts'

/** Where it is; built with the vision addon. */
export const CONFINE_PROGRAM = projectPath('native/addon/build/vedette-confine')

/** What it takes to confine a program. Paths are absolute. */
export interface ConfineOrder {
  /** What is started, and what it has to read for that. */
  readonly command: Command
  readonly has_network: boolean
  readonly memory_mb: number
  readonly processes: number
  readonly cpu_percent: number
  /** Of its writable folders together; undefined: it has none. */
  readonly disk_mb?: number
  /** Folders and files that it may read, beyond what its runtime reads. */
  readonly read: readonly string[]
  readonly write?: readonly string[]
  /** usual: it is waited for, as a node of a pipeline; default: it has what all other programs leave. */
  readonly precedence?: 'usual' | 'last'
  /** Descriptors beyond 3 that it keeps. */
  readonly keepFds?: readonly number[]
  /** Where it is started; default: the first folder that it may read. */
  readonly cwd?: string
  /** Folder of a control group with its limits, which it joins. */
  readonly cgroup?: string
}

/** What is to be spawned. */
export interface Confined {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment: nothing of the service's own goes into it. */
  readonly env: Readonly<Record<string, string>>
}

/** The launcher with its arguments. program: the launcher, for tests. */
export const confined = (order: ConfineOrder, program: string = CONFINE_PROGRAM): Confined => {
  const { command, read, write = [], keepFds = [] } = order
  const args = [
    ...(order.has_network ? ['--network'] : []),
    ...['--memory-mb', String(order.memory_mb), '--processes', String(order.processes)],
    ...['--cpu-percent', String(order.cpu_percent)],
    ...(order.disk_mb === undefined ? [] : ['--disk-mb', String(order.disk_mb)]),
    ...(order.precedence === undefined ? [] : ['--precedence', order.precedence]),
    ...(order.cgroup === undefined ? [] : ['--cgroup', order.cgroup]),
    ...(order.cwd === undefined ? [] : ['--cwd', order.cwd]),
    ...[...read, ...command.read].flatMap((path) => ['--read', path]),
    ...write.flatMap((path) => ['--write', path]),
    ...keepFds.flatMap((fd) => ['--keep-fd', String(fd)]),
    ...['--', command.program, ...command.args],
  ]
  return { command: program, args, env: { ...PLAIN_ENVIRONMENT, ...command.env } }
}

const PLAIN_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' }

const MARK = 'vedette-confine: '

/**
 * What a line of standard error says of the means; undefined: it is none of the launcher, or says something else. The
 * launcher says it once, before the program is started, whose lines may look the same.
 */
export const confinementIn = (line: string): readonly unknown[] | undefined => {
  if (!line.startsWith(MARK)) return undefined
  const told = jsonIn(line.slice(MARK.length))
  return Array.isArray(told) ? told : undefined
}

/** Whether a program ended with an exit code of the launcher: it was told nonsense, or the program took too much. */
export const isOfLauncher = (exitCode: number | null): boolean => exitCode === BAD_ORDER || exitCode === EXCESS

/** As vedette_confine.cc has them. */
const [BAD_ORDER, EXCESS] = [64, 75]

/**
 * Why the launcher has ended a program, as a sentence without its full stop; undefined: the line is none of that. It
 * counts where the exit code is the launcher's: a program may print what it likes.
 */
export const reasonIn = (line: string): string | undefined =>
  line.startsWith(MARK) && !confinementIn(line) ? line.slice(MARK.length) : undefined
