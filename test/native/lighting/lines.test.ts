// Lines of GPIO chips and a real SPI bus, as the process that holds lamps speaks to the kernel about them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LAMPS_PROGRAM } from '../../../native/lighting/linux.ts'
import { playOrder } from '../../../native/lighting/orders.ts'
import { kernelWithLines } from '../../support/lighting/kernel.ts'
import { frameIn, lampProcess } from '../../support/lighting/lamp-tree.ts'
import { dataFolder } from '../../support/processes/documents.ts'
import { arrival, until } from '../../support/until.ts'

const MINUTE_MS = 60_000

test('chips and lines are told as the kernel names them', (t) => {
  const folder = dataFolder(t)
  const chip = join(folder, 'gpiochip0')
  writeFileSync(chip, 'lights\n- -\nlamp -\nfan cooling\n')

  const said = execFileSync(LAMPS_PROGRAM, ['--find', chip, join(folder, 'gone')], {
    env: kernelWithLines(join(folder, 'log')),
    encoding: 'utf8',
  })

  const [found, gone] = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [unknown, { detail: string }]
  assert.deepEqual(found, {
    path: chip,
    name: 'gpiochip0',
    label: 'lights',
    lines: [
      { offset: 0, name: '', user: '', is_used: false },
      { offset: 1, name: 'lamp', user: '', is_used: false },
      { offset: 2, name: 'fan', user: 'cooling', is_used: true },
    ],
  })
  assert.match(gone.detail, /No such file/)
})

test('a line is off from when it is taken, on from the middle on, and off at the end', async (t) => {
  const folder = dataFolder(t)
  const chip = join(folder, 'gpiochip0')
  writeFileSync(chip, 'lights\none -\ntwo -\nfan cooling\n')
  const { child, lines, ended } = lampProcess(
    t,
    ['--line', chip, '0', '--active-low', '--line', chip, '1', '--line', chip, '2'],
    kernelWithLines(join(folder, 'log')),
  )
  const levels = () => ['0', '1'].map((offset) => readFileSync(`${chip}.${offset}`, 'utf8')).join('')
  await until(
    'the lines',
    () => lines,
    (all) => all.at(-1) === '{"ready":2}',
  )
  assert.equal(levels(), '01') // a low line that shines is high when it is off
  assert.match(lines[0] ?? '', /"output":2,"detail":".*gpiochip0 line 2: Device or resource busy"/)

  child.stdin.write(playOrder([frameIn(0, 128, 255, 255)], MINUTE_MS))
  await until('both on', levels, (now) => now === '10')
  child.stdin.write(playOrder([frameIn(0, 127, 0, 0)], MINUTE_MS))
  await until('both off', levels, (now) => now === '01')
  child.stdin.write(playOrder([frameIn(0, 255, 255, 0)], MINUTE_MS))
  await until('both on', levels, (now) => now === '10')
  child.stdin.end()

  assert.equal(await arrival('the end', ended), 0)
  assert.equal(levels(), '01')
})

test('an SPI bus is set to what strips understand before anything is written to it', async (t) => {
  const folder = dataFolder(t)
  const log = join(folder, 'log')
  const { lines } = lampProcess(t, ['--strip', '/dev/null', '3', 'GRB'], kernelWithLines(log))

  await until(
    'the bus',
    () => lines,
    (all) => all.at(-1) === '{"ready":1}',
  )

  assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n').toSorted(), ['bits 8', 'hz 2400000', 'mode 0'])
})

test('what is no SPI bus is told so', async (t) => {
  const { lines, ended } = lampProcess(t, ['--strip', '/dev/null', '3', 'GRB'])

  assert.equal(await arrival('the end', ended), 3)
  assert.match(lines[0] ?? '', /\/dev\/null: Inappropriate ioctl for device/)
})
