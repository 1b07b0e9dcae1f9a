// `npm run package [-- --arch arm64] [--key KEY.pem] [--deb xz|zstd|none] [--out dist]`: makes a release of this
// checkout, a folder that runs without a compiler and without npm; the package for Debian; and, with a key, the bundle
// that is uploaded. The same input gives the same bytes, in whatever folder it is made.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packBundle } from '../update/bundle/pack.ts'
import { MINIMUM_VERSION, sizeOf, writeRelease } from '../update/bundle/release-folder.ts'
import { readSigningKey } from '../update/bundle/sign.ts'
import { partsOfArm64 } from './arm64.ts'
import { packageFile, releaseContent, systemNeeds } from './content.ts'
import { type Compression, makePackage } from './debian-package.ts'
import { writeLauncher } from './launcher.ts'
import { type Arch, type Parts, partsOfThisMachine } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')

const say = (text: string) => process.stdout.write(`${text}\n`)

/** When what is released was written: the same for all who make it. */
const builtAtMs = (): number => {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH) * 1000
  try {
    const said = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
    return Number(said) * 1000
  } catch {
    throw new Error('the date of a release is that of its last commit, and here is none; set SOURCE_DATE_EPOCH')
  }
}

/** The system whose libraries it needs: the one that it is built on. */
const baseOfThisMachine = (): string => {
  const said = readFileSync('/etc/os-release', 'utf8')
  const [, id = 'linux'] = /^ID="?([^"\n]*)/m.exec(said) ?? []
  const [, version = '0'] = /^VERSION_ID="?([^"\n]*)/m.exec(said) ?? []
  return `${id}-${version}`
}

/** Without one, `npm start` would run the sources; a release has none. */
const makeBundle = (): void => {
  const said = execFileSync('sh', ['native/bundle.sh'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const entry = said.toString().trim()
  if (entry !== '.bundle/main.mjs') throw new Error('there is no release without a bundle; the lines above say why')
}

const partsFor = (arch: string, native: Parts, dependencies: readonly string[]): Parts => {
  if (arch === native.arch) return native
  if (arch !== 'arm64') throw new Error(`a machine of ${native.arch} makes no releases for ${arch}`)
  return partsOfArm64(ROOT, dependencies)
}

const megabytesOf = (path: string): string => (statSync(path).size / 1e6).toFixed(1)

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', default: process.arch },
      out: { type: 'string' },
      deb: { type: 'string', default: 'xz' },
      key: { type: 'string', multiple: true },
      version: { type: 'string', default: packageFile(ROOT).version },
    },
  })
  const arch = values.arch as Arch
  const out = resolve(values.out ?? (arch === process.arch ? 'dist' : `dist/${arch}`))
  makeBundle()
  const native = partsOfThisMachine(ROOT)
  const needs = systemNeeds(native)
  const parts = partsFor(arch, native, [...needs.depends, ...needs.recommends])
  const content = releaseContent(ROOT, values.version, parts, needs)
  const folder = join(out, 'release')
  mkdirSync(out, { recursive: true })
  const manifest = writeRelease(folder, content, {
    version: values.version,
    hardware: [`linux-${arch}`],
    base: baseOfThisMachine(),
    minimum_version: MINIMUM_VERSION,
    built_at_ms: builtAtMs(),
  })
  const size = (sizeOf(folder, manifest) / 1e6).toFixed(1)
  say(`${folder}: version ${manifest.version} for ${manifest.hardware}, ${manifest.files.length} files, ${size} MB`)
  const launcher = writeLauncher(ROOT, out)
  if (values.key) {
    const bundle = join(out, `vedette-${manifest.version}-${manifest.hardware}.vedette`)
    await packBundle(
      folder,
      values.key.map((each) => readSigningKey(resolve(each))),
      bundle,
    )
    say(`${bundle}: ${megabytesOf(bundle)} MB`)
  }
  if (values.deb === 'none') return
  const made = makePackage(
    {
      release: folder,
      launcher,
      arch,
      version: manifest.version,
      builtAtMs: manifest.built_at_ms,
      ...needs,
      compression: values.deb as Compression,
      scratch: join(out, 'package'),
    },
    out,
  )
  say(`${made}: ${megabytesOf(made)} MB`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
