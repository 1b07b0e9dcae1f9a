// The process that holds lamps, by itself: when it puts all off, and what it makes of what is no order.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ALIVE_ORDER, playOrder } from '../../../native/lighting/orders.ts'
import { frameIn, lampProcess, lampTree } from '../../support/lighting/lamp-tree.ts'
import { shortOrLong } from '../../support/long.ts'
import { mulberry32 } from '../../support/mulberry32.ts'
import { arrival, until } from '../../support/until.ts'

const MINUTE_MS = 60_000
const GARBAGE_RUNS = shortOrLong(25, 2_000)

const leds = (root: string) => ['one', 'two'].flatMap((name) => ['--led', `${root}/sys/class/leds/${name}`])

const lit = async (t: TestContext) => {
  const { root, brightness } = lampTree(t)
  const lamps = lampProcess(t, leds(root))
  lamps.child.stdin.write(playOrder([frameIn(0, 255, 254)], MINUTE_MS))
  await until(
    'both LEDs',
    () => [brightness('one'), brightness('two')].join(),
    (value) => value === '255,254',
  )
  const isDark = () => brightness('one') === 0 && brightness('two') === 0
  return { ...lamps, isDark }
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`all is off after ${signal}`, async (t) => {
    const { child, ended, isDark } = await lit(t)

    child.kill(signal)

    assert.equal(await arrival('the end', ended), 0)
    assert.ok(isDark())
  })

test('all is off at the end of its input', async (t) => {
  const { child, ended, isDark } = await lit(t)

  child.stdin.end()

  assert.equal(await arrival('the end', ended), 0)
  assert.ok(isDark())
})

test('all is off after silence, and what comes then is shown again', async (t) => {
  const { child, lines, isDark } = await lit(t)

  await until('darkness', isDark)

  await until(
    'the line that says so',
    () => lines,
    (all) => all.includes('{"silence":true}'),
  )
  child.stdin.write(playOrder([frameIn(0, 3, 4)], MINUTE_MS))
  await until('light', () => !isDark())
})

test('signs of life keep a lamp lit for as long as its frame is to stay', async (t) => {
  const { child, lines, isDark } = await lit(t)
  const alive = setInterval(() => child.stdin.write(ALIVE_ORDER), 100)
  t.after(() => clearInterval(alive))

  child.stdin.write(playOrder([frameIn(0, 9, 9)], 3_000)) // longer than the silence that it bears
  await until('darkness', isDark)

  assert.deepEqual(
    lines.filter((line) => line.includes('silence')),
    [],
  )
})

test('lamps shine where it cannot be noted that they do', async (t) => {
  const { root, brightness } = lampTree(t)
  const note = join(root, 'a-disk-that-is-gone', 'note')
  const { child, stderr } = lampProcess(t, ['--note', note, ...leds(root)])

  child.stdin.write(playOrder([frameIn(0, 255, 254)], MINUTE_MS))
  await until('light, or the end', () => brightness('one') === 255 || child.exitCode !== null)

  assert.equal(child.exitCode, null, stderr())
})

test('a frame that is far ahead is no order', async (t) => {
  const { child, ended, isDark, stderr } = await lit(t)

  child.stdin.write(playOrder([frameIn(11_000, 255, 255)], 0))

  assert.equal(await arrival('the end', ended), 2)
  assert.match(stderr(), /more than ten seconds ahead/)
  assert.ok(isDark())
})

test('more frames than there is room for are no order', async (t) => {
  const { child, ended, isDark } = await lit(t)

  for (const first of [1000, 2000, 3000])
    child.stdin.write(
      playOrder(
        [...Array(200).keys()].map((each) => frameIn(first + each, 1, 1)),
        0,
      ),
    )

  assert.equal(await arrival('the end', ended), 2)
  assert.ok(isDark())
})

test('an order that is never whole does not keep a lamp lit', async (t) => {
  const { child, isDark } = await lit(t)

  child.stdin.write(playOrder([frameIn(0, 1, 1)], MINUTE_MS).subarray(0, 11))

  await until('darkness', isDark)
})

test('whatever comes, the process ends in order or goes on, and all is off in the end', async (t) => {
  const draw = mulberry32(7)
  const { root, brightness } = lampTree(t)
  const whole = () => playOrder([frameIn(-1, 255, 254), frameIn(0, 255, 254)], MINUTE_MS)
  for (let run = 0; run < GARBAGE_RUNS; run++) {
    const { child, ended, stderr } = lampProcess(t, leds(root))
    child.stdin.write(whole())
    const bytes = Uint8Array.from({ length: Math.floor(draw() * 300) }, () => Math.floor(draw() * 256))
    const changed = whole()
    changed[Math.floor(draw() * changed.length)] = Math.floor(draw() * 256)
    child.stdin.end(draw() < 0.5 ? bytes : changed)

    const code = await arrival('the end', ended)

    assert.ok(code === 0 || code === 2, `${code}: ${stderr()}`)
    assert.deepEqual([brightness('one'), brightness('two')], [0, 0])
  }
})
