// Our own log as a source: pages of it, its levels, and those who follow it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { logReader } from '../../../actors/logs/log-reader.ts'
import type { LogPageFound } from '../../../actors/logs/tokens.ts'
import type { LogFilter, LogPlace } from '../../../machines/logs/query.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeLogs } from '../../../native/logs/fake.ts'
import { OwnLogFiles } from '../../../native/logs/own-log.ts'
import { dataFolder } from '../../support/processes/documents.ts'

const ownLog = (t: TestContext, more: { readonly maxFileBytes?: number; readonly maxFiles?: number } = {}) => {
  const clock = new FakeClock()
  t.after(() => own.close()) // before its folder goes, which it would make again
  const folder = join(dataFolder(t), 'log')
  const own = new OwnLogFiles({ folder, clock, bootIdPath: '/nowhere', ...more }, 'info')
  own.open()
  const shown: string[] = []
  const log = own.log((level, message) => shown.push(`${level} ${message}`))
  const reader = logReader({ sources: { own, ...fakeLogs(clock) }, clock })
  const page = async (place: LogPlace, limit = 10, filter: LogFilter = {}) => {
    const found = await reader.page({ source: 'own', place, filter, limit })
    assert.ok('lines' in found, JSON.stringify(found))
    return found
  }
  return { own, log, shown, page, clock, reader }
}

const messagesOf = ({ lines }: LogPageFound) => lines.map(({ message }) => message)

test('a part may say more or less than all others, from the moment on that it is told', async (t) => {
  const { own, log, shown, page } = ownLog(t)
  const sayAll = (when: string) => {
    log('debug', `${when}: debug of nt4`, { code: 'nt4.silent' })
    log('debug', `${when}: debug of a stream`, { resource: 'streams/front' })
    log('info', `${when}: info`)
  }

  sayAll('as started')
  own.heed({ level: null, parts: { nt4: 'debug' } })
  sayAll('nt4 more')
  own.heed({ level: 'error', parts: { streams: 'debug' } })
  sayAll('all less')

  const expected = [
    'info as started: info',
    'debug nt4 more: debug of nt4',
    'info nt4 more: info',
    'debug all less: debug of a stream',
  ]
  assert.deepEqual(shown, expected)
  const found = await page({ way: 'older' })
  assert.deepEqual(
    found.lines.map(({ level, message }) => `${level} ${message}`),
    expected,
  )
  assert.deepEqual(own.parts(), ['nt4', 'service', 'streams'])
})

test('pages lead from the newest line to the oldest and back, each line once, while lines come in', async (t) => {
  const { log, page } = ownLog(t, { maxFileBytes: 1_500, maxFiles: 50 })
  for (let n = 1; n <= 95; n++) log('info', `line ${n}`)

  const back: string[] = []
  let place: LogPlace | null = { way: 'older' }
  let newest: LogPlace | null = null
  while (place) {
    const found: LogPageFound = await page(place)
    newest ??= found.newer
    back.unshift(...messagesOf(found))
    log('info', `more ${back.length}`)
    place = found.older
  }
  assert.deepEqual(
    back,
    Array.from({ length: 95 }, (_, n) => `line ${n + 1}`),
  )

  const since = await page(newest as unknown as LogPlace, 100)
  assert.deepEqual(
    messagesOf(since),
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 95].map((n) => `more ${n}`),
  )
  assert.equal(since.isEnd, true)
  const nothing = await page(since.newer as LogPlace)
  assert.deepEqual(nothing.lines, [])
  log('info', 'and one')
  assert.deepEqual(messagesOf(await page(nothing.newer as LogPlace)), ['and one'])
})

test('a place whose lines are gone says so, and begins with what there is', async (t) => {
  const { log, page } = ownLog(t, { maxFileBytes: 1_000, maxFiles: 2 })
  log('info', 'line 0')
  const early = await page({ way: 'older' })
  for (let n = 1; n <= 60; n++) {
    log('info', `line ${n}`)
    if (n % 5 === 0) await page({ way: 'older' }, 1) // written
  }

  const newer = await page(early.newer as LogPlace, 100)
  assert.equal(newer.isGone, true)
  assert.equal(messagesOf(newer).at(-1), 'line 60')
  assert.ok(newer.lines.length < 30)
  const whole = await page({ cursor: newer.lines[0]?.cursor as string, way: 'newer' }, 100)
  assert.equal(whole.isGone, false)
  assert.equal(whole.lines.length, newer.lines.length - 1)
  assert.equal((await page({ cursor: 'own:999999', way: 'newer' }, 100)).isGone, true) // of another log
})

test('lines are found by level, text, start of the device and time', async (t) => {
  const { log, page, clock } = ownLog(t)
  const startMs = clock.nowMs()
  log('info', 'A camera is there', { resource: 'streams/front' })
  clock.advanceMs(1_000)
  log('warn', 'the robot is silent', { code: 'nt4.silent' })
  clock.advanceMs(1_000)
  log('error', 'the engine crashed')
  const found = async (filter: LogFilter) => messagesOf(await page({ way: 'newer' }, 10, filter))

  assert.deepEqual(await found({ level: 'warn' }), ['the robot is silent', 'the engine crashed'])
  assert.deepEqual(await found({ text: 'CAMERA' }), ['A camera is there'])
  assert.deepEqual(await found({ text: 'nt4.silent' }), ['the robot is silent'])
  assert.deepEqual(await found({ sinceMs: startMs + 500, untilMs: startMs + 1_500 }), ['the robot is silent'])
  assert.equal((await found({ boot: 1 })).length, 3)
  assert.deepEqual(await found({ boot: 2 }), [])
})

test('a follower hears each line once while files are full and go', async (t) => {
  const { own, log } = ownLog(t, { maxFileBytes: 1_000, maxFiles: 2 })
  const heard: string[] = []
  const stop = own.follow({ line: ({ message }) => heard.push(message), ended: (why) => heard.push(why) })

  for (let n = 1; n <= 100; n++) {
    log('info', `line ${n}`)
    if (n % 7 === 0) await own.look()
  }
  stop()
  log('info', 'not heard')

  assert.deepEqual(
    heard,
    Array.from({ length: 100 }, (_, n) => `line ${n + 1}`),
  )
})

test('reading and following write nothing', async (t) => {
  const { own, log, page } = ownLog(t)
  log('info', 'one')
  let heard = 0
  const stop = own.follow({
    line: () => {
      heard += 1
      throw new Error('a follower breaks')
    },
    ended: () => {},
  })

  log('info', 'two')
  for (let n = 0; n < 5; n++) await page({ way: 'older' })
  stop()

  assert.equal(heard, 1)
  assert.equal((await page({ way: 'older' })).lines.length, 2)
})

test('a walk that nobody waits for any more ends', async (t) => {
  const { own, log } = ownLog(t, { maxFileBytes: 1_000, maxFiles: 50 })
  for (let n = 0; n < 200; n++) log('info', `line ${n}`)
  let told = 0
  const gone = new AbortController()

  const walk = own.walk({ place: { way: 'newer' }, filter: {} }, () => {
    told += 1
    if (told === 3) gone.abort()
    return true
  })

  await assert.rejects(Effect.runPromise(walk, { signal: gone.signal }))
  assert.ok(told < 200)
})

test('a place of another log is refused', async (t) => {
  const { reader } = ownLog(t)

  const found = await reader.page({ source: 'own', place: { cursor: 'kmsg:1:2', way: 'newer' }, filter: {}, limit: 1 })

  assert.equal('code' in found && found.code, 'cursor.unknown')
})
