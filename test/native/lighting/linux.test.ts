// The lamps of a device of files, held by the real process: what is written to the files is what shines.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { LAMPS_PROGRAM } from '../../../native/lighting/linux.ts'
import type { LitOutputs, OutputSetup } from '../../../native/lighting/port.ts'
import { frameIn, lampTree, ONE, PWM, RGB, STRIP, TWO } from '../../support/lighting/lamp-tree.ts'
import { killedAfter } from '../../support/processes/killed.ts'
import { arrival, until } from '../../support/until.ts'

const MINUTE_MS = 60_000

/** Outputs of a tree that are held, and what is told of them; let go of with the test. */
const hold = async (t: TestContext, setups: readonly OutputSetup[], tree = lampTree(t)) => {
  const told: [string, string | null][] = []
  const ended = Promise.withResolvers<Fault>()
  const held = await tree.lights.open(setups, {
    ended: ended.resolve,
    output: (id, detail) => told.push([id, detail]),
  })
  assert.ok('play' in held, JSON.stringify(held))
  t.after(() => held.close())
  return { ...tree, held: held as LitOutputs, told, ended: ended.promise }
}

/** Waits until an LED is so bright. */
const shines = (brightness: (name: string) => number, name: string, level: number) =>
  until(
    `the LED ${name} at ${level}`,
    () => brightness(name),
    (value) => value === level,
  )

test('outputs are off from when they are taken, show their frames, and are off when they are let go', async (t) => {
  const { held, brightness, read, note } = await hold(t, [ONE, RGB, PWM, { ...TWO, max_level: 100 }])
  assert.deepEqual(['one', 'two'].map(brightness), [0, 0])
  assert.ok(existsSync(note))

  held.play([frameIn(0, 255, 10, 20, 30, 51, 255)], MINUTE_MS)

  await shines(brightness, 'one', 255)
  await shines(brightness, 'two', 100)
  assert.equal(read('sys/class/leds/rgb/multi_intensity'), '10 20 30')
  assert.equal(read('sys/class/pwm/pwmchip0/pwm0/duty_cycle'), '40000')
  await held.close()
  assert.deepEqual(['one', 'two', 'rgb'].map(brightness), [0, 0, 0])
  assert.equal(read('sys/class/pwm/pwmchip0/pwm0/duty_cycle'), '0')
  assert.ok(!existsSync(note))
})

test('frames that are planned are shown in their order, and the last one for as long as it is to', async (t) => {
  const { held, bytes } = await hold(t, [STRIP])
  const frame = bytes('dev/spidev0.0').length
  // a 0 of a strip is 100, a 1 is 110: 1, 2 and 3 differ in the last two bits of a byte
  const dark = 0b100100100100100100100100
  const values = [dark, dark | 0b010, dark | 0b010000, dark | 0b010010]
  const shown = () => {
    const sent = bytes('dev/spidev0.0')
    return Array.from({ length: sent.length / frame }, (_, place) =>
      values.indexOf(sent.readUIntBE(place * frame + 1, 3)),
    )
  }

  const frameOf = (atMs: number, value: number) => frameIn(atMs, ...Array<number>(9).fill(value))

  held.play(
    [1, 2, 3].map((each) => frameOf(20 * each, each)),
    MINUTE_MS,
  )
  const all = await until('the last frame', shown, (seen) => seen.at(-1) === 3)
  held.play([frameOf(0, 2)], 50)
  await until('off', shown, (seen) => seen.at(-1) === 0)

  const lit = all.slice(1) // one that is late is left out when the next one is due
  assert.deepEqual(lit, lit.toSorted(), all.join())
})

test("what is not there is told, and its bytes are nobody else's", async (t) => {
  const missing = { ...ONE, id: 'led:gone' }
  const { held, told, brightness } = await hold(t, [ONE, missing, { ...RGB, channels: 4 }, TWO])

  held.play([frameIn(0, 11, 22, 1, 2, 3, 4, 33)], MINUTE_MS)

  await shines(brightness, 'two', 33)
  assert.equal(brightness('one'), 11)
  assert.deepEqual(
    told.map(([id]) => id),
    ['led:gone', 'led:rgb'],
  )
  assert.match(told[1]?.[1] ?? '', /has 3 channels, and is set up with 4/)
})

test('where nothing can be had, that is a fault which says why', async (t) => {
  const { lights } = lampTree(t)

  const fault = await lights.open([{ ...ONE, id: 'led:gone' }], { ended: () => assert.fail('it was never held') })

  assert.ok('detail' in fault)
  assert.match(fault.detail, /none of the outputs can be had: led:gone: it is not there/)
})

