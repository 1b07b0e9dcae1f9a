// A process that installs a version as the running service does, so that it can be killed meanwhile. Arguments: what to
// do (install: and choose it; commit), the folders of the system, the packaged release and the data, the name of what
// runs, and for an installation the folder of the release.
import { createHash } from 'node:crypto'
import { createReadStream, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { directoryBackend } from '../../../native/update/directory.ts'
import type { VerifiedBundle } from '../../../native/update/port.ts'

/** What lies in a folder, as the bundle of it has it. */
export const bundleOf = (folder: string): VerifiedBundle => {
  const manifestBytes = readFileSync(join(folder, 'release.json'))
  const manifest = JSON.parse(manifestBytes.toString('utf8')) as ReleaseManifest
  return {
    manifest,
    manifestBytes,
    sha256: createHash('sha256').update(manifestBytes).digest('hex'),
    path: '/nowhere',
    signed_by: 'nobody',
    files: async function* () {
      for (const { path, bytes, executable } of manifest.files)
        yield { path, bytes, executable, content: createReadStream(join(folder, path)) }
    },
  }
}

/** The files of a folder, as its manifest lists them. */
export const filesOf = (folder: string): ReleaseManifest['files'] =>
  globSync('**', { cwd: folder, exclude: ['release.json'] })
    .concat(globSync('.bundle/**', { cwd: folder }))
    .filter((path, n, all) => all.indexOf(path) === n && statSync(join(folder, path)).isFile())
    .toSorted()
    .map((path) => {
      const content = readFileSync(join(folder, path))
      const executable = (statSync(join(folder, path)).mode & 0o100) !== 0
      return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), executable }
    })

if (import.meta.main) {
  const [order, system = '', packaged = '', dataDir = '', running = '', release = ''] = process.argv.slice(2)
  const backend = directoryBackend({ system, packaged, dataDir, running })
  const install = () =>
    Effect.flatMap(
      backend.install(bundleOf(release), () => {}),
      backend.activate,
    )
  await Effect.runPromise(order === 'commit' ? backend.commit : install())
}
