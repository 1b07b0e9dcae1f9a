// The npm packages that a release carries as they are. Nearly all is inside the bundle; these are read from their own
// folders: native/bundle.sh and api/pages/area.ts say why.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from './parts.ts'

/** The lock file, as far as it is read here. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export const readLockFile = (root: string): LockFile =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile

interface RuntimeModule {
  readonly name: string
  /** Patterns of its files that are needed; left out: all that runs. */
  readonly only?: readonly string[]
  /** Of its dependencies those that are needed; left out: all, and theirs. */
  readonly needs?: readonly string[]
}

const LICENCES = '{LICEN[CS]E*,licen[cs]e*,NOTICE*,COPYING*}'

const runtimeModules = ({ arch }: Parts): readonly RuntimeModule[] => [
  {
    name: 'swagger-ui-dist',
    only: ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'],
    needs: [],
  },
  {
    name: 'onnxruntime-node',
    only: ['package.json', 'dist/**/*.js', `bin/napi-v*/linux/${arch}/*`],
    needs: ['onnxruntime-common'], // the others download it
  },
  // its addon is opened from the package of the architecture; this one has the terms of both
  { name: '@lydell/node-pty', only: ['package.json'], needs: [`@lydell/node-pty-linux-${arch}`] },
  { name: 'selfsigned' },
  { name: 'msgpackr-extract' },
]

// What compilers and people read.
const NOT_RUN = /\.(map|md|markdown|[cm]?ts|cc|cpp|h|gyp|yml|yaml)$|(^|\/)(\.|src\/|test\/|tests\/|example|docs?\/)/i

/** A package that is carried, and its files; all relative to the folder that `node_modules` lies in. */
export interface CarriedModule {
  readonly folder: string
  readonly files: readonly string[]
}

/** The packages, each with the files that are needed. Optional ones of other machines are left out. */
export const carriedModules = (lock: LockFile, parts: Parts): readonly CarriedModule[] => {
  const found = new Map<string, CarriedModule>()
  for (const { name, only, needs } of runtimeModules(parts)) {
    const patterns = only && [...only, LICENCES]
    found.set(`node_modules/${name}`, { folder: `node_modules/${name}`, files: filesOf(parts, name, patterns) })
    const behind = needs ? needs.map((each) => `node_modules/${each}`) : closure(lock, `node_modules/${name}`)
    for (const folder of behind) {
      const files = filesOf(parts, folder.slice('node_modules/'.length))
      if (files.length > 0) found.set(folder, { folder, files })
    }
  }
  return [...found.values()].filter(({ files }) => files.length > 0)
}

const filesOf = ({ modules }: Parts, name: string, patterns: readonly string[] = ['**']): readonly string[] =>
  globSync([...patterns], { cwd: join(modules, name), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(modules, name).length + 1))
    .filter((path) => !/(^|\/)node_modules\//.test(path) && (!NOT_RUN.test(path) || isLicence(path)))
    .map((path) => `node_modules/${name}/${path}`)

/** Whether a file holds the terms of its package. */
export const isLicence = (path: string): boolean => /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i.test(path)

/** The folders of all that a package depends on, by the places where npm has put them. */
export const closure = ({ packages }: LockFile, folder: string): readonly string[] => {
  const seen = new Set<string>()
  const follow = (from: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {}
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
      const place = placeOf(packages, from, name)
      if (place === undefined || seen.has(place)) continue
      seen.add(place)
      follow(place)
    }
  }
  follow(folder)
  return [...seen]
}

/** Where a package finds another one: in its own folder, or in one above. */
const placeOf = (packages: LockFile['packages'], from: string, name: string): string | undefined => {
  const inside = `${from}/node_modules/${name}`
  if (packages[inside]) return inside
  const above = from.lastIndexOf('/node_modules/')
  if (above >= 0) return placeOf(packages, from.slice(0, above), name)
  return packages[`node_modules/${name}`] && `node_modules/${name}`
}
