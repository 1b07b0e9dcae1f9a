import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lines } from '../../../native/programs/lines.ts'

/** What is told of these pieces, one after the other. */
const linesOf = (pieces: readonly (string | Buffer)[], maxLength = 100) => {
  const told: string[] = []
  const lines = new Lines(maxLength, (line) => told.push(line))
  for (const piece of pieces) lines.take(Buffer.from(piece as string))
  lines.end()
  return told
}

test('lines are told whole, wherever they are cut, and the last one also without its end', () => {
  const text = Buffer.from('höre\r\n\nzwei\u2028drei\nvier')
  const bytes = Array.from(text, (_, n) => text.subarray(n, n + 1))

  assert.deepEqual(linesOf([text]), ['höre', '', 'zwei\u2028drei', 'vier'])
  assert.deepEqual(linesOf(bytes), ['höre', '', 'zwei\u2028drei', 'vier'])
  assert.deepEqual(linesOf(['one\n']), ['one'])
  assert.deepEqual(linesOf([]), [])
})

test('of a line that is too long the rest is thrown away, and the next one is whole', () => {
  assert.deepEqual(linesOf(['0123456', '789', 'x'.repeat(50), 'y\nnext\n'], 8), ['01234567', 'next'])
})
