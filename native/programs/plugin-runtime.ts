// What is started for each runtime, and what that has to read.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fault } from '../../machines/errors/fault.ts'
import type { PluginManifest } from '../../machines/plugins/manifest.ts'
import { projectPath } from '../files/project-root.ts'

/** A program that can be started. env: beyond the plain one. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What it reads beside its own folder and those of the system. */
  readonly read: readonly string[]
}

/** What plugins import, for each runtime. */
const SDK = projectPath('native/plugins/sdk')

const PYTHONS = ['/usr/bin/python3', '/usr/local/bin/python3'] as const

/** The Python that runs programs of plugins; undefined: this device has none. */
export const pythonHere = (): string | undefined => PYTHONS.find((each) => existsSync(each))

/** Little of it is for JavaScript alone: the rest is buffers and what Node itself needs. */
const HEAP_SHARE = 0.6
const NODE_ITSELF_MB = 48

/**
 * The command for a program of a package. folder: the unpacked package. memory_mb: its limit. Fails with
 * `plugin.failed` where the device cannot run it.
 */
export const runtimeOf = (
  { runtime, path, arguments: own = [] }: NonNullable<PluginManifest['program']>,
  folder: string,
  memory_mb: number,
): Command | Fault => {
  const file = join(folder, path)
  switch (runtime) {
    case 'node':
      return {
        program: process.execPath,
        args: [
          ...['--max-semi-space-size=1', '--v8-pool-size=1', '--disable-warning=ExperimentalWarning'],
          `--max-old-space-size=${Math.max(16, Math.floor((memory_mb - NODE_ITSELF_MB) * HEAP_SHARE))}`,
          ...['--import', pathToFileURL(join(SDK, 'node/register.mjs')).href],
          ...[file, ...own],
        ],
        env: { NODE_OPTIONS: '', UV_THREADPOOL_SIZE: '2' },
        read: [dirname(realpathSync(process.execPath)), dirname(process.execPath), join(SDK, 'node')],
      }
    case 'python': {
      const python = pythonHere()
      if (python === undefined)
        return {
          code: 'plugin.failed',
          detail: 'It is a Python program, and this device has no Python 3; install the package python3.',
        }
      return {
        program: python,
        args: ['-u', file, ...own],
        env: { PYTHONPATH: join(SDK, 'python'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
        read: [join(SDK, 'python')],
      }
    }
    case 'executable':
      return { program: file, args: own, env: {}, read: [] }
  }
}
