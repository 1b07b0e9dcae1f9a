// The journal of systemd, a real one of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { logReader } from '../../../actors/logs/log-reader.ts'
import type { LogPageFound } from '../../../actors/logs/tokens.ts'
import type { LogLine } from '../../../machines/logs/line.ts'
import type { LogFilter, LogPlace } from '../../../machines/logs/query.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeLogs } from '../../../native/logs/fake.ts'
import { Journal } from '../../../native/logs/journal.ts'
import { journalLine } from '../../../native/logs/journal-line.ts'
import type { LogSource } from '../../../native/logs/port.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { noJournal, ownJournal } from '../../support/logs/own-journal.ts'
import { assertNoSecret, SAID_SECRETS } from '../../support/logs/secrets.ts'
import { until } from '../../support/until.ts'

const skip = noJournal()

const boots = () => [{ boot: 7, boot_id: 'b'.repeat(32), at_ms: 0 }]

const reading = (journal: LogSource) => {
  const clock = new FakeClock()
  const reader = logReader({ sources: { ...fakeLogs(clock), own: journal, journal }, clock })
  return async (place: LogPlace, limit = 10, filter: LogFilter = {}): Promise<LogPageFound> => {
    const found = await reader.page({ source: 'journal', place, filter, limit })
    assert.ok('lines' in found, JSON.stringify(found))
    return found
  }
}

const ofProbe = (lines: readonly LogLine[]) =>
  lines.filter(({ part }) => part === 'probe').map(({ message }) => message)

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)

test('pages of the journal lead back and on by cursor, each line once, while lines come in', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const page = reading(new Journal({ programs: journal.programs, boots, isKernel: false }))
  journal.write(numbers(1, 40))
  await until('forty lines', async () => ofProbe((await page({ way: 'older' }, 100)).lines).length === 40)

  const newest = await page({ way: 'older' }, 15)
  journal.write(numbers(41, 45))
  const before = await page(newest.older as LogPlace, 15)
  const rest = await page(before.older as LogPlace, 500)
  const after = await until(
    'the lines that came meanwhile',
    () => page(newest.newer as LogPlace, 100),
    ({ lines }) => lines.length >= 5,
  )
  const paged = await page({ cursor: newest.lines[0]?.cursor as string, way: 'newer' }, 3)

  assert.deepEqual(ofProbe([...rest.lines, ...before.lines, ...newest.lines, ...after.lines]), numbers(1, 45))
  assert.deepEqual(ofProbe(newest.lines), numbers(26, 40))
  assert.deepEqual(
    [newest, before, rest, after].map(({ isGone }) => isGone),
    [false, false, false, false],
  )
  assert.equal(rest.older, null)
  assert.deepEqual(ofProbe(paged.lines), numbers(27, 29))
})

test('lines are found by their level, their text and their time, and say who wrote them', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const page = reading(new Journal({ programs: journal.programs, boots, isKernel: false }))
  journal.write(['<3>it broke', '<4>it is odd', '<5>notice', '<6>as ever', '<7>in detail', 'Ümläute', '<6>last'])
  const all = await until(
    'all lines',
    async () => (await page({ way: 'older' }, 100)).lines.filter(({ part }) => part === 'probe'),
    (found) => found.length === 7,
  )
  const found = async (filter: LogFilter) => ofProbe((await page({ way: 'older' }, 100, filter)).lines)

  assert.deepEqual(
    all.map(({ level }) => level),
    ['error', 'warn', 'info', 'info', 'debug', 'info', 'info'],
  )
  assert.ok(all.every(({ pid, at_ms, monotonic_us }) => pid && at_ms > 1.7e12 && monotonic_us))
  assert.deepEqual(await found({ level: 'warn' }), ['it broke', 'it is odd'])
  assert.deepEqual(await found({ text: 'ÜMLÄUTE' }), ['Ümläute'])
  assert.deepEqual(await found({ sinceMs: (all[6]?.at_ms as number) + 60_000 }), [])
  assert.equal((await found({ sinceMs: (all[0]?.at_ms as number) - 5 })).length, 7)
  assert.deepEqual(await found({ boot: 7 }), []) // the journal is of another one
  assert.deepEqual(await found({ boot: 8 }), [])
})

test('a line of a cursor that is gone is missed, and what was asked for all the same is not', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const page = reading(new Journal({ programs: journal.programs, boots, isKernel: false }))
  journal.write(numbers(1, 5))
  const early = await until(
    'five lines',
    () => page({ way: 'older' }, 5),
    ({ lines }) => ofProbe(lines).length === 5,
  )
  const cursor = early.lines[0]?.cursor as string
  const filtered = await page({ cursor, way: 'newer' }, 10, { level: 'error' })
  assert.equal(filtered.isGone, false) // its line is there, though none of those that are wanted

  journal.run('journalctl', '--rotate')
  journal.write(numbers(6, 8))
  await until('the lines in the next file', async () => ofProbe((await page({ way: 'older' }, 3)).lines).length === 3)
  journal.run('journalctl', '--vacuum-files=1')

  const after = await page({ cursor, way: 'newer' }, 100)
  assert.equal(after.isGone, true)
  assert.deepEqual(ofProbe(after.lines), numbers(6, 8))
  assert.equal((await page({ cursor, way: 'newer' }, 100, { level: 'error' })).isGone, true)
})

