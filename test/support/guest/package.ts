// The package of this checkout.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** Makes it, as if it were of this version, and gives its path. into: a folder of the test. */
export const packageOf = (version: string, into: string): string => {
  const out = join(into, `of-${version}`)
  execFileSync(process.execPath, ['native/package/main.ts', '--out', out, '--deb', 'zstd', '--version', version], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(out, `vedette_${version}_amd64.deb`)
}
