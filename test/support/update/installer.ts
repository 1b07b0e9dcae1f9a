// A process that installs a version as the running service does, so that it can be killed meanwhile. Arguments: what to
// do (install: and choose it; commit), the folders of the system, the packaged release and the data, the name of what
// runs, and for an installation the folder of the release.
import { createReadStream, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { directoryBackend } from '../../../native/update/directory.ts'
import { verifiedBundle } from '../../../native/update/fake.ts'
import type { VerifiedBundle } from '../../../native/update/port.ts'
import { listedFile } from './manifest.ts'

/** What lies in a folder, as the bundle of it has it. */
export const folderBundle = (folder: string): VerifiedBundle =>
  verifiedBundle(readFileSync(join(folder, 'release.json')), (path) => createReadStream(join(folder, path)))

/** The files of a folder, as its manifest lists them. */
export const filesOf = (folder: string): ReleaseManifest['files'] =>
  globSync('**', { cwd: folder, exclude: ['release.json'] })
    .concat(globSync('.bundle/**', { cwd: folder }))
    .filter((path, n, all) => all.indexOf(path) === n && statSync(join(folder, path)).isFile())
    .toSorted()
    .map((path) => {
      const executable = (statSync(join(folder, path)).mode & 0o100) !== 0
      return listedFile(path, readFileSync(join(folder, path)), executable)
    })

if (import.meta.main) {
  const [order, system = '', packaged = '', dataDir = '', running = '', release = ''] = process.argv.slice(2)
  const backend = directoryBackend({ system, packaged, dataDir, running })
  const install = () =>
    Effect.flatMap(
      backend.install(folderBundle(release), () => {}),
      backend.activate,
    )
  await Effect.runPromise(order === 'commit' ? backend.commit : install())
}
