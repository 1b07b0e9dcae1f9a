import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { cpuSecondsOf, machineTime, shareOfMachine } from './cpu.ts'
import { LONG_FOR_A_REASON, LONGEST, tableOfFiles, tooLong } from './report.ts'

test('what a process computed counts with its children that have ended, whatever its name', () => {
  const stat = '7 (a ) name) S 1 1 1 0 -1 4194560 900 0 0 0 150 50 200 100 20 0 11 0 1 0 0'

  assert.equal(cpuSecondsOf(stat), 5)
})

test('the share of a machine is what its owner took of it and what nobody took', () => {
  const before = machineTime('cpu  1000 0 0 1000 0 0 0 0 0 0\ncpu0 0\n')
  const after = machineTime('cpu  1500 100 200 1100 50 10 20 20 0 0\ncpu0 0\n')

  assert.deepEqual(
    [before, after],
    [
      { totalS: 20, idleS: 10 },
      { totalS: 30, idleS: 11.5 },
    ],
  )
  assert.equal(shareOfMachine(before, after, 3.5), 0.5)
})

test('a test above 20 s is refused, and a file that computes longer; beside other work it may take longer', () => {
  const files = [
    { file: 'test/a.test.ts', wallS: 60, cpuS: 31 },
    { file: 'test/b.test.ts', wallS: 60, cpuS: 29 },
    { file: 'test/native/setup.test.ts', wallS: 60, cpuS: 50 },
  ]
  const tests = [
    { file: 'test/a.test.ts', name: 'waits', wallS: 19 },
    { file: 'test/b.test.ts', name: 'takes its time', wallS: 39 },
    { file: 'test/native/setup.test.ts', name: 'sets up', wallS: 50 },
  ]

  assert.deepEqual(tooLong(files, tests, 1), [
    'test/a.test.ts computes for 31.0 s',
    'test/b.test.ts takes 39.0 s for: takes its time',
  ])
  assert.deepEqual(tooLong(files, tests, 0.5), ['test/a.test.ts computes for 31.0 s'])
  const others = { file: 'test/c.test.ts', wallS: 9, cpuS: 1500 } // all in all twice what the limits are for
  assert.deepEqual(tooLong([...files, others], tests, 1), ['test/c.test.ts computes for 1500.0 s'])
})

test('how long a test waited until it failed is not told as well', () => {
  const tests = ['test/a.test.ts', 'test/b.test.ts'].map((file) => ({ file, name: 'waits in vain', wallS: 120 }))
  const files = [{ file: 'test/a.test.ts', wallS: 120, cpuS: 40 }]

  assert.deepEqual(tooLong(files, tests, 1, ['test/a.test.ts']), ['test/b.test.ts takes 120.0 s for: waits in vain'])
})

test('the table begins with the file that computes longest', () => {
  const [first, second] = tableOfFiles([
    { file: 'test/a.test.ts', wallS: 9, cpuS: 1 },
    { file: 'test/b.test.ts', wallS: 3, cpuS: 2 },
  ]).split('\n')

  assert.match(first ?? '', /^2 files took 3 s/)
  assert.match(second ?? '', /2\.0 s +3\.0 s {2}test\/b\.test\.ts$/)
})

test('each file that is named for its time is there', () => {
  const lost = [...LONGEST, ...Object.keys(LONG_FOR_A_REASON)].filter((pattern) => globSync(pattern).length !== 1)

  assert.deepEqual(lost, [])
})
