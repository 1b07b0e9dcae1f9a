// Telling systemd, or the launcher in its place, how the service is.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { notifyOf } from '../../../native/notify/environment.ts'
import { fakeNotify } from '../../../native/notify/fake.ts'
import { messageIn } from '../../../native/notify/messages.ts'
import { feedWatchdog } from '../../../supervisors/process/watchdog.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { until } from '../../support/until.ts'
import { listenAt } from '../../support/update/notify-socket.ts'

const noEvents = { onFault: (why: string) => assert.fail(why), onGone: () => assert.fail('gone') }

for (const [what, nameIn] of [
  ['at a path', (folder: string) => join(folder, 'notify')],
  ['with an abstract name', (folder: string) => `@${folder}/notify`],
] as const)
  test(`systemd hears it at a socket ${what}`, async (t) => {
    const folder = temporaryFolder()
    t.after(() => rmSync(folder, { recursive: true }))
    const heard = await listenAt(t, nameIn(folder))
    const env: NodeJS.ProcessEnv = { NOTIFY_SOCKET: nameIn(folder), WATCHDOG_USEC: '15000000' }

    const notify = notifyOf(env, noEvents)
    notify?.ready()
    notify?.watchdog()
    notify?.status('all\nis well')
    notify?.extend(2_000_000)

    await until('four messages', () => heard.length === 4)
    assert.deepEqual(heard, ['READY=1', 'WATCHDOG=1', 'STATUS=all is well', 'EXTEND_TIMEOUT_USEC=2000000'])
    assert.equal(notify?.watchdogMs, 15_000)
    assert.deepEqual(env, {}, 'no child speaks in its place')
  })

test('a socket at which nobody listens is a fault that is told once, and holds nothing up', () => {
  const faults: string[] = []
  const env = { NOTIFY_SOCKET: '/nowhere/notify' }
  const notify = notifyOf(env, { ...noEvents, onFault: (why) => void faults.push(why) })

  notify?.ready()
  notify?.watchdog()

  assert.deepEqual(faults, ['systemd cannot be told how the service is: No such file or directory'])
})

test('a name that is too long for a socket, or empty, is refused', () => {
  const faults: string[] = []
  const env = { NOTIFY_SOCKET: `/${'long'.repeat(40)}` }

  notifyOf(env, { ...noEvents, onFault: (why) => void faults.push(why) })?.ready()

  assert.deepEqual(faults, ['systemd cannot be told how the service is: File name too long'])
})

test('where nobody listens, nothing is told', () => {
  assert.equal(notifyOf({}, noEvents), undefined)
})

test('a watchdog that is meant for another process is not fed', () => {
  const env = { NOTIFY_SOCKET: '/nowhere', WATCHDOG_USEC: '1000', WATCHDOG_PID: '1' }

  assert.equal(notifyOf(env, noEvents)?.watchdogMs, null)
})

test('the launcher hears it over the socket that it handed down, and its end is noticed', async () => {
  const program = `
    import { notifyOf } from '${join(import.meta.dirname, '../../../native/notify/environment.ts')}'
    setInterval(() => {}, 1000)
    const notify = notifyOf(process.env, { onFault: console.log, onGone: () => process.exit(7) })
    notify.ready()
    notify.watchdog()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, VEDETTE_WATCH_FD: '3' },
  })
  const pipe = child.stdio[3] as NodeJS.ReadableStream & { destroy: () => void }
  let heard = ''
  pipe.on('data', (text) => {
    heard += text
  })
  const ended = once(child, 'exit')

  await until('two messages', () => heard === 'READY=1\nWATCHDOG=1\n')
  pipe.destroy()

  assert.deepEqual(await ended, [7, null])
})

test('what is well is said three times within the time that is allowed, and what is not well is not', async () => {
  const notify = fakeNotify(15_000)
  let isWell = true
  const story = Effect.gen(function* () {
    const feeding = yield* Effect.forkChild(feedWatchdog(notify, { isWell: () => isWell }))
    yield* TestClock.adjust('15 seconds')
    isWell = false
    yield* TestClock.adjust('15 seconds')
    yield* Fiber.interrupt(feeding)
  })

  await Effect.runPromise(Effect.scoped(story.pipe(Effect.provide(TestClock.layer()))))

  assert.deepEqual(notify.said, ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])
})

test('a message is a name and a value', () => {
  assert.deepEqual(messageIn('STATUS=a=b'), { name: 'STATUS', value: 'a=b' })
  assert.equal(messageIn('=1'), undefined)
})
