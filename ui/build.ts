// Makes the page that the service serves: `ui/build/`, with hashed names, and each file beside it as brotli and gzip
// make it smaller. The set-up runs it when something of it has changed; nothing of it runs on a device.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const ui = fileURLToPath(new URL('.', import.meta.url))
const target = join(ui, 'build')
const unfinished = join(ui, 'build.new') // put in its place when it is whole

const shared: BuildOptions = {
  absWorkingDir: ui,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  minify: true,
  metafile: true,
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  outdir: join(unfinished, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
}

/** A file that was made, and the chunks that it loads at once. */
interface Made {
  readonly address: string
  readonly chunks: readonly string[]
}

const addressOf = (path: string): string => `/assets/${basename(path)}`

/** Bundles some files; returns what became of each of them, and of those that they load later, by its path here. */
const bundle = async (options: BuildOptions): Promise<(source: string) => Made> => {
  const { metafile } = await build({
    ...shared,
    ...options,
    define: { 'process.env.NODE_ENV': '"production"', ...options.define },
  })
  for (const path of Object.keys((metafile as Metafile).inputs)) inputs.add(relative(join(ui, '..'), join(ui, path)))
  const outputs = Object.entries((metafile as Metafile).outputs)
  const chunksOf = (path: string, chunks = new Set<string>()): ReadonlySet<string> => {
    for (const { path: chunk, kind } of metafile?.outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || chunks.has(chunk)) continue
      chunks.add(chunk)
      chunksOf(chunk, chunks)
    }
    return chunks
  }
  return (source) => {
    const [path] = outputs.find(([, { entryPoint }]) => entryPoint === source) ?? []
    if (path === undefined) throw new Error(`${source} was not bundled`)
    return { address: addressOf(path), chunks: [...chunksOf(path)].map(addressOf) }
  }
}

/** What the first view is made of. */
const FIRST = ['shell/shell.tsx', 'rooms/overview/page.tsx'].map((path) => join(ui, path))

/**
 * Keeps that together. Else it would be in twenty files, one for each set of rooms that have some of it in common. What
 * is loaded later says that it needs all of it, which is true: it is there by then.
 */
const firstTogether: Plugin = {
  name: 'first-together',
  setup: ({ onResolve, onLoad }) => {
    const later = new Set<string>()
    onResolve({ filter: /^\./ }, ({ kind, resolveDir, path }) => {
      if (kind === 'dynamic-import') later.add(join(resolveDir, path))
      return undefined
    })
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const first = FIRST.filter((each) => each !== path).map((each) => `import ${JSON.stringify(each)}`)
      return { contents: `${readFileSync(path, 'utf8')}\n${first.join('\n')}`, loader: 'tsx' }
    })
  },
}

/** Writes a file as it is, and as each encoding makes it where that is worth it. */
const writeCompressed = (path: string, bytes: Uint8Array): void => {
  writeFileSync(path, bytes)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }))
}

const inputs = new Set<string>()
rmSync(unfinished, { recursive: true, force: true })
mkdirSync(join(unfinished, 'assets'), { recursive: true })
const WORKER = 'pictures/worker.ts'
const worker = await bundle({ entryPoints: { 'picture-worker': WORKER } })
const made = await bundle({
  entryPoints: { app: 'app.tsx', page: 'look/page.css' },
  define: { PICTURE_WORKER: JSON.stringify(worker(WORKER).address) },
  plugins: [firstTogether],
})
const [app, overview] = [made('app.tsx'), made('rooms/overview/page.tsx')]
const preloads = [...new Set([...app.chunks, overview.address, ...overview.chunks])]
const page = readFileSync(join(ui, 'index.html'), 'utf8')
  .replace('{{styles}}', made('look/page.css').address)
  .replace('{{script}}', app.address)
  .replace('{{preloads}}', preloads.map((path) => `<link rel="modulepreload" href="${path}" />`).join('\n    '))
for (const name of readdirSync(join(unfinished, 'assets')))
  if (['.js', '.css', '.svg'].includes(extname(name)))
    writeCompressed(join(unfinished, 'assets', name), readFileSync(join(unfinished, 'assets', name)))
writeCompressed(join(unfinished, 'index.html'), Buffer.from(page))
// for those who must know whose work is in it
writeFileSync(
  join(unfinished, 'inputs'),
  [...inputs]
    .sort()
    .map((path) => `${path}\n`)
    .join(''),
)
rmSync(target, { recursive: true, force: true })
renameSync(unfinished, target)