test('an output that is pulled out is told, the others go on, and it works again when it is back', async (t) => {
  const tree = lampTree(t)
  const pipe = join(tree.root, 'dev/spidev0.0')
  rmSync(pipe)
  execFileSync('mkfifo', [pipe])
  const plugIn = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = plugIn()
  const { held, told, brightness } = await hold(t, [STRIP, ONE], tree)
  closeSync(first)

  held.play([frameIn(0, ...Array<number>(9).fill(1), 255)], MINUTE_MS)

  await shines(brightness, 'one', 255)
  await until(
    'what is told of it',
    () => told,
    ({ length }) => length === 1,
  )
  const again = plugIn()
  t.after(() => closeSync(again))
  await until(
    'what is told of it',
    () => told,
    ({ length }) => length === 2,
  )
  assert.deepEqual(
    told.map(([id, detail]) => [id, detail === null]),
    [
      ['spi:0.0', false],
      ['spi:0.0', true],
    ],
  )
})

test('what is not as long as its outputs ends the process, and all is off', async (t) => {
  const { held, ended, brightness } = await hold(t, [ONE])
  held.play([frameIn(0, 255)], MINUTE_MS)
  await shines(brightness, 'one', 255)

  held.play([frameIn(0)])

  const { code, detail } = await arrival('the end', ended)
  assert.equal(code, 'device.failed')
  assert.match(detail, /has another form than its outputs/)
  assert.equal(brightness('one'), 0)
})

test('when the service is killed, its lamps are off within a second', async (t) => {
  const { root, dataDir, brightness, bytes, note } = lampTree(t)
  let killed_ms = 0

  await killedAfter(1, [join(import.meta.dirname, '../../support/lighting/lit-holder.ts'), root, dataDir], {
    heard: (line) => {
      assert.equal(line, 'lit')
      killed_ms = performance.now()
    },
  })

  await shines(brightness, 'one', 0)
  await until(
    'the note gone',
    () => existsSync(note),
    (isThere) => !isThere,
  )
  t.diagnostic(`off ${(performance.now() - killed_ms).toFixed(1)} ms after the kill`)
  const frame = bytes('dev/spidev0.0').length / 3
  const sent = bytes('dev/spidev0.0')
  assert.notDeepEqual(sent.subarray(frame, 2 * frame), sent.subarray(0, frame))
  assert.deepEqual(sent.subarray(2 * frame), sent.subarray(0, frame))
})

test('when the process that holds them is killed, that is told, and the next one begins with all off', async (t) => {
  const { held, ended, brightness, note, lights } = await hold(t, [ONE, TWO])
  held.play([frameIn(0, 255, 99)], MINUTE_MS)
  await shines(brightness, 'two', 99)

  process.kill(holderOf(note), 'SIGKILL')

  assert.match((await arrival('the end', ended)).detail, /it ended with SIGKILL/)
  assert.equal(brightness('one'), 255) // nobody holds it any more
  const next = await lights.open([TWO], { ended: () => {} })
  assert.ok('play' in next)
  assert.deepEqual(['one', 'two'].map(brightness), [0, 0])
  await next.close()
})

test('a process that hangs is ended, which is told, and the next one begins with all off', async (t) => {
  const { held, ended, brightness, note, lights } = await hold(t, [ONE])
  held.play([frameIn(0, 255)], MINUTE_MS)
  await shines(brightness, 'one', 255)

  process.kill(holderOf(note), 'SIGSTOP')

  assert.match((await arrival('the end', ended)).detail, /it does not answer/)
  const next = await lights.open([ONE], { ended: () => {} })
  assert.ok('play' in next)
  assert.equal(brightness('one'), 0)
  await next.close()
})

test('what was left lit by a process that was killed can be put off by its note', async (t) => {
  const { held, ended, brightness, note } = await hold(t, [ONE, TWO])
  held.play([frameIn(0, 255, 99)], MINUTE_MS)
  await shines(brightness, 'two', 99)
  process.kill(holderOf(note), 'SIGKILL')
  await arrival('the end', ended)

  execFileSync(LAMPS_PROGRAM, ['--put-off', note])

  assert.deepEqual(['one', 'two'].map(brightness), [0, 0])
  assert.ok(!existsSync(note))
})

/** The process whose command line has this note. */
const holderOf = (note: string): number => {
  const holders = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(note))
  assert.equal(holders.length, 1)
  return Number(holders[0])
}

const commandLine = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it has ended meanwhile
  }
}
