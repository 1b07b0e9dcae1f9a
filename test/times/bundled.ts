// Files of tests, each made into one file of JavaScript with what it imports, and what several import in files that
// they share. To read and to link two thousand small files takes most of what many files of tests compute.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** Packages of many small files. All others stay what they are, and are shared by all that a process loads. */
const MANY_FILES = new Set(['effect', 'typebox', 'yaml'])

/**
 * What says so looks for another program beside itself: engines, workers, checkers. It finds the one of the bundle of
 * the service, which starts in half the time.
 */
const LOOKS_FOR_ANOTHER = "import.meta.url.endsWith('.ts')"

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const otherPackages = (): string[] => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !MANY_FILES.has(name))
}

/** What stands for `import.meta` in what is made; no source has such names. */
const NAME = 'placeOfSource_'
const NAMES = ['url', 'dirname', 'filename'].map((part) => [`import.meta.${part}`, `${NAME}${part}`])

/** What a source says of its own place stays true, wherever it is moved. */
const staying = (service: string): Plugin => ({
  name: 'staying',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (path.includes('/node_modules/') || !text.includes('import.meta.')) return undefined
      const isLooking = text.includes(LOOKS_FOR_ANOTHER)
      const place = isLooking ? resolve(dirname(service), 'service/of-tests.mjs') : path
      const said = { url: pathToFileURL(place).href, dirname: dirname(place), filename: place }
      const names = Object.entries(said).map(([part, value]) => `${NAME}${part} = ${JSON.stringify(value)}`)
      const contents = `const ${names.join(', ')}; ${text}`
      return { contents, loader: 'ts' }
    })
  },
})

const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/**
 * Writes them into a folder of this project, and answers where each stands. service: the entry of the bundle of the
 * service, which their engines are started from.
 */
export const bundleTests = async (
  files: readonly string[],
  folder: string,
  service: string,
): Promise<ReadonlyMap<string, string>> => {
  await build({
    entryPoints: [...files],
    outdir: folder,
    outbase: '.',
    chunkNames: 'shared/[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    external: otherPackages(),
    banner: { js: REQUIRE },
    define: Object.fromEntries(NAMES),
    plugins: [staying(service)],
    logLevel: 'warning',
  })
  return new Map(files.map((file) => [file, resolve(folder, file.replace(/\.ts$/, '.mjs'))]))
}
