// How a run ended, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEndIn } from '../../../machines/update/run-end.ts'

test('what systemd notes of a run is said in words', () => {
  for (const [line, words] of [
    ['success exited 0', 'it ended as if it had been told to'],
    ['exit-code exited 78\n', 'it ended with code 78'],
    ['signal killed SEGV', 'it was killed by SIGSEGV'],
    ['core-dump dumped ABRT', 'it was killed by SIGABRT'],
    ['signal killed KILL', 'it was killed (SIGKILL), as the system does with what takes all the memory'],
    ['oom-kill killed KILL', 'the system had no memory left, and killed it'],
    ['timeout killed TERM', 'it was not ready in time, and was killed'],
    ['watchdog dumped ABRT', 'it hung, and was killed: it did not say any more that it was well'],
    ['start-limit-hit', 'it ended (start-limit-hit)'],
  ] as const)
    assert.equal(runEndIn(line, undefined), words)
})

test('what the run said itself stands behind it', () => {
  assert.equal(
    runEndIn('exit-code exited 78', 'the settings have schema 9\n'),
    'it ended with code 78: the settings have schema 9',
  )
  assert.equal(runEndIn(undefined, 'the settings have schema 9'), 'the settings have schema 9')
})

test('nothing is known of what nobody noted, and rubbish stays short', () => {
  assert.equal(runEndIn(undefined, undefined), null)
  assert.equal(runEndIn('', ' '), null)
  assert.ok((runEndIn('x'.repeat(9_000), 'y'.repeat(9_000))?.length ?? 0) < 700)
})
