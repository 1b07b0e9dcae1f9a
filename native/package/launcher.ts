// The launcher as one file: it is part of the package, beside the release that it starts.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Its name beside the release. */
export const LAUNCHER = 'launcher/launch.mjs'

/** Makes `launcher/launch.mjs` in a folder, and returns its path. root: of the checkout. */
export const writeLauncher = (root: string, into: string): string => {
  const file = join(into, LAUNCHER)
  mkdirSync(dirname(file), { recursive: true })
  const options = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning', `--outfile=${file}`]
  execFileSync(process.execPath, ['node_modules/esbuild/bin/esbuild', 'native/launcher/launch.ts', ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return file
}
