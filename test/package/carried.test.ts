// What a release is said to carry: packages, their terms, and the bill of materials.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageOf } from '../../native/package/carried.ts'
import { partsOfThisMachine } from '../../native/package/parts.ts'
import { carriedModules, closure, readLockFile } from '../../native/package/runtime-modules.ts'
import { type Bom, completeBom } from '../../native/package/sbom.ts'

const ROOT = join(import.meta.dirname, '../..')

test('a file belongs to the innermost package around it', () => {
  assert.equal(packageOf('node_modules/ws/lib/receiver.js'), 'node_modules/ws')
  assert.equal(packageOf('node_modules/@a/b/c.js'), 'node_modules/@a/b')
  assert.equal(packageOf('node_modules/@a/b/node_modules/tslib/tslib.js'), 'node_modules/@a/b/node_modules/tslib')
  assert.equal(packageOf('api/areas.ts'), undefined)
})

test('the packages behind a package are found where npm has put them', () => {
  const lock = {
    packages: {
      'node_modules/a': { dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': { optionalDependencies: { a: '1', 'of-another-system': '1' } },
    },
  }

  assert.deepEqual(closure(lock, 'node_modules/a'), [
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/a',
  ])
})

test('what runs is carried, and nothing that only compilers and people read', () => {
  const parts = partsOfThisMachine(ROOT)
  const modules = carriedModules(readLockFile(ROOT), parts)
  const files = modules.flatMap((each) => each.files)

  for (const file of ['swagger-ui-dist/swagger-ui-bundle.js', 'selfsigned/index.js', 'onnxruntime-node/dist/index.js'])
    assert.ok(files.includes(`node_modules/${file}`), file)
  assert.ok(files.some((file) => file.endsWith(`linux/${parts.arch}/onnxruntime_binding.node`)))
  assert.deepEqual(
    files.filter((file) => file.endsWith('/pty.node')),
    [`node_modules/@lydell/node-pty-linux-${parts.arch}/pty.node`],
  )
  assert.deepEqual(
    files.filter((file) => /\.(map|d\.ts)$|(arm64|x64)\/onnx/.test(file) && !file.includes(`/${parts.arch}/`)),
    [],
  )
  assert.equal(new Set(files).size, files.length)
})

test('the bill of materials names what is inside, Node and libraries of Debian, and nothing else', () => {
  const at = (path: string) => [{ name: 'cdx:npm:package:path', value: path }]
  const bom: Bom = {
    metadata: { component: { 'bom-ref': 'vedette' } },
    components: [
      { 'bom-ref': 'ws', properties: at('node_modules/ws') },
      { 'bom-ref': 'esbuild', properties: at('node_modules/esbuild') },
    ],
    dependencies: [{ ref: 'vedette', dependsOn: ['ws', 'esbuild'] }, { ref: 'ws' }, { ref: 'esbuild' }],
  }

  const { components, dependencies } = completeBom(bom, {
    packages: ['node_modules/ws'],
    libraries: [{ name: 'libpng16-16', version: '1.6.39-2+b1', copyright: '' }],
    node: '24.21.0',
    debianArch: 'amd64',
  })

  const refs = ['ws', 'node@24.21.0', 'debian/libpng16-16@1.6.39-2+b1']
  assert.deepEqual(
    components.map((each) => each['bom-ref']),
    refs,
  )
  assert.deepEqual(dependencies[0], { ref: 'vedette', dependsOn: refs })
  assert.deepEqual(
    dependencies.map(({ ref }) => ref),
    ['vedette', ...refs],
  )
})

test('the page says what it was made of', () => {
  const inputs = readFileSync(join(ROOT, 'ui/build/inputs'), 'utf8').split('\n')
  for (const file of ['ui/app.tsx', 'node_modules/react/index.js']) assert.ok(inputs.includes(file), file)
})
