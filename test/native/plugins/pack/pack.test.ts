// A folder as a package: the same bytes each time, and what devices would refuse is refused here.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isFault } from '../../../../machines/errors/fault.ts'
import { MANIFEST_NAME } from '../../../../machines/plugins/package/rules.ts'
import { projectPath } from '../../../../native/files/project-root.ts'
import { packFolder } from '../../../../native/plugins/pack/pack.ts'
import { packageWorker } from '../../../../native/plugins/packages/unpack.ts'
import { manifestOf } from '../../../support/plugins/packages.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const pluginIn = (t: TestContext): string => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'lib'))
  mkdirSync(join(folder, '__pycache__'))
  writeFileSync(join(folder, MANIFEST_NAME), JSON.stringify(manifestOf()))
  writeFileSync(join(folder, 'lib', 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(folder, 'lib', 'run.sh'), 0o755)
  writeFileSync(join(folder, '.env'), 'SECRET=1')
  writeFileSync(join(folder, '__pycache__', 'a.pyc'), 'x')
  symlinkSync('/etc/passwd', join(folder, 'link'))
  return folder
}

const packed = async (folder: string) => {
  const found = await packFolder(folder)
  assert.ok(!isFault(found), JSON.stringify(found))
  return found
}

test('the same files make the same package, whenever they were written, and devices take it', async (t) => {
  const [folder, again] = [pluginIn(t), pluginIn(t)]
  utimesSync(join(again, 'lib', 'run.sh'), 1, 1)

  const [first, second] = [await packed(folder), await packed(again)]
  const path = join(folderOf(t), 'package.zip')
  writeFileSync(path, first.bytes)
  const found = await packageWorker.inspect(path)

  assert.ok(first.bytes.equals(second.bytes))
  assert.ok(!isFault(found), JSON.stringify(found))
  assert.equal(found.manifest.name, 'note-finder')
  for (const left of ['.env', 'pyc', 'link']) assert.ok(!first.bytes.includes(left), left)
})

test('a folder that no device would take is refused with a sentence', async (t) => {
  const folder = pluginIn(t)
  writeFileSync(join(folder, 'my file.txt'), 'a')

  const found = await packFolder(folder)

  assert.ok(isFault(found))
  assert.match(found.detail, /the name "my file.txt" has other characters/)
})

test('npm run plugin -- pack writes the package and says where it is', async (t) => {
  const into = folderOf(t)
  const main = projectPath('native/plugins/pack/main.ts')

  const said = execFileSync(process.execPath, [main, 'pack', pluginIn(t), into], { encoding: 'utf8' })

  assert.equal(said, `${join(into, 'note-finder-1.0.0.zip')}\n`)
})
