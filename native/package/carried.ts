// Which npm packages are inside a release: in the bundle of the service, in the page, compiled into the addon, or
// beside them as they are.
import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { CarriedModule } from './runtime-modules.ts'

/** What of npm is compiled into the vision addon: a header, and the codes of ArUco markers. */
const COMPILED_IN = ['node_modules/node-addon-api', 'node_modules/js-aruco2']

/** The folders of all packages that are carried, sorted. root: of the checkout, where bundle and page were made. */
export const carriedPackages = (root: string, modules: readonly CarriedModule[]): readonly string[] => {
  const inputs = [...inputsOfBundle(root), ...inputsOfPage(root)]
  const bundled = inputs.map(packageOf).filter((folder) => folder !== undefined)
  return [...new Set([...bundled, ...COMPILED_IN, ...modules.map(({ folder }) => folder)])].sort()
}

/** Its source maps name each file that it was made of. */
const inputsOfBundle = (root: string): readonly string[] =>
  globSync('.bundle/**/*.map', { cwd: root }).flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(join(root, map), 'utf8')) as { sources: readonly string[] }
    return sources.map((source) => normalize(join(map, '..', source)))
  })

const inputsOfPage = (root: string): readonly string[] =>
  readFileSync(join(root, 'ui/build/inputs'), 'utf8').split('\n').filter(Boolean)

/** The folder of the package that a file belongs to: the innermost one. */
export const packageOf = (path: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
