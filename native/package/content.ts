// What a release carries of a checkout in which everything is built.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Content } from '../update/bundle/release-folder.ts'
import { carriedPackages } from './carried.ts'
import { licences } from './licences.ts'
import { dependenciesOf, linkedLibraries } from './linked-libraries.ts'
import { nodePackage, type Parts, VISION_ADDONS, VISION_PROGRAMS } from './parts.ts'
import { carriedModules, readLockFile } from './runtime-modules.ts'
import { writeBom } from './sbom.ts'

/** The packages of Debian that a release needs, as Debian writes them. */
export interface SystemNeeds {
  /** Without which it does nothing. */
  readonly depends: readonly string[]
  /** Without which it does not record. */
  readonly recommends: readonly string[]
}

/** native: the parts of this machine, whose libraries can be asked; those of the other architecture need the same. */
export const systemNeeds = (native: Parts): SystemNeeds => {
  const [forAll, toRecord] = [
    dependenciesOf([
      join(nodePackage(native), 'bin/node'),
      join(native.notify, 'notify.node'),
      ...[...VISION_ADDONS, ...VISION_PROGRAMS].map((name) => join(native.addon, name)),
    ]),
    dependenciesOf(['vedette_libav.node', 'codecs'].map((name) => join(native.libav, name))),
  ]
  // the engine opens it itself when a camera on the network is used first
  const depends = [...forAll, 'libcurl4']
  return { depends, recommends: toRecord.filter((each) => !depends.some((other) => nameOf(other) === nameOf(each))) }
}

/** Programs and libraries that are built here: where each lies in the release, and whether it is started. */
const binariesOf = ({ addon, libav, notify, strip }: Parts): readonly Content[] =>
  [
    ...VISION_ADDONS.map((name) => ({ folder: addon, to: 'native/addon/build', name, executable: false })),
    ...VISION_PROGRAMS.map((name) => ({ folder: addon, to: 'native/addon/build', name, executable: true })),
    { folder: libav, to: 'native/libav/build', name: 'vedette_libav.node' },
    { folder: libav, to: 'native/libav/build', name: 'codecs', executable: true },
    { folder: notify, to: 'native/notify/build', name: 'notify.node' },
  ].map(({ folder, to, name, executable = false }) => ({
    path: `${to}/${name}`,
    from: { file: join(folder, name) },
    executable,
    strip,
  }))

/** What is to be written. version: of the release. */
export const releaseContent = (
  root: string,
  version: string,
  parts: Parts,
  { depends, recommends }: SystemNeeds,
): readonly Content[] => {
  const modules = carriedModules(readLockFile(root), parts)
  const packages = carriedPackages(root, modules)
  const libraries = linkedLibraries([...depends, ...recommends])
  const { name, license } = packageFile(root)
  return [
    { path: 'package.json', from: { text: json({ name, version, license, private: true, type: 'module' }) } },
    { path: 'update-keys.json', from: updateKeys(root) },
    {
      path: 'bin/node',
      from: { file: join(nodePackage(parts), 'bin/node') },
      executable: true,
      strip: parts.strip,
    },
    ...binariesOf(parts),
    ...filesBelow(root, '.bundle', '**/*.mjs'),
    ...filesBelow(root, 'ui/build', 'index.html*', 'assets/*'),
    ...filesBelow(root, 'native/ide/templates', '**/*.txt'),
    ...filesBelow(root, 'native/plugins/sdk', '*/*.{mjs,d.ts,py}'),
    ...['ui/icon.svg', 'ui/docs.html', 'ui/docs.js', 'ui/vedette-panel.js', 'docs/help.txt'].map((path) => ({
      path,
      from: { file: join(root, path) },
    })),
    ...modules.flatMap(({ files }) => files.map((path) => ({ path, from: { file: join(parts.modules, '..', path) } }))),
    ...licences(root, packages, libraries, parts),
    { path: 'sbom.cdx.json', from: { text: writeBom(root, packages, libraries, parts) } },
  ]
}

/** The keys that the team trusts, which `npm run update-key` notes in the checkout; none where it made none. */
const updateKeys = (root: string): Content['from'] => {
  const file = join(root, 'update-keys.json')
  return existsSync(file) ? { file } : { text: json({ keys: [] }) }
}

const nameOf = (dependency: string): string => dependency.replace(/ .*/, '')

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

interface PackageFile {
  readonly name: string
  readonly version: string
  readonly license: string
}

export const packageFile = (root: string): PackageFile =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageFile

const filesBelow = (root: string, folder: string, ...patterns: readonly string[]): readonly Content[] =>
  globSync([...patterns], { cwd: join(root, folder) }).map((name) => ({
    path: `${folder}/${name}`,
    from: { file: join(root, folder, name) },
  }))
