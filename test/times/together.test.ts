import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { folderOf } from '../support/processes/folder.ts'
import { canShare, runTogether } from './together.ts'

test('a file shares a process unless it, or what supports it, starts one, changes its own, or lasts', () => {
  assert.ok(canShare('test/machines/effects.test.ts'))
  for (const alone of [
    'test/slices/demo.test.ts', // is not about what is pure
    'test/supervisors/http/branch.test.ts', // its support starts one
    'test/api/conformance.test.ts', // has a service for all of its tests
    'test/actors/settings/settings-writer-actor.test.ts', // has a hook of its own
  ])
    assert.ok(!canShare(alone), alone)
})

test('each file that shares a process is imported once', (t) => {
  const files = globSync('test/machines/**/*.test.ts').filter(canShare)

  const groups = runTogether(files, folderOf(t))

  const imported = groups.flatMap(({ path }) =>
    [...readFileSync(path, 'utf8').matchAll(/^import '(.+)'$/gm)].map(([, url]) => url),
  )
  assert.ok(groups.length > 1 && groups.length < files.length / 10, `${groups.length} groups of ${files.length}`)
  assert.deepEqual(imported.toSorted(), files.map((file) => pathToFileURL(file).href).toSorted())
})
