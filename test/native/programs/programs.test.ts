// Programs that are listened to, and what counts as an end of their own.
import assert from 'node:assert/strict'
import { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import { arrival } from '../../support/until.ts'

const { run, listen } = linuxPrograms()

test('an exit code is an answer', async () => {
  const end = await Effect.runPromise(run({ program: 'sh', args: ['-c', 'echo out; echo err >&2; exit 3'] }))

  assert.deepEqual(end, { exitCode: 3, stdout: 'out\n', stderr: 'err\n' })
})

test('no end of its own: it is not there, takes too long, or prints too much', async () => {
  const kindOf = (order: Parameters<typeof run>[0]) =>
    Effect.runPromise(Effect.map(Effect.flip(run(order)), ({ kind, text }) => `${kind}: ${text}`))

  assert.equal(await kindOf({ program: 'no-such-program', args: [] }), 'missing: no-such-program is not there')
  assert.equal(
    await kindOf({ program: 'sleep', args: ['600'], limitMs: 50 }),
    'late: sleep did not end within 0.05 s and was stopped',
  )
  assert.equal(
    await kindOf({ program: 'yes', args: [], maxOutputBytes: 1_000 }),
    'stopped: yes printed more than is read and was stopped',
  )
})

test('one that the kernel does not let go of is not waited for', async (t) => {
  const kill = t.mock.method(ChildProcess.prototype, 'kill', () => true) // it waits for a disk, and takes no signal
  const order = { program: 'sleep', args: ['600'], limitMs: 50 }
  t.after(() => {
    for (const { this: child } of kill.mock.calls) process.kill((child as ChildProcess).pid as number, 'SIGKILL')
  })

  const failures = await arrival(
    'the failures',
    Effect.runPromise(Effect.all([Effect.flip(run(order)), Effect.flip(listen(order, () => {}))])),
  )

  const late = { kind: 'late', text: 'sleep did not end within 0.05 s and was stopped' }
  assert.deepEqual(failures, [late, late])
  assert.equal(kill.mock.callCount(), 2)
})

test('what a program has left behind does not keep its end from being told', async (t) => {
  const leaves = { program: 'sh', args: ['-c', 'sleep 600 & echo $!'], limitMs: 500 }
  t.after(() => process.kill(Number(lines[0]), 'SIGKILL'))
  const lines: string[] = []

  const end = await arrival('the end', Effect.runPromise(listen(leaves, (line) => lines.push(line))))

  assert.equal(end.exitCode, 0)
})

test('lines are told as they come, without their ends, and a long one is cut', async () => {
  const lines: string[] = []
  const script = 'echo first; printf "%070000d\\n" 0; echo "  last "'
  const end = await Effect.runPromise(listen({ program: 'sh', args: ['-c', script] }, (line) => lines.push(line)))

  assert.equal(end.exitCode, 0)
  assert.deepEqual([lines[0], lines[1]?.length, lines[2]], ['first', 65_536, '  last '])
})

test('a line that comes to no end takes no memory, and what follows it is heard', async () => {
  const script = `head -c 300000000 /dev/zero | tr '\\0' x; echo; echo next`
  const lengths: number[] = []
  const before = process.memoryUsage.rss()

  const end = await Effect.runPromise(
    listen({ program: 'sh', args: ['-c', script] }, (line) => lengths.push(line.length)),
  )

  assert.equal(end.exitCode, 0)
  assert.deepEqual(lengths, [65_536, 4])
  const grownMb = (process.memoryUsage.rss() - before) / 1e6
  assert.ok(grownMb < 200, `${grownMb} MB`)
})

test('what is listened to may print as much as the order says, in lines as long as that', async () => {
  const lines: string[] = []
  const long = { program: 'sh', args: ['-c', 'printf "%0200000d\\n" 0'], maxOutputBytes: 300_000 }

  await Effect.runPromise(listen(long, (line) => lines.push(line)))
  const { kind, text } = await Effect.runPromise(
    Effect.flip(listen({ program: 'yes', args: [], maxOutputBytes: 100_000, limitMs: 60_000 }, () => {})),
  )

  assert.deepEqual(
    lines.map(({ length }) => length),
    [200_000],
  )
  assert.equal(`${kind}: ${text}`, 'stopped: yes printed more than is read and was stopped')
})

test('a program that the system does not start is refused, though Node throws that', async () => {
  const order = { program: 'true', args: ['x'.repeat(200_000)] } // longer than an argument may be

  const failures = await Effect.runPromise(Effect.all([Effect.exit(run(order)), Effect.exit(listen(order, () => {}))]))

  const refused = Exit.fail({ kind: 'refused', text: 'true cannot be run (spawn E2BIG)' })
  assert.deepEqual(failures, [refused, refused])
})
