// What comes again and again, in the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutRepeats } from '../../../native/log/repeats.ts'

const heard = () => {
  const lines: string[] = []
  let nowMs = 0
  const log = withoutRepeats(
    (level, message, { times } = {}) => lines.push(`${nowMs / 1000} ${level} ${message}${times ? ` ×${times}` : ''}`),
    () => nowMs,
  )
  const at = (seconds: number, ...line: Parameters<typeof log>) => {
    nowMs = seconds * 1000
    log(...line)
  }
  return { lines, at }
}

test('a fault that goes on is said at once and then ever more rarely, with how often it came', () => {
  const { lines, at } = heard()
  const taken = { code: 'http.port_taken', resource: 'https' }

  for (const second of [0, 0.1, 0.3, 0.7, 1.5]) at(second, 'warn', 'it is taken', taken)
  for (let second = 15; second < 3600; second += 15) at(second, 'warn', 'it is taken', taken)

  assert.deepEqual(lines.slice(0, 4), [
    '0 warn it is taken',
    '15 warn it is taken ×5',
    '45 warn it is taken ×2',
    '90 warn it is taken ×3',
  ])
  assert.ok(lines.length <= 12, `${lines.length} lines in an hour`)
})

test('another code, resource or sentence is another fault; another number in the sentence is not', () => {
  const { lines, at } = heard()
  const failed = { code: 'child.failed', resource: 'https' }

  at(0, 'warn', 'failed 5 times', failed)
  at(1, 'warn', 'failed 6 times', failed)
  at(2, 'warn', 'failed 7 times', { ...failed, resource: 'http' })
  at(3, 'warn', 'failed 8 times', { ...failed, code: 'stream.failed' })
  at(4, 'warn', 'failed for good', failed)

  assert.deepEqual(lines, [
    '0 warn failed 5 times',
    '2 warn failed 7 times',
    '3 warn failed 8 times',
    '4 warn failed for good',
  ])
})

test('what was over for a minute is news again', () => {
  const { lines, at } = heard()

  for (const second of [0, 12, 31, 91, 101]) at(second, 'warn', 'unplugged')

  assert.deepEqual(lines, ['0 warn unplugged', '12 warn unplugged', '91 warn unplugged ×2', '101 warn unplugged'])
})

test('what was over for a minute is news also when it had been said ever more rarely', () => {
  const { lines, at } = heard()
  for (let second = 0; second < 2000; second += 15) at(second, 'warn', 'unplugged')

  at(2100, 'warn', 'unplugged')

  assert.equal(lines.at(-1), '2100 warn unplugged ×9')
})

test('what came several times by its own word counts as often', () => {
  const { lines, at } = heard()

  at(0, 'warn', 'corrupt', { times: 240 })
  at(1, 'warn', 'corrupt', { times: 30 })
  at(20, 'warn', 'corrupt')

  assert.deepEqual(lines, ['0 warn corrupt ×240', '20 warn corrupt ×31'])
})

test('lines that are no warnings are all said', () => {
  const { lines, at } = heard()

  for (const level of ['info', 'debug'] as const) for (const second of [0, 0]) at(second, level, 'ready')

  assert.equal(lines.length, 4)
})

test('of very many different faults the one said longest ago is forgotten', () => {
  const { lines, at } = heard()
  const name = (n: number) => String.fromCodePoint(0x4e00 + n)

  for (let n = 0; n <= 500; n += 1) at(0, 'warn', name(n))
  at(1, 'warn', name(500))
  at(1, 'warn', name(0))

  assert.deepEqual(lines.slice(501), [`1 warn ${name(0)}`])
})
