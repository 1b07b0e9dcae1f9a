// Looks for outputs that can shine: LEDs of the kernel, lines of GPIO chips, channels of PWM chips, SPI buses for
// strips. Nothing is changed by looking. Chips are known by their names: their numbers change from start to start.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as Effect from 'effect/Effect'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { jsonLines } from '../programs/run.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import type { FoundOutput } from './port.ts'

/** An output, and how the process that holds lamps is told of it. */
export interface PlacedOutput extends FoundOutput {
  /** Words of its command line; a strip's pixels and their order come behind them. */
  readonly words: readonly string[]
}

/** What was found, and a sentence for each place that was looked at. */
export interface Look {
  readonly outputs: readonly PlacedOutput[]
  readonly looked_for: readonly string[]
}

/** Where it is looked. */
export interface LookParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  /** The process that holds lamps, which knows of lines too. */
  readonly program: string
  /** The folder below which the system's paths lie. */
  readonly root: string
}

/** Everything there is. */
export const lookForOutputs = async (parts: LookParts): Promise<Look> => {
  const looks = await Promise.all([lookForLeds(parts), lookForLines(parts), lookForPwm(parts), lookForBuses(parts)])
  return {
    outputs: withOwnIds(looks.flatMap(({ outputs }) => outputs)),
    looked_for: looks.flatMap(({ looked_for }) => looked_for),
  }
}

const LEDS = '/sys/class/leds'
const PWM = '/sys/class/pwm'
const KEYBOARD = /^input\d+::/
const NO_RIGHT = oneLine`
  this service may not write it; the package's rule for udev gives it the right, elsewhere start it as root
`

const lookForLeds = async (parts: LookParts): Promise<Look> => {
  const names = await parts.files.names(LEDS)
  const found = await Promise.all(names.map((name) => ledNamed(parts, name)))
  const outputs = found.filter((each) => each !== null)
  return { outputs, looked_for: [told(outputs.length, 'LED', 'LEDs', `in ${LEDS}`)] }
}

const ledNamed = async ({ files, root }: LookParts, name: string): Promise<PlacedOutput | null> => {
  const folder = `${LEDS}/${name}`
  const max = numberIn(await files.text(`${folder}/max_brightness`))
  if (max === null || max < 1) return null
  const colours = (await files.text(`${folder}/multi_index`))?.split(/\s+/)
  const channels = colours ? (colours.includes('white') ? 4 : 3) : 1
  const trigger = /\[(.+)\]/.exec((await files.text(`${folder}/trigger`)) ?? '')?.[1]
  const against = KEYBOARD.test(name)
    ? 'it is a light of a keyboard, and no lamp'
    : !(await mayWrite(join(root, folder, 'brightness')))
      ? NO_RIGHT
      : trigger && trigger !== 'none'
        ? `the kernel's trigger "${trigger}" has it; it is taken from it when it is set up`
        : null
  return {
    id: `led:${inId(name)}`,
    kind: colours ? 'multicolour_led' : 'led',
    name,
    channels,
    levels: max + 1,
    detail: against,
    words: colours ? ['--multicolour', join(root, folder), String(channels)] : ['--led', join(root, folder)],
  }
}

/** What the process that holds lamps prints of a chip. */
interface ChipLine {
  readonly offset: number
  readonly name: string
  readonly user: string
  readonly is_used: boolean
}
interface Chip {
  readonly path: string
  readonly detail?: string
  readonly label?: string
  readonly lines?: readonly ChipLine[]
}

const LINES_LIMIT_MS = 3_000 // whoever opens outputs gives up after 10 s, and it takes 6 s to start at most

const lookForLines = async ({ files, programs, program, root }: LookParts): Promise<Look> => {
  const names = await chipNames(files)
  if (names.length === 0) return { outputs: [], looked_for: ['there is no GPIO chip: no /dev/gpiochip0'] }
  const paths = names.map((name) => join(root, '/dev', name))
  const chips = await Effect.runPromise(
    programs.run({ program, args: ['--find', ...paths], limitMs: LINES_LIMIT_MS }).pipe(
      Effect.flatMap(({ stdout }) => jsonLines<Chip>(program, stdout)),
      Effect.match({
        onSuccess: (found) => found,
        onFailure: (fault) => [{ path: '/dev/gpiochip*', detail: 'text' in fault ? fault.text : fault.detail }],
      }),
    ),
  )
  const looks = chips.map((chip) => linesOf(chip))
  return { outputs: looks.flatMap(({ outputs }) => outputs), looked_for: looks.flatMap(({ looked_for }) => looked_for) }
}

