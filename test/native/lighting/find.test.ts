// What recorded trees of devices have that can shine, and what is said of it.
import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lookForOutputs } from '../../../native/lighting/find.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { plant, type TreeName, treeOf } from '../../support/device/plant.ts'

const PROGRAM = '/somewhere/vedette-lamps'

/** chips: what the process that holds lamps prints of GPIO chips. */
const lookAt = async (t: TestContext, name: TreeName, chips: readonly unknown[] = []) => {
  const root = plant(t, treeOf(name, 'lights'))
  const programs = new FakePrograms()
  programs.programs.set(PROGRAM, () => chips.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const look = () => lookForOutputs({ files: linuxSystemFiles(root), programs, program: PROGRAM, root })
  return { root, programs, look, ...(await look()) }
}

const line = (offset: number, name: string, user = '') => ({ offset, name, user, is_used: user !== '' })

test('LEDs are found with their brightnesses, colours, and what speaks against their use', async (t) => {
  const { outputs } = await lookAt(t, 'raspberry-pi-5')

  const leds = outputs.filter(({ id }) => id.startsWith('led:'))
  assert.deepEqual(
    leds.map(({ id, kind, channels, levels }) => [id, kind, channels, levels]),
    [
      ['led:ACT', 'led', 1, 256],
      ['led:PWR', 'led', 1, 256],
      ['led:input4::capslock', 'led', 1, 2],
      ['led:input4::numlock', 'led', 1, 2],
      ['led:input4::scrolllock', 'led', 1, 2],
      ['led:lamp:rgbw:front', 'multicolour_led', 4, 128],
    ],
  )
  const details = leds.map(({ detail }) => detail)
  assert.match(details[0] ?? '', /trigger "mmc0" has it/)
  assert.match(details[1] ?? '', /trigger "default-on" has it/)
  for (const each of details.slice(2, 5)) assert.match(each ?? '', /a light of a keyboard, and no lamp/)
  assert.equal(details[5], null)
})

test('channels of PWM are known by their device, and SPI buses by their numbers', async (t) => {
  const { outputs } = await lookAt(t, 'raspberry-pi-5')

  assert.deepEqual(
    outputs.filter(({ kind }) => kind === 'pwm').map(({ id }) => id),
    [0, 1, 2, 3].map((channel) => `pwm:1f00098000.pwm/${channel}`),
  )
  assert.deepEqual(
    outputs.filter(({ kind }) => kind === 'strip').map(({ id, channels }) => [id, channels]),
    [
      ['spi:0.0', null],
      ['spi:10.0', null],
    ],
  )
})

test('lines are known by the label of their chip, whatever its number, and who uses one is told', async (t) => {
  const { outputs, looked_for, programs, root } = await lookAt(t, 'raspberry-pi-5', [
    {
      path: '/dev/gpiochip0',
      name: 'gpiochip0',
      label: 'pinctrl-rp1',
      lines: [line(0, 'ID_SDA'), line(1, ''), line(17, 'GPIO17'), line(18, 'GPIO18', 'spi0 CS0')],
    },
    { path: '/dev/gpiochip10', name: 'gpiochip10', label: 'gpio brcm/stb', lines: [line(3, '', 'x'), line(4, '')] },
  ])

  assert.deepEqual(programs.ran, [`${PROGRAM} --find ${join(root, 'dev/gpiochip0')} ${join(root, 'dev/gpiochip10')}`])
  assert.deepEqual(
    outputs.filter(({ kind }) => kind === 'gpio_line').map(({ id, name, detail }) => [id, name, detail]),
    [
      ['gpio:pinctrl-rp1/0', 'ID_SDA', null],
      ['gpio:pinctrl-rp1/17', 'GPIO17', null],
      ['gpio:pinctrl-rp1/18', 'GPIO18', '"spi0 CS0" uses it'],
      ['gpio:gpio_brcm_stb/4', 'line 4 of gpio brcm/stb', null],
    ],
  )
  assert.ok(looked_for.includes('there are 3 lines of the GPIO chip "pinctrl-rp1" (gpiochip0)'), looked_for.join('\n'))
})

test('two chips of one label are told apart', async (t) => {
  const chip = (path: string) => ({ path, name: 'x', label: 'pca9555', lines: [line(2, 'lamp')] })
  const { outputs } = await lookAt(t, 'raspberry-pi-5', [chip('/dev/gpiochip0'), chip('/dev/gpiochip10')])

  assert.deepEqual(
    outputs.filter(({ kind }) => kind === 'gpio_line').map(({ id }) => id),
    ['gpio:pca9555/2', 'gpio:pca9555/2.2'],
  )
})

const oneChip = new FakeSystemFiles()
oneChip.files.set('/dev/gpiochip0', '')

test('where the chips cannot be read, the reason is told and all else is found', async (t) => {
  const { outputs, looked_for } = await lookAt(t, 'raspberry-pi-5', [
    { path: '/dev/gpiochip0', detail: '/dev/gpiochip0: Permission denied' },
  ])
  const { looked_for: withoutProgram } = await lookForOutputs({
    files: oneChip,
    programs: new FakePrograms(),
    program: PROGRAM,
    root: '/nowhere',
  })

  assert.ok(outputs.some(({ id }) => id === 'led:ACT'))
  assert.match(looked_for.join('\n'), /gpiochip0 cannot be read: .*Permission denied/)
  assert.match(withoutProgram.join('\n'), /cannot be read: \/somewhere\/vedette-lamps is not there/)
})

test('where nothing lights, it is told where it was looked', async (t) => {
  const { outputs, looked_for, programs } = await lookAt(t, 'raspberry-pi-4')

  assert.deepEqual(outputs, [])
  assert.deepEqual(looked_for, [
    'there are no LEDs in /sys/class/leds',
    'there is no GPIO chip: no /dev/gpiochip0',
    'there are no channels of PWM chips in /sys/class/pwm',
    'there are no SPI buses for strips (/dev/spidev*)',
  ])
  assert.deepEqual(programs.ran, [])
})

test('what this service may not write is told so', { skip: process.getuid?.() === 0 && 'root may' }, async (t) => {
  const { root, look } = await lookAt(t, 'orange-pi-5')
  chmodSync(join(root, 'sys/class/leds/green_led/brightness'), 0o444)
  chmodSync(join(root, 'sys/class/pwm/pwmchip1/export'), 0o444)

  const { outputs } = await look()

  for (const { detail } of outputs) assert.match(detail ?? '', /this service may not write it/)
})
