// Packages as people make them, with whatever they have.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isFault } from '../../../../machines/errors/fault.ts'
import { MANIFEST_NAME } from '../../../../machines/plugins/package/rules.ts'
import { childWorker } from '../../../../native/plugins/packages/child-worker.ts'
import { packageWorker } from '../../../../native/plugins/packages/unpack.ts'
import { manifestOf, packageOf, zipOf } from '../../../support/plugins/packages.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()

test('a package is unpacked as it is, with the rights to be run where it had them or is a program', async (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'package.zip')
  const program = { runtime: 'executable', path: 'bin/find' }
  const manifest = JSON.stringify(manifestOf({ program }))
  const files = { [MANIFEST_NAME]: manifest, 'bin/find': '\x7fELF', 'tools/a.sh': '#!', 'data/a.txt': 'a'.repeat(9) }
  writeFileSync(path, await zipOf(files, { 'bin/find': 0o100644, 'tools/a.sh': 0o104755, 'data/a.txt': 0o100600 }))

  const found = await childWorker().unpack(path, join(folder, 'content'))

  assert.ok(!isFault(found), JSON.stringify(found))
  assert.equal(found.manifest.program?.path, 'bin/find')
  assert.equal(found.manifest.limits.memory_mb, 256)
  const content = join(folder, 'content')
  for (const [name, text] of Object.entries(files)) assert.equal(readFileSync(join(content, name), 'utf8'), text)
  const rights = ['bin/find', 'tools/a.sh', 'data/a.txt', 'data'].map(
    (name) => statSync(join(content, name)).mode & 0o7777,
  )
  assert.deepEqual(rights, [0o755, 0o755, 0o644, 0o755])
})

test('what file managers put in is left out, and one folder around all of it as well', async (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'package.zip')
  const files = {
    [`My Finder/${MANIFEST_NAME}`]: JSON.stringify(manifestOf()),
    'My Finder/lib/a.py': 'x = 1\n',
    'My Finder/.DS_Store': 'junk',
    '__MACOSX/My Finder/._a.py': 'junk',
  }
  writeFileSync(path, await zipOf(files))

  const found = await packageWorker.unpack(path, join(folder, 'content'))

  assert.ok(!isFault(found), JSON.stringify(found))
  assert.deepEqual(filesIn(join(folder, 'content')), ['lib/a.py', MANIFEST_NAME])
})

const PYTHON = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])"

test("what Python's zip makes is taken", async (t) => {
  const folder = folderOf(t)
  const from = join(folder, 'plugin')
  mkdirSync(join(from, 'lib'), { recursive: true })
  writeFileSync(join(from, MANIFEST_NAME), JSON.stringify(manifestOf()))
  writeFileSync(join(from, 'lib', 'a.py'), 'x = 1\n')
  execFileSync('python3', ['-c', PYTHON, join(folder, 'made'), from])

  const found = await packageWorker.unpack(join(folder, 'made.zip'), join(folder, 'content'))

  assert.ok(!isFault(found), JSON.stringify(found))
  assert.deepEqual(filesIn(join(folder, 'content')), ['lib/a.py', MANIFEST_NAME])
})

/** Manifests, and what the refusal says of them. */
const UNFIT: Readonly<Record<string, readonly [more: Record<string, unknown>, says: RegExp]>> = {
  'no name': [{ name: undefined }, /name/],
  'a name that is taken': [{ name: 'uploads' }, /name/],
  'a name that leads elsewhere': [{ name: '../a' }, /name/],
  'a version that is none': [{ version: '1.0.0-01' }, /not one as of semver.org/],
  'another interface': [{ minimum_api: 9 }, /needs the interface 9 for plugins, and this service has 1/],
  'a permission that there is not': [{ permissions: ['root'] }, /permissions/],
  'a program that is not in it': [
    { program: { runtime: 'node', path: 'main.ts' } },
    /the program "main.ts" is not in it/,
  ],
  'a panel that is not in it': [
    { provides: { panel: { title: 'A', folder: 'ui' } } },
    /the panel "ui\/index.html" is not/,
  ],
  'routes without a program': [{ provides: { routes: true } }, /it says that it has routes, and no program for them/],
  'a field that nobody knows': [{ sudo: true }, /sudo/],
  'too much memory': [{ limits: { memory_mb: 1e6 } }, /memory_mb/],
}

for (const [what, [more, says]] of Object.entries(UNFIT))
  test(`a manifest with ${what} is refused with a sentence`, async (t) => {
    const path = join(folderOf(t), 'package.zip')
    writeFileSync(path, await packageOf(more))

    const found = await packageWorker.inspect(path)

    assert.ok(isFault(found) && found.code === 'plugin.refused', JSON.stringify(found))
    assert.match(found.detail, says)
  })
