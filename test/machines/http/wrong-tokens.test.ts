// How many wrong tokens are too many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areTooMany, countTry, FREE_TRIES, TRIES_WINDOW_MS, type Tries } from '../../../machines/http/wrong-tokens.ts'

test('ten wrong tokens a minute are answered at once, the eleventh is one too many', () => {
  let tries: Tries | undefined
  const verdicts = Array.from({ length: FREE_TRIES + 1 }, (_, n) => {
    tries = countTry(tries, 5000 + n)
    return areTooMany(tries)
  })

  assert.deepEqual(verdicts, [...Array(FREE_TRIES).fill(false), true])
})

test('a minute after the first, all is forgotten', () => {
  const many: Tries = { count: 500, sinceMs: 5000 }

  assert.ok(areTooMany(countTry(many, 5000 + TRIES_WINDOW_MS - 1)))
  assert.deepEqual(countTry(many, 5000 + TRIES_WINDOW_MS), { count: 1, sinceMs: 5000 + TRIES_WINDOW_MS })
})
