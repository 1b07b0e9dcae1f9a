// The package for Debian, made of a release: where its files go, who starts it, and what it may. Made by dpkg-deb,
// which every Debian has.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Arch, DEBIAN_ARCH } from './parts.ts'

/** How a package is compressed. */
export type Compression = 'zstd' | 'xz'

/** What a package is made of. */
export interface PackageParts {
  readonly release: string
  /** The file of the launcher. */
  readonly launcher: string
  readonly arch: Arch
  readonly version: string
  readonly builtAtMs: number
  /** Of other packages, as Debian writes them. */
  readonly depends: readonly string[]
  readonly recommends: readonly string[]
  readonly compression: Compression
  /** Where it is put together; it is gone afterwards. */
  readonly scratch: string
}

const FILES = join(import.meta.dirname, 'debian')
const RELEASE = 'usr/lib/vedette/release'
const LAUNCHER_PLACE = 'usr/lib/vedette/launcher/launch.mjs'

/** Where those that are written by hand go. */
const PLACES: Readonly<Record<string, string>> = {
  'vedette.service': 'lib/systemd/system/vedette.service',
  'vedette.default': 'etc/default/vedette',
  'vedette.sysusers': 'usr/lib/sysusers.d/vedette.conf',
  'vedette.modules': 'usr/lib/modules-load.d/vedette.conf',
  '60-vedette.rules': 'lib/udev/rules.d/60-vedette.rules',
  '50-vedette.rules': 'usr/share/polkit-1/rules.d/50-vedette.rules',
}

/** What a team edits; it stays over upgrades. */
const KEYS = 'etc/vedette/update-keys.json'
const CONFFILES = [PLACES['vedette.default'], KEYS]
const SCRIPTS = ['postinst', 'prerm', 'postrm'] as const

const DESCRIPTION = `Description: service on a robot's camera device
 It captures from cameras, finds AprilTags, solves where the robot is, and
 publishes that to the robot over NetworkTables 4. People and programs see and
 change everything over HTTP.`

/** Where 1.0.0-rc.1 comes before 1.0.0, as with semver. */
export const debianVersion = (version: string): string => version.replace('-', '~')

/** The text of the control file. installedBytes: of all files. */
export const controlFile = (
  parts: Omit<PackageParts, 'release' | 'launcher' | 'scratch'>,
  installedBytes: number,
): string =>
  [
    'Package: vedette',
    `Version: ${debianVersion(parts.version)}`,
    `Architecture: ${DEBIAN_ARCH[parts.arch]}`,
    'Maintainer: The Vedette authors <vedette@localhost>',
    `Installed-Size: ${Math.ceil(installedBytes / 1024)}`,
    `Depends: ${[...parts.depends, 'passwd', 'systemd'].join(', ')}`,
    ...(parts.recommends.length > 0 ? [`Recommends: ${parts.recommends.join(', ')}`] : []),
    'Suggests: network-manager, polkitd',
    'Section: misc',
    'Priority: optional',
    DESCRIPTION,
    '',
  ].join('\n')

/** Makes `vedette_VERSION_ARCH.deb` in a folder, and returns its path. */
export const makePackage = (parts: PackageParts, into: string): string => {
  const { release, launcher, arch, version, builtAtMs, compression, scratch } = parts
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(join(scratch, dirname(RELEASE)), { recursive: true })
  execFileSync('cp', ['-a', '--link', release, join(scratch, RELEASE)])
  for (const [name, place] of Object.entries(PLACES)) write(join(scratch, place), readFileSync(join(FILES, name)))
  write(join(scratch, LAUNCHER_PLACE), readFileSync(launcher))
  write(join(scratch, KEYS), readFileSync(join(release, 'update-keys.json')))
  write(join(scratch, 'usr/share/doc/vedette/copyright'), readFileSync(join(release, 'LICENSE')))
  const files = filesBelow(scratch)
  const bytes = files.reduce((sum, path) => sum + lstatSync(join(scratch, path)).size, 0)
  write(join(scratch, 'DEBIAN/control'), controlFile(parts, bytes))
  write(join(scratch, 'DEBIAN/conffiles'), CONFFILES.map((path) => `/${path}\n`).join(''))
  write(join(scratch, 'DEBIAN/md5sums'), files.map((path) => `${md5(join(scratch, path))}  ${path}\n`).join(''))
  for (const name of SCRIPTS) write(join(scratch, 'DEBIAN', name), readFileSync(join(FILES, name)), 0o755)
  settle(scratch, builtAtMs)
  const made = join(into, `vedette_${debianVersion(version)}_${DEBIAN_ARCH[arch]}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', scratch, made], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(builtAtMs / 1000)), TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(scratch, { recursive: true, force: true })
  return made
}

const write = (path: string, content: string | Uint8Array, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
}

const md5 = (path: string): string => createHash('md5').update(readFileSync(path)).digest('hex')

/** Also those whose names begin with a dot, which patterns leave out. */
const entriesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

const filesBelow = (folder: string): readonly string[] =>
  entriesBelow(folder).filter((path) => !path.startsWith('DEBIAN/') && lstatSync(join(folder, path)).isFile())

/** Dates and modes of folders say nothing of who made them. The files of the release are its own, and settled. */
const settle = (folder: string, atMs: number): void => {
  const at = new Date(atMs)
  for (const path of ['', ...entriesBelow(folder)].toReversed()) {
    const isFolder = lstatSync(join(folder, path)).isDirectory()
    if (isFolder) chmodSync(join(folder, path), 0o755)
    if (isFolder || !path.startsWith(RELEASE)) utimesSync(join(folder, path), at, at)
  }
}
