// What a package needs of Debian, as a folder that apt takes packages from: an emulated machine has no network.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedFolder } from '../../../native/package/cache.ts'
import type { DebianImage } from './debian-image.ts'

/** The folder with all that these packages need and the image has not. names: of packages of Debian, with versions. */
export const repositoryFor = (image: DebianImage, dependencies: readonly string[]): string => {
  const names = dependencies.map((each) => each.replace(/ .*/, '')).toSorted()
  return cachedFolder('repository', [image.disk, names], (into) => {
    mkdirSync(join(into, 'archives/partial'), { recursive: true })
    const options = [
      `Dir::State::status=${join(image.root, 'var/lib/dpkg/status')}`,
      `Dir::Cache::archives=${join(into, 'archives')}`,
      ...['Debug::NoLocking=1', 'APT::Sandbox::User=root', 'APT::Keep-Downloaded-Packages=true'],
    ].flatMap((option) => ['-o', option])
    execFileSync(
      'apt-get',
      ['-qq', ...options, 'install', '--download-only', '-y', '--no-install-recommends', ...names],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    rmSync(join(into, 'archives/partial'), { recursive: true })
    const index = execFileSync('dpkg-scanpackages', ['--multiversion', 'archives'], {
      cwd: into,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    })
    writeFileSync(join(into, 'Packages'), index)
  })
}
