// The bill of materials of a release, CycloneDX 1.6: of npm's packages those that are inside, as cyclonedx-npm
// describes them, Node, and the libraries of Debian that it is linked with.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedFolder } from './cache.ts'
import type { LinkedLibrary } from './linked-libraries.ts'
import { DEBIAN_ARCH, nodePackage, type Parts } from './parts.ts'

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

/** As far as it is read here. */
export interface Bom {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly metadata: { readonly component: Component }
}

/** What a bill of materials is completed with. */
export interface Materials {
  /** The folders of npm's packages that are inside. */
  readonly packages: readonly string[]
  readonly libraries: readonly LinkedLibrary[]
  /** The version of Node. */
  readonly node: string
  /** Debian's name of the architecture. */
  readonly debianArch: string
}

const PATH_PROPERTY = 'cdx:npm:package:path'

/** Keeps of what cyclonedx-npm says that which is inside, and adds what it cannot know. */
export const completeBom = (bom: Bom, { packages, libraries, node, debianArch }: Materials): Bom => {
  const inside = new Set(packages)
  const kept = bom.components.filter(({ properties = [] }) =>
    properties.some(({ name, value }) => name === PATH_PROPERTY && inside.has(value)),
  )
  const others = [nodeComponent(node), ...libraries.map((library) => debianComponent(library, debianArch))]
  const main = bom.metadata.component['bom-ref']
  const refs = new Set([main, ...kept.map((each) => each['bom-ref'])])
  const known = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((each) => refs.has(each)),
        ...(ref === main ? others.map((each) => each['bom-ref']) : []),
      ],
    }))
  return {
    ...bom,
    components: [...kept, ...others],
    dependencies: [...known, ...others.map((each) => ({ ref: each['bom-ref'] }))],
  }
}

const nodeComponent = (version: string) => ({
  type: 'platform',
  name: 'node',
  version,
  'bom-ref': `node@${version}`,
  description: 'The Node.js runtime, with the parts that its licence names.',
  licenses: [{ license: { id: 'MIT' } }],
  purl: `pkg:generic/node@${version}`,
})

const debianComponent = ({ name, version }: LinkedLibrary, arch: string) => ({
  type: 'library',
  name,
  version,
  'bom-ref': `debian/${name}@${version}`,
  scope: 'required',
  description: 'Of the system: it is linked with, not carried.',
  purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-12`,
})

/** The text of `sbom.cdx.json`. Installs the tool that writes the greater part of it where it is not there. */
export const writeBom = (
  root: string,
  packages: readonly string[],
  libraries: readonly LinkedLibrary[],
  parts: Parts,
): string => {
  const { version } = JSON.parse(readFileSync(join(nodePackage(parts), 'package.json'), 'utf8')) as { version: string }
  const bom = JSON.parse(runTool(root)) as Bom
  const debianArch = DEBIAN_ARCH[parts.arch]
  return `${JSON.stringify(completeBom(bom, { packages, libraries, node: version, debianArch }), null, 1)}\n`
}

/** A package of its own with its own lock file: nothing else needs what it brings. */
const installTool = (root: string): string => {
  const files = ['package.json', 'package-lock.json']
  const textOf = (name: string) => readFileSync(join(root, 'native/package/sbom-tool', name), 'utf8')
  const folder = cachedFolder('sbom-tool', files.map(textOf), (into) => {
    for (const name of files) writeFileSync(join(into, name), textOf(name))
    execFileSync('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], {
      cwd: into,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
  return join(folder, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js')
}

const runTool = (root: string): string =>
  execFileSync(
    process.execPath,
    [
      installTool(root),
      ...['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--ignore-npm-errors'],
      ...['--spec-version', '1.6', '--output-file', '-'],
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] },
  )
