// The chips that measure and drive (hwmon): rails, fans.
import type { Fan, Peripheral } from '../../machines/system/peripherals.ts'
import { fanOf } from '../../machines/system/peripherals.ts'
import type { PowerRail } from '../../machines/system/power.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { byNumber, nameIn } from './inventory.ts'

const CHIPS = '/sys/class/hwmon'
const THERMAL = '/sys/class/thermal'
const MAX_RAILS = 128
const MAX_FANS = 32
const MAX_NAME = 64

/** Their first input is the voltage over a resistor, by which they measure the current: no rail. */
const MEASURES_BY_SHUNT = /^ina2/

interface Chip {
  readonly name: string
  readonly folder: string
  readonly files: readonly string[]
}

const chipsOf = async (files: SystemFiles): Promise<readonly Chip[]> =>
  Promise.all(
    byNumber(await files.names(CHIPS)).map(async (each) => {
      const folder = `${CHIPS}/${each}`
      return { name: nameIn(await files.text(`${folder}/name`)) ?? each, folder, files: await files.names(folder) }
    }),
  )

const INPUT = /^(in|curr|power)(\d{1,2})_input$/
const THOUSAND = 1_000
const MILLION = 1_000_000

/** What is measured. One chip after the other: each may take its time on a bus. Never fails. */
export const readRails = async (files: SystemFiles): Promise<readonly PowerRail[]> => {
  const rails: PowerRail[] = []
  for (const chip of await chipsOf(files)) {
    const numbers = chip.files.flatMap((file) => {
      const [, sort, number] = INPUT.exec(file) ?? []
      return sort === 'in' && number === '0' && MEASURES_BY_SHUNT.test(chip.name) ? [] : (number ?? [])
    })
    for (const number of byNumber([...new Set(numbers)])) {
      if (rails.length === MAX_RAILS) return rails
      rails.push(await railOf(files, chip, number))
    }
  }
  return rails
}

const railOf = async (files: SystemFiles, chip: Chip, number: string): Promise<PowerRail> => {
  const value = async (sort: 'in' | 'curr' | 'power', unit: number) => {
    if (!chip.files.includes(`${sort}${number}_input`)) return null
    const raw = numberIn(await files.text(`${chip.folder}/${sort}${number}_input`))
    return raw === null ? null : raw / unit
  }
  const label =
    nameIn(await files.text(`${chip.folder}/in${number}_label`)) ??
    nameIn(await files.text(`${chip.folder}/curr${number}_label`))
  return {
    name: `${chip.name} ${label ?? number}`.slice(0, MAX_NAME),
    volts: await value('in', THOUSAND),
    amperes: await value('curr', THOUSAND),
    watts: await value('power', MILLION),
  }
}

/** What `vcgencmd pmic_read_adc` prints of the power chip of a Raspberry Pi 5: `EXT5V_V volt(24)=5.07V`. */
export const railsOfPmic = (printed: string): readonly PowerRail[] => {
  const rails = new Map<string, { volts: number | null; amperes: number | null }>()
  for (const line of printed.split('\n')) {
    const [, name = '', sort, figure] = /^\s*(\w{1,32})_[AV] (current|volt)\(\d+\)=(-?\d+\.\d+)[AV]$/.exec(line) ?? []
    if (sort === undefined || rails.size === MAX_RAILS) continue
    const rail = rails.get(name) ?? { volts: null, amperes: null }
    rails.set(name, rail)
    rail[sort === 'volt' ? 'volts' : 'amperes'] = Number(figure)
  }
  return [...rails].map(([name, { volts, amperes }]) => ({
    name,
    volts,
    amperes,
    watts: volts === null || amperes === null ? null : Math.round(volts * amperes * THOUSAND) / THOUSAND,
  }))
}

const FULL_DRIVE = 255

