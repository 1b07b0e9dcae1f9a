import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { folderOf } from '../support/processes/folder.ts'
import { amongst, canShare, runTogether } from './together.ts'

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

test('groups stand evenly among files, none of them last, and all of both are there', () => {
  const files = Array.from({ length: 20 }, (_, n) => n)

  assert.deepEqual(
    amongst(files, [100, 101, 102, 103]).map(String).join(' '),
    ['100 0 1 2 3 101 4 5 6 7 102 8 9 10 11 103 12 13 14 15 16 17 18 19'].join(),
  )
  assert.deepEqual(amongst([1], [100, 101]), [100, 1, 101])
  assert.deepEqual(amongst([], [100, 101]), [100, 101])
  assert.deepEqual(amongst(files, []), files)
})
