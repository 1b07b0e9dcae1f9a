import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { filesPlayedLonger, parts, rows, rowsOf } from './checks.ts'

const titlesOf = (asked: readonly string[]) => rowsOf(asked).map((row) => row.map(({ title }) => title))

test('a file is played longer when it, or what supports it, asks for the long test', () => {
  const files = filesPlayedLonger()

  assert.ok(files.includes('test/slices/bad-wire.test.ts')) // by itself
  assert.ok(files.includes('test/ui/overview.test.ts')) // by the looks of its browser
  assert.ok(!files.includes('test/machines/effects.test.ts'))
})

test('each part that is listed can be run by itself, with what it needs', () => {
  for (const part of parts()) {
    const chosen = rowsOf([part]).flat()
    const [last] = chosen.slice(-1)

    if (part.endsWith('.test.ts')) assert.equal(last?.args.at(-1), part)
    else assert.equal(last?.title, part)
  }
  assert.deepEqual(titlesOf(['types', 'tests in C++']), [['types'], ['tests in C++']])
  assert.deepEqual(titlesOf(['./test/times/checks.test.ts']), [['bundle', 'programs for tests'], ['tests']])
})

test('nothing that is asked for is everything, and a part that nobody knows is refused', () => {
  assert.equal(rowsOf([]), rows)
  assert.throws(() => rowsOf(['test/no-such.test.ts']), /there is no part test\/no-such\.test\.ts/)
})

test('the command lists all parts, one a line, and runs none of them', () => {
  const { status, stdout } = spawnSync(process.execPath, ['test/run.ts', '--list'], { encoding: 'utf8' })

  assert.deepEqual({ status, stdout }, { status: 0, stdout: `${parts().join('\n')}\n` })
})

test('tests in C++ run beside those of the service, and what these need is there before', () => {
  const [needed, last] = rows.slice(-2).map((row) => row.map(({ title }) => title))

  assert.deepEqual(
    [needed, last],
    [
      ['bundle', 'programs for tests'],
      ['tests', 'tests in C++'],
    ],
  )
})
