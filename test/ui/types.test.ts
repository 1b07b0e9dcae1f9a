// The types that the page is written against.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { firstLineNow, SCHEMA } from '../../ui/generate-types.ts'

test('the types of the interface are those of the interface as it is now', () => {
  const types = readFileSync(SCHEMA, 'utf8')

  assert.ok(types.startsWith(firstLineNow()), 'run `node ui/generate-types.ts`, as the set-up of the tests does')
})
