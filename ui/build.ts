// Makes the page that the service serves: `ui/build/`, with hashed names, and each file beside it as brotli and gzip
// make it smaller. The set-up runs it when something of it has changed; nothing of it runs on a device.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'

const ui = fileURLToPath(new URL('.', import.meta.url))
const target = join(ui, 'build')
const made = join(ui, 'build.new') // put in its place when it is whole

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
  outdir: join(made, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
}

/** Bundles some entries; returns the address of each by its name, and of the chunks that it loads at once. */
const bundle = async (entryPoints: Readonly<Record<string, string>>, define: Readonly<Record<string, string>> = {}) => {
  const { metafile } = await build({
    ...shared,
    entryPoints: { ...entryPoints },
    define: { 'process.env.NODE_ENV': '"production"', ...define },
  })
  for (const path of Object.keys(metafile.inputs)) inputs.add(relative(join(ui, '..'), join(ui, path)))
  const addressOf = (path: string) => `/assets/${basename(path)}`
  const outputs = Object.entries(metafile.outputs)
  const entries = new Map<string, { readonly address: string; readonly chunks: readonly string[] }>()
  for (const [name, source] of Object.entries(entryPoints)) {
    const [path, output] = outputs.find(([, { entryPoint }]) => entryPoint === source) ?? []
    if (!path || !output) throw new Error(`${source} was not bundled`)
    const chunks = new Set<string>()
    const follow = (imports: (typeof output)['imports']): void => {
      for (const { path: chunk, kind } of imports) {
        if (kind !== 'import-statement' || chunks.has(chunk)) continue
        chunks.add(chunk)
        follow(metafile.outputs[chunk]?.imports ?? [])
      }
    }
    follow(output.imports)
    entries.set(name, { address: addressOf(path), chunks: [...chunks].map(addressOf) })
  }
  return (name: string) => entries.get(name) as { readonly address: string; readonly chunks: readonly string[] }
}

/** Writes a file as it is, and as each encoding makes it where that is worth it. */
const writeCompressed = (path: string, bytes: Uint8Array): void => {
  writeFileSync(path, bytes)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }))
}

const inputs = new Set<string>()
rmSync(made, { recursive: true, force: true })
mkdirSync(join(made, 'assets'), { recursive: true })
const worker = (await bundle({ 'picture-worker': 'pictures/worker.ts' }))('picture-worker')
const entry = await bundle(
  { app: 'app.tsx', page: 'look/page.css' },
  { PICTURE_WORKER: JSON.stringify(worker.address) },
)
const app = entry('app')
const preloads = app.chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}" />`)
const page = readFileSync(join(ui, 'index.html'), 'utf8')
  .replace('{{styles}}', entry('page').address)
  .replace('{{script}}', app.address)
  .replace('{{preloads}}', preloads.join('\n    '))
for (const name of readdirSync(join(made, 'assets')))
  if (['.js', '.css', '.svg'].includes(extname(name)))
    writeCompressed(join(made, 'assets', name), readFileSync(join(made, 'assets', name)))
writeCompressed(join(made, 'index.html'), Buffer.from(page))
// for those who must know whose work is in it
writeFileSync(
  join(made, 'inputs'),
  [...inputs]
    .sort()
    .map((path) => `${path}\n`)
    .join(''),
)
rmSync(target, { recursive: true, force: true })
renameSync(made, target)
