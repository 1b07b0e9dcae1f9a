// The programs that the service starts, in a release: each that a source names is carried.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { VISION_PROGRAMS } from '../../native/package/parts.ts'

const ROOT = join(import.meta.dirname, '../..')
const OF_DEVELOPERS = ['compare'] // started by npm run compare alone

test('every program of the vision addon that a source starts is carried by a release', () => {
  const sources = globSync('native/**/*.ts', { cwd: ROOT, exclude: ['native/package/**'] })
  const started = sources.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/native\/addon\/build\/([a-z][a-z0-9-]*)'/g)].map(
      ([, name]) => name,
    ),
  )

  const wanted = [...new Set(started)].filter((name) => !OF_DEVELOPERS.includes(name ?? ''))

  assert.deepEqual(wanted.toSorted(), [...VISION_PROGRAMS].toSorted())
})
