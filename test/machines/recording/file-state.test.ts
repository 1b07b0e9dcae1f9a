import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileChange, hasBegun, isClosed, nextFileState } from '../../../machines/recording/file-state.ts'

const after = (...changes: readonly FileChange[]) =>
  changes.reduce<Parameters<typeof nextFileState>[0]>(nextFileState, 'unordered')

test('a file is ordered, begun and closed, and an engine may close it before it answers', () => {
  assert.equal(after(), 'unordered')
  assert.equal(after('ordered'), 'ordered')
  assert.equal(after('ordered', 'begun'), 'begun')
  assert.equal(after('ordered', 'begun', 'closed'), 'closed')
  assert.equal(after('ordered', 'closed'), 'closed-early')
  assert.equal(after('ordered', 'closed', 'begun'), 'closed')
})

test('what was not ordered is neither begun nor closed', () => {
  assert.equal(after('closed', 'begun'), 'unordered')
})

test('whether it has begun and whether it is closed follow from the state', () => {
  const seen = [after(), after('ordered'), after('ordered', 'begun'), after('ordered', 'closed')].map((state) => [
    hasBegun(state),
    isClosed(state),
  ])

  assert.deepEqual(seen, [
    [false, false],
    [false, false],
    [true, false],
    [false, true],
  ])
  assert.deepEqual([hasBegun('closed'), isClosed('closed')], [true, true])
})
