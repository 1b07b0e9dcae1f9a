import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from '../../../machines/schema/text.ts'

test('a text over several lines is read as one line', () => {
  const seen = text`
    The camera is ${'gone'},
    and comes back in ${3} s.
  `

  assert.equal(seen, 'The camera is gone, and comes back in 3 s.')
})

test('what is put in keeps its own lines and spaces', () => {
  assert.equal(text`says: ${'a\n  b'}`, 'says: a\n  b')
})
