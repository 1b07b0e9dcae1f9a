import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../../../machines/schema/one-line.ts'

test('a text over several lines is read as one line', () => {
  const seen = oneLine`
    The camera is ${'gone'},
    and comes back in ${3} s.
  `

  assert.equal(seen, 'The camera is gone, and comes back in 3 s.')
})

test('what is put in keeps its own lines and spaces', () => {
  assert.equal(oneLine`says: ${'a\n  b'}`, 'says: a\n  b')
})