/** All fans that are measured or driven. Never fails. */
export const readFans = async (files: SystemFiles): Promise<readonly Fan[]> => {
  const cooling = await readCooling(files)
  const fans: Fan[] = []
  for (const chip of await chipsOf(files))
    for (const number of fanNumbers(chip.files)) {
      const figure = async (file: string) =>
        chip.files.includes(file) ? numberIn(await files.text(`${chip.folder}/${file}`)) : null
      const [rpm, drive, enable] = [
        await figure(`fan${number}_input`),
        await figure(`pwm${number}`),
        await figure(`pwm${number}_enable`),
      ]
      const label = nameIn(await files.text(`${chip.folder}/fan${number}_label`))
      const isCooling = chip.name === 'pwmfan'
      fans.push(
        fanOf({
          name: (label === null ? chip.name : `${chip.name} ${label}`).slice(0, MAX_NAME),
          rpm: whole(rpm),
          duty: drive === null || drive < 0 || drive > FULL_DRIVE ? null : Math.round((drive / FULL_DRIVE) * 100) / 100,
          mode: modeOf(enable),
          level: isCooling ? cooling.level : null,
          max_level: isCooling ? cooling.max_level : null,
        }),
      )
    }
  return fans.slice(0, MAX_FANS)
}

const fanNumbers = (files: readonly string[]): readonly string[] => [
  ...new Set(files.flatMap((file) => /^(?:fan(\d{1,2})_input|pwm(\d{1,2}))$/.exec(file)?.slice(1).find(Boolean) ?? [])),
]

const modeOf = (enable: number | null): Fan['mode'] => {
  if (enable === null || enable < 0) return null
  return enable === 0 ? 'full' : enable === 1 ? 'manual' : 'automatic'
}

const readCooling = async (files: SystemFiles): Promise<Pick<Fan, 'level' | 'max_level'>> => {
  for (const each of (await files.names(THERMAL)).filter((name) => name.startsWith('cooling_device')))
    if (/^(pwm-fan|pwmfan)$/.test((await files.text(`${THERMAL}/${each}/type`)) ?? ''))
      return {
        level: whole(numberIn(await files.text(`${THERMAL}/${each}/cur_state`))),
        max_level: whole(numberIn(await files.text(`${THERMAL}/${each}/max_state`))),
      }
  return { level: null, max_level: null }
}

const whole = (value: number | null): number | null =>
  value !== null && Number.isInteger(value) && value >= 0 ? value : null

const MAX_PERIPHERALS = 256

/** Folders of devices of one sort. */
const CLASSES = [
  ['sensor', '/sys/bus/iio/devices', /^iio:device\d+$/],
  ['light', '/sys/class/leds', /./],
  ['chip', '/sys/bus/i2c/devices', /^\d+-[\da-f]{4}$/],
  ['clock', '/sys/class/rtc', /^rtc\d+$/],
] as const

/** What the system knows to be there. Nothing is asked over a bus. Never fails. */
export const readPeripherals = async (files: SystemFiles): Promise<readonly Peripheral[]> => {
  const found: Peripheral[] = []
  const add = async (kind: Peripheral['kind'], name: string, folder: string) => {
    const place = (await files.place(`${folder}/device`)) ?? (await files.place(folder))
    found.push({ kind, name, place: place === null || place.length > 256 ? null : place })
  }
  for (const { name, folder, files: names } of await chipsOf(files)) {
    if (fanNumbers(names).length > 0) await add('fan', name, folder)
    if (names.some((file) => INPUT.test(file) || file === 'in0_lcrit_alarm')) await add('power-meter', name, folder)
    if (names.some((file) => /^temp\d+_input$/.test(file))) await add('thermometer', name, folder)
  }
  for (const [kind, folder, pattern] of CLASSES)
    for (const each of byNumber(await files.names(folder))) {
      if (!pattern.test(each)) continue
      // an LED is called by its folder
      const name = kind === 'light' ? null : nameIn(await files.text(`${folder}/${each}/name`))
      await add(kind, name ?? each.slice(0, MAX_NAME), `${folder}/${each}`)
    }
  return found.slice(0, MAX_PERIPHERALS)
}
