// The program that scans, on a bus that answers as it is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { I2cAnswer, I2cQuestion } from '../../../machines/i2c/scan.ts'
import { scanQuestions } from '../../../machines/i2c/scan.ts'
import { linuxI2c } from '../../../native/i2c/linux.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'
import { EMULATED_BUS, emulatedBus } from '../../support/i2c/emulated-bus.ts'
import { fileLifetime, type Lifetime } from '../../support/lifetime.ts'

const lifetime = fileLifetime()
const ALL = scanQuestions({ clients: [] })

interface Asked {
  readonly limitMs?: number
  readonly adapter?: number
}

/** Scans a bus that is so; what came of it, without what was silent, and what was sent. */
const scan = async (
  described: string,
  questions: readonly I2cQuestion[] = ALL,
  { limitMs, adapter = EMULATED_BUS }: Asked = {},
) => {
  const bus = emulatedBus(lifetime as Lifetime, described)
  const before = { ...process.env }
  Object.assign(process.env, bus.environment)
  const i2c = linuxI2c({
    files: new FakeSystemFiles(),
    programs: linuxPrograms(),
    ...(limitMs !== undefined && { limitMs }),
  })
  const answers: I2cAnswer[] = []
  try {
    const fault = await Effect.runPromise(
      Effect.match(
        i2c.scan(adapter, questions, (answer) => answers.push(answer)),
        { onSuccess: () => undefined, onFailure: (why: Fault) => why },
      ),
    )
    return { answers, there: answers.filter(({ state }) => state !== 'silent'), fault, seen: bus.seen() }
  } finally {
    for (const name of Object.keys(bus.environment)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

test('each address is asked for one byte, and only what answers for its registers', async () => {
  const { answers, there, fault, seen } = await scan('68:75=68 40:fe=5449,ff=2260')

  assert.equal(fault, undefined)
  assert.equal(answers.length, 112)
  assert.deepEqual(
    there.map(({ address, state }) => [address, state]),
    [
      [0x40, 'answers'],
      [0x68, 'answers'],
    ],
  )
  const probes = seen.filter((each) => each.startsWith('probe '))
  assert.equal(probes.length, 112)
  assert.deepEqual([probes[0], probes.at(-1)], ['probe 08', 'probe 77'])
  const reads = seen.filter((each) => !each.startsWith('probe '))
  assert.ok(reads.length > 0)
  for (const each of reads) assert.match(each, /^read (40|68) /)
})

test('a value of two bytes has its first byte high', async () => {
  const question: I2cQuestion = { address: 0x40, registers: [{ register: 0xfe, bytes: 2 }] }

  const { there } = await scan('40:fe=5449', [question])

  assert.deepEqual(there[0]?.values, [0x5449])
})

test('nothing is written, and no register asked for, where an EEPROM, outputs or a multiplexer may be', async () => {
  const touchy = [0x20, 0x27, 0x38, 0x3c, 0x50, 0x57, 0x60, 0x70, 0x76]

  const { there, seen } = await scan(touchy.map((address) => `${address.toString(16)}:00=00`).join(' '))

  assert.deepEqual(
    there.map(({ address }) => address),
    touchy,
  )
  assert.ok(seen.every((each) => each.startsWith('probe ')))
})

test('an address that a driver has is told and left alone', async () => {
  const { there, seen } = await scan('6a@16 68:75=68')

  assert.deepEqual(there[0] && { ...there.find(({ address }) => address === 0x6a) }, {
    address: 0x6a,
    state: 'has_driver',
    values: [],
    trouble: null,
  })
  assert.ok(!seen.includes('probe 6a'))
})

test('what goes wrong at one address is told, and the others are asked', async () => {
  const { there, fault } = await scan('1d!110 68:75=68')

  assert.equal(fault, undefined)
  assert.deepEqual(
    there.map(({ address, state, trouble }) => [address, state, trouble]),
    [
      [0x1d, 'failed', 'Connection timed out'],
      [0x68, 'answers', null],
    ],
  )
})

test('a clock line that is held low is told after three addresses', async () => {
  const { fault, seen } = await scan('08!110 09!110 0a!110 0b!110')

  assert.equal(fault?.code, 'i2c.stuck')
  assert.match(fault.detail, /i2c-7 does not move/)
  assert.deepEqual(seen, ['probe 08', 'probe 09', 'probe 0a'])
})

test('a data line that is held low looks as if all answered, and no register is asked for', async () => {
  const { fault, there, seen } = await scan('held')

  assert.equal(fault?.code, 'i2c.stuck')
  assert.deepEqual(there, [])
  assert.equal(seen.length, 112)
  assert.ok(seen.every((each) => each.startsWith('probe ')))
})

test('a program that the kernel holds is not waited for', async () => {
  const { fault } = await scan('hangs', ALL, { limitMs: 300 })

  assert.equal(fault?.code, 'i2c.stuck')
})

test('an adapter that cannot read a single byte is asked nothing', async () => {
  const { fault, seen } = await scan('bare')

  assert.match(fault?.detail ?? '', /cannot read a byte by itself/)
  assert.deepEqual(seen, [])
})

test('a bus that the service may not open is told with the way out', async () => {
  const { fault } = await scan('closed')

  assert.equal(fault?.code, 'device.failed')
  assert.match(fault.detail, /Permission denied; let the user of this service into the group/)
})

test('a bus that is not there is told', async () => {
  const { fault } = await scan('', ALL, { adapter: 99 })

  assert.equal(fault?.code, 'device.failed')
  assert.match(fault.detail, /\/dev\/i2c-99 cannot be opened: No such file or directory/)
})

test('an order that makes no sense opens nothing', async () => {
  const programs = linuxPrograms()
  const program = new URL('../../../native/addon/build/vedette-i2c', import.meta.url).pathname
  for (const args of [[], ['7'], ['x', '68'], ['7', '78'], ['7', '07'], ['7', '68=100'], ['7', '68=75:3'], ['7', '']]) {
    const end = await Effect.runPromise(programs.run({ program, args }))

    assert.equal(end.exitCode, 1, args.join(' '))
    assert.notEqual(end.stderr, '')
  }
})
