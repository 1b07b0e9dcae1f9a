// A device of files with things that shine: what is written to them is what shines.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { monotonicUs } from '../../../native/clock/system.ts'
import { LAMPS_NOTE, LAMPS_PROGRAM, linuxLights } from '../../../native/lighting/linux.ts'
import type { LampFrame, OutputSetup } from '../../../native/lighting/port.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import { type Planted, plant } from '../device/plant.ts'
import { dataFolder } from '../processes/documents.ts'

const TREE: readonly Planted[] = [
  ['/sys/class/leds/one/brightness', { text: '200\n' }],
  ['/sys/class/leds/one/max_brightness', { text: '255\n' }],
  ['/sys/class/leds/one/trigger', { text: 'none [heartbeat]\n' }],
  ['/sys/class/leds/two/brightness', { text: '7\n' }],
  ['/sys/class/leds/two/max_brightness', { text: '255\n' }],
  ['/sys/class/leds/rgb/brightness', { text: '0\n' }],
  ['/sys/class/leds/rgb/max_brightness', { text: '255\n' }],
  ['/sys/class/leds/rgb/multi_index', { text: 'red green blue\n' }],
  ['/sys/class/leds/rgb/multi_intensity', { text: '0 0 0\n' }],
  ['/sys/class/pwm/pwmchip0/npwm', { text: '1\n' }],
  ['/sys/class/pwm/pwmchip0/export', { text: '' }],
  ['/sys/class/pwm/pwmchip0/pwm0/period', { text: '0\n' }],
  ['/sys/class/pwm/pwmchip0/pwm0/duty_cycle', { text: '0\n' }],
  ['/sys/class/pwm/pwmchip0/pwm0/enable', { text: '0\n' }],
  ['/dev/spidev0.0', { text: '' }],
]

const LED = { pixels: 1, channels: 1, order: 'W', max_level: 255 } as const

/** The setup of an LED that is there. */
export const ONE: OutputSetup = { ...LED, id: 'led:one' }
export const TWO: OutputSetup = { ...LED, id: 'led:two' }
export const RGB: OutputSetup = { ...LED, id: 'led:rgb', channels: 3 }
export const PWM: OutputSetup = { ...LED, id: 'pwm:pwmchip0/0' }
/** A strip of three pixels. */
export const STRIP: OutputSetup = { id: 'spi:0.0', pixels: 3, channels: 3, order: 'GRB', max_level: 255 }

/** Plants it, in a folder that goes with the test. */
export const lampTree = (t: TestContext) => {
  const root = plant(t, TREE)
  const dataDir = dataFolder(t)
  const path = (name: string) => join(root, name)
  return {
    root,
    dataDir,
    note: join(dataDir, LAMPS_NOTE),
    lights: lightsOf(root, dataDir),
    brightness: (led: string) => numberOf(readFileSync(path(`sys/class/leds/${led}/brightness`), 'utf8')),
    read: (name: string) => readFileSync(path(name), 'utf8').trim(),
    bytes: (name: string) => readFileSync(path(name)),
  }
}

/** NaN for none: it is being written just now. */
const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text))

/** The lamps of such a tree. */
export const lightsOf = (root: string, dataDir: string) =>
  linuxLights({ files: linuxSystemFiles(root), programs: linuxPrograms(), dataDir, root })

/** A frame that is shown so many milliseconds from now. */
export const frameIn = (ms: number, ...bytes: readonly number[]): LampFrame => ({
  at_us: monotonicUs() + ms * 1000,
  bytes: Uint8Array.from(bytes),
})

/** The process that holds lamps, alone, and what it tells; ended with the test. */
export const lampProcess = (t: TestContext, words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(LAMPS_PROGRAM, words, { stdio: ['pipe', 'pipe', 'pipe'], env })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {}) // it has ended, which its exit tells
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
  })
  t.after(() => end(child, ended))
  return { child, lines, ended, stderr: () => stderr }
}

const end = async (child: ChildProcess, ended: Promise<unknown>): Promise<void> => {
  child.kill('SIGKILL')
  await ended
}