/** Each once: Raspberry Pi OS has the chip of the pins under two names, gpiochip4 being a link to gpiochip0. */
const chipNames = async (files: SystemFiles): Promise<readonly string[]> => {
  const names = (await files.names('/dev')).filter((name) => /^gpiochip\d+$/.test(name)).sort(byNumber)
  const places = await Promise.all(names.map(async (name) => (await files.place(`/dev/${name}`)) ?? name))
  return names.filter((_, n) => places.indexOf(places[n] as string) === n)
}

/** Those with a name; of a chip that names none, those that nobody has. */
const linesOf = ({ path, detail, label = '', lines = [] }: Chip): Look => {
  if (detail !== undefined) return { outputs: [], looked_for: [`the GPIO chip ${path} cannot be read: ${detail}`] }
  const hasNames = lines.some(({ name }) => name !== '')
  const offered = lines.filter(({ name, is_used }) => (hasNames ? name !== '' : !is_used))
  return {
    outputs: offered.map(({ offset, name, user, is_used }) => ({
      id: `gpio:${inId(label || basename(path))}/${offset}`,
      kind: 'gpio_line',
      name: name || `line ${offset} of ${label}`,
      channels: 1,
      levels: 2,
      detail: is_used ? `${user ? `"${user}"` : 'the system'} uses it` : null,
      words: ['--line', path, String(offset)],
    })),
    looked_for: [told(offered.length, 'line', 'lines', `of the GPIO chip "${label}" (${basename(path)})`)],
  }
}

const lookForPwm = async (parts: LookParts): Promise<Look> => {
  const names = (await parts.files.names(PWM)).filter((name) => /^pwmchip\d+$/.test(name)).sort(byNumber)
  const chips = await Promise.all(names.map((name) => channelsOf(parts, `${PWM}/${name}`)))
  const outputs = chips.flat()
  return { outputs, looked_for: [told(outputs.length, 'channel', 'channels', `of PWM chips in ${PWM}`)] }
}

const MAX_PWM_CHANNELS = 64

const channelsOf = async ({ files, root }: LookParts, folder: string): Promise<readonly PlacedOutput[]> => {
  const count = Math.min(numberIn(await files.text(`${folder}/npwm`)) ?? 0, MAX_PWM_CHANNELS)
  const device = basename((await files.place(`${folder}/device`)) ?? folder)
  return Promise.all(
    Array.from({ length: Math.max(0, count) }, async (_, channel): Promise<PlacedOutput> => {
      const isOut = (await files.names(`${folder}/pwm${channel}`)).length > 0
      const file = isOut ? `pwm${channel}/duty_cycle` : 'export'
      return {
        id: `pwm:${inId(device)}/${channel}`,
        kind: 'pwm',
        name: `channel ${channel} of ${device}`,
        channels: 1,
        levels: 256,
        detail: (await mayWrite(join(root, folder, file))) ? null : NO_RIGHT,
        words: ['--pwm', join(root, folder), String(channel)],
      }
    }),
  )
}

const lookForBuses = async ({ files, root }: LookParts): Promise<Look> => {
  const names = (await files.names('/dev')).filter((name) => /^spidev\d+\.\d+$/.test(name)).sort(byNumber)
  const outputs = await Promise.all(
    names.map(async (name): Promise<PlacedOutput> => {
      const path = join(root, '/dev', name)
      return {
        id: `spi:${name.slice('spidev'.length)}`,
        kind: 'strip',
        name,
        channels: null,
        levels: 256,
        detail: (await mayWrite(path)) ? null : NO_RIGHT,
        words: ['--strip', path],
      }
    }),
  )
  return { outputs, looked_for: [told(outputs.length, 'SPI bus', 'SPI buses', 'for strips (/dev/spidev*)')] }
}

const mayWrite = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const told = (count: number, one: string, many: string, where: string): string =>
  count === 0
    ? `there are no ${many} ${where}`
    : `there ${count === 1 ? `is 1 ${one}` : `are ${count} ${many}`} ${where}`

const byNumber = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

/** What is no plain sign in a name of the system is a line below in an id. */
const inId = (name: string): string => name.replace(/[^\w.:+-]/g, '_')

/** Two chips of one name are told apart by their order. */
const withOwnIds = (outputs: readonly PlacedOutput[]): readonly PlacedOutput[] => {
  const seen = new Map<string, number>()
  return outputs.map((each) => {
    const count = (seen.get(each.id) ?? 0) + 1
    seen.set(each.id, count)
    return count === 1 ? each : { ...each, id: `${each.id}.${count}` }
  })
}