test('one process follows for all, as long as there is anybody', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const source = new Journal({ programs: journal.programs, boots, isKernel: false })
  const heard: string[][] = [[], [], []]
  const stops = heard.map((lines) =>
    source.follow({ line: ({ message }) => lines.push(message), ended: (why) => lines.push(why) }),
  )
  await until('one that follows', () => journal.readers().length === 1)
  const hears = (text: string) =>
    until(`${text} at all`, () => {
      journal.write([text])
      return heard.every((lines) => lines.includes(text))
    })
  await hears('begin')

  journal.write(numbers(1, 300))
  await until('all lines', () => heard.every((lines) => lines.includes('line 300')))
  assert.equal(journal.readers().length, 1)
  for (const lines of heard)
    assert.deepEqual(
      lines.filter((text) => text.startsWith('line')),
      numbers(1, 300),
    )

  stops[0]?.()
  stops[1]?.()
  assert.equal(journal.readers().length, 1)
  stops[2]?.()
  await until('nobody who follows', () => journal.readers().length === 0)
})

test('a follower goes on where it was when the program that follows was killed', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const source = new Journal({ programs: journal.programs, boots, isKernel: false })
  const heard: string[] = []
  t.after(source.follow({ line: ({ message }) => heard.push(message), ended: (why) => heard.push(why) }))
  await until('it follows', () => {
    journal.write(['begin'])
    return heard.includes('begin')
  })

  for (const pid of journal.readers()) process.kill(pid, 'SIGKILL')
  await until('it is gone', () => journal.readers().length === 0)
  journal.write(numbers(1, 20))
  await until('the lines since', () => heard.includes('line 20'))

  assert.deepEqual(
    heard.filter((text) => text.startsWith('line')),
    numbers(1, 20),
  )
})

test('no kind of secret comes out of the journal, and no line of it is left out', { skip }, async (t) => {
  const journal = await ownJournal(t)
  const page = reading(new Journal({ programs: journal.programs, boots, isKernel: false }))
  const lines = SAID_SECRETS.flatMap(({ line }) => line.trim().split('\n'))
  journal.write(lines)
  const found = await until(
    'all lines',
    () => page({ way: 'older' }, 500),
    (all) => ofProbe(all.lines).length === lines.length,
  )

  assertNoSecret(JSON.stringify(found.lines), 'the journal')
})

test('a system without a journal says so, in pages and to those who would follow', async () => {
  const source = new Journal({ programs: new FakePrograms(), boots, isKernel: false })
  const ended: string[] = []

  const stop = source.follow({ line: () => {}, ended: (why) => ended.push(why) })

  assert.equal(await source.look(), 'this system keeps no journal: journalctl is not there')
  await until('an end', () => ended.length)
  assert.deepEqual(ended, ['this system keeps no journal: journalctl is not there'])
  stop()
})

test('who follows hears that the program was not started, and the next one has it tried again', async () => {
  const programs = new FakePrograms()
  const refused = { kind: 'refused', text: 'journalctl cannot be run (spawn ENOMEM)' } as const
  Object.assign(programs, { listen: () => Effect.fail(refused) })
  const source = new Journal({ programs, boots, isKernel: false })
  const ended: string[] = []
  source.follow({ line: () => {}, ended: (why) => ended.push(why) })
  await until('an end', () => ended.length)
  Object.assign(programs, new FakePrograms())
  programs.programs.set('journalctl', () => printed({ MESSAGE: 'Hi' }))
  const heard: string[] = []

  const stop = source.follow({ line: ({ message }) => heard.push(message), ended: (why) => ended.push(why) })
  await until('a line', () => heard.length)
  stop()

  assert.deepEqual(heard, ['Hi'])
  assert.deepEqual(ended, ['the journal of this system cannot be read: journalctl cannot be run (spawn ENOMEM)'])
})

test('a place that makes no sense is refused before anything is run', async () => {
  const programs = new FakePrograms()
  const clock = new FakeClock()
  const journal = new Journal({ programs, boots, isKernel: false })
  const reader = logReader({ sources: { ...fakeLogs(clock), own: journal, journal }, clock })

  for (const cursor of ['own:3', '--output=export', 's=1;i=2', 'x'.repeat(256)]) {
    const found = await reader.page({ source: 'journal', place: { cursor, way: 'newer' }, filter: {}, limit: 1 })
    assert.equal('code' in found && found.code, 'cursor.unknown', cursor)
  }
  assert.deepEqual(programs.ran, [])
})

const CURSOR = `s=${'c'.repeat(32)};i=1c7;b=${'b'.repeat(32)};m=e3de4e295;t=6613c79918a42;x=1dbf1dd41ed96b21`
const printed = (fields: object) => JSON.stringify({ ...fields, __CURSOR: CURSOR })
const bootOf = (id: string) => (id === 'b'.repeat(32) ? 7 : null)

test('bytes, repeated fields and fields that are missing are read as far as they can be', () => {
  const read = (fields: object) => journalLine(printed(fields), bootOf)

  assert.equal(read({ MESSAGE: [72, 105, 255] })?.message, 'Hi\ufffd')
  assert.equal(read({ MESSAGE: ['first', 'second'] })?.message, 'first')
  assert.equal(read({ MESSAGE: null })?.message, '')
  assert.deepEqual(read({ MESSAGE: 'x' }), {
    cursor: CURSOR,
    boot: 7,
    monotonic_us: 0xe3de4e295,
    at_ms: Math.floor(0x6613c79918a42 / 1000),
    level: 'info',
    part: null,
    pid: null,
    message: 'x',
    facts: null,
  })
  assert.equal(journalLine(`{"__CURSOR":"${CURSOR}","MESSAGE":"cut off he`, bootOf)?.boot, 7)
  assert.equal(journalLine('nonsense', bootOf), undefined)
})
