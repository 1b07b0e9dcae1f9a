// What the kernel says, in the form of its own buffer: records as the documentation of /dev/kmsg has them (Linux,
// Documentation/ABI/testing/dev-kmsg).
import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { LogLine } from '../../../machines/logs/line.ts'
import type { LogFilter, LogPlace } from '../../../machines/logs/query.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { KernelBuffer } from '../../../native/logs/kernel-buffer.ts'
import { dataFolder } from '../../support/processes/documents.ts'
import { until } from '../../support/until.ts'

const RECORDS = `7,160,424069,-;pci_root PNP0A03:00: host bridge window [io  0x0000-0x0cf7] (ignored)
 SUBSYSTEM=acpi
 DEVICE=+acpi:PNP0A03:00
6,339,5140900,-;NET: Registered protocol family 10
30,340,5690716,-;udevd[80]: starting version 181
4,341,5690999,-;hwmon hwmon1: Undervoltage detected!
3,342,6000000,c;uvcvideo: token=abc123 \\x1b[1m failed
`

const buffer = (t: TestContext, text = RECORDS) => {
  const path = join(dataFolder(t), 'kmsg')
  writeFileSync(path, text)
  const boots = () => [{ boot: 4, boot_id: '', at_ms: 0 }]
  const source = new KernelBuffer({ clock: new FakeClock(), boots, path })
  const walk = (place: LogPlace, filter: LogFilter = {}) => {
    const lines: LogLine[] = []
    const told = (line: LogLine) => lines.push(line) < 100
    return Effect.runPromise(Effect.map(source.walk({ place, filter }, told), (end) => ({ lines, ...end })))
  }
  return { path, source, walk }
}

test('records are lines with level, start of the device and time, without what programs read of them', async (t) => {
  const { walk } = buffer(t)

  const { lines, isEnd } = await walk({ way: 'newer' })

  assert.equal(isEnd, true)
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['debug', 'info', 'info', 'warn', 'error'],
  )
  assert.deepEqual(lines[1], {
    cursor: 'kmsg:4:339',
    boot: 4,
    monotonic_us: 5_140_900,
    at_ms: new FakeClock().nowMs() - 3_600_000 + 5_141,
    level: 'info',
    part: 'kernel',
    pid: null,
    message: 'NET: Registered protocol family 10',
    facts: null,
  })
  assert.equal(lines[4]?.message, 'uvcvideo: token=[redacted] [1m failed')
})

test('places lead on and back, and what the kernel has overwritten is gone', async (t) => {
  const { walk } = buffer(t)
  const numbersOf = ({ lines }: { readonly lines: readonly LogLine[] }) =>
    lines.map(({ cursor }) => cursor.split(':')[2])

  assert.deepEqual(numbersOf(await walk({ cursor: 'kmsg:4:340', way: 'newer' })), ['341', '342'])
  assert.deepEqual(numbersOf(await walk({ cursor: 'kmsg:4:340', way: 'older' })), ['339', '160'])
  assert.equal((await walk({ cursor: 'kmsg:4:340', way: 'newer' })).isGone, false)
  assert.equal((await walk({ cursor: 'kmsg:4:12', way: 'newer' })).isGone, true)
  assert.equal((await walk({ cursor: 'kmsg:3:340', way: 'newer' })).isGone, true) // of another start of the device
  await assert.rejects(walk({ cursor: 'own:3', way: 'newer' }))
})

test('followers hear what comes, once', async (t) => {
  const { path, source } = buffer(t)
  const heard: string[] = []
  t.after(source.follow({ line: ({ message }) => heard.push(message), ended: (why) => heard.push(why) }))

  appendFileSync(path, '6,343,7000000,-;one\n6,344,7000001,-;tw')
  await until('one', () => heard.length === 1)
  appendFileSync(path, 'o\n')
  await until('two', () => heard.length === 2)

  assert.deepEqual(heard, ['one', 'two'])
})

test('a buffer that may not be read says why', async (t) => {
  const { source } = buffer(t)
  const absent = new KernelBuffer({ clock: new FakeClock(), boots: () => [], path: '/nowhere/kmsg' })
  const ended: string[] = []

  assert.equal(await source.look(), null)
  assert.match((await absent.look()) ?? '', /^what the kernel says cannot be read \(ENOENT/)
  absent.follow({ line: () => {}, ended: (why) => ended.push(why) })
  assert.equal(ended.length, 1)
})
