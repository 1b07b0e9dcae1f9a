import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesAgain, unsteady } from './again.ts'

const KNOWN = ['/a.test.ts', '/b.test.ts', '/c.test.ts', '/d.test.ts']
const failuresIn = (...files: readonly string[]) => files.map((file) => ({ file, name: 'a test' }))

test('a few files that failed run once more, each once', () => {
  assert.deepEqual(filesAgain(failuresIn('/a.test.ts', '/a.test.ts', '/c.test.ts'), KNOWN), [
    '/a.test.ts',
    '/c.test.ts',
  ])
})

test('more than three, or what is no file of tests, have failed', () => {
  assert.deepEqual(filesAgain(failuresIn(...KNOWN), KNOWN), [])
  assert.deepEqual(filesAgain(failuresIn('/a.test.ts', '/together-1.test.mjs'), KNOWN), [])
})

test('what failed only among the others is named', () => {
  assert.match(unsteady(failuresIn('test/a.test.ts')), /\ntest\/a\.test\.ts: a test$/)
})
