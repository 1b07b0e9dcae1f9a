// Where a device tells how it does. The numbers in the names of its files are others at each start, so everything is
// found by what it calls itself.
import { numberIn, type SystemFiles } from '../system-files/port.ts'

/** The zones that sit on the processor; others measure batteries, radios, or nothing at all. */
const ON_THE_PROCESSOR = /cpu|soc|core|pkg|package/i

/** Chips that measure the processor where no zone does. */
const PROCESSOR_CHIPS: readonly string[] = ['coretemp', 'k10temp', 'zenpower', 'cpu_thermal']

const SLOWS_THE_PROCESSOR = /cpufreq|^processor$/i
const RASPBERRY_PI = /^Raspberry Pi/
const RASPBERRY_PI_LIMIT = 80 // its firmware takes speed away from here on, and tells no file of that
const MILLI = 1_000
const MAX_SENSORS = 64
const MAX_CORES = 256

/** A place where a temperature is measured. */
export interface Sensor {
  readonly name: string
  readonly isOnProcessor: boolean
  /** In thousandths of a degree. */
  readonly path: string
}

/** Cores that have one clock. */
export interface ClockGroup {
  /** `cpu0` and so on. */
  readonly cores: readonly string[]
  /** Its clock now, kHz. */
  readonly path: string
  readonly max_mhz: number | null
}

/** All that is read again and again. Each a path. */
export interface Inventory {
  readonly sensors: readonly Sensor[]
  readonly limit_celsius: number | null
  readonly clocks: readonly ClockGroup[]
  /** The word of the firmware of a Raspberry Pi. */
  readonly firmware: string | null
  /** 1 while the supply is weak. */
  readonly supplyAlarms: readonly string[]
  /** Above 0 while the processor is held back since it is too hot. */
  readonly coolers: readonly string[]
  /** How often the processor has slowed itself down. */
  readonly slowCounters: readonly string[]
}

/** Looks through the files of a device. Never fails. */
export const takeInventory = async (files: SystemFiles): Promise<Inventory> => {
  const [zones, chips, clocks, firmware, coolers, slowCounters] = await Promise.all([
    findZones(files),
    findChips(files),
    findClocks(files),
    findFirmware(files),
    findCoolers(files),
    findSlowCounters(files),
  ])
  const hasZone = zones.some(({ isOnProcessor }) => isOnProcessor)
  const own = chips.sensors.map((each) => ({ ...each, isOnProcessor: each.isOnProcessor && !hasZone }))
  return {
    sensors: [...zones, ...own]
      .map(({ name, isOnProcessor, path }) => ({ name, isOnProcessor, path }))
      .slice(0, MAX_SENSORS),
    limit_celsius: await findLimit(files, zones, own),
    clocks,
    firmware,
    supplyAlarms: chips.supplyAlarms,
    coolers,
    slowCounters,
  }
}

interface Zone extends Sensor {
  readonly folder: string
}

const THERMAL = '/sys/class/thermal'

const findZones = async (files: SystemFiles): Promise<readonly Zone[]> => {
  const names = (await files.names(THERMAL)).filter((name) => /^thermal_zone\d+$/.test(name))
  return Promise.all(
    byNumber(names).map(async (zone) => {
      const folder = `${THERMAL}/${zone}`
      const name = nameIn(await files.text(`${folder}/type`)) ?? zone
      return { name, folder, isOnProcessor: ON_THE_PROCESSOR.test(name), path: `${folder}/temp` }
    }),
  )
}

const CHIPS = '/sys/class/hwmon'

interface ChipSensor extends Sensor {
  /** At which it is slowed down, where the chip tells. */
  readonly critPath: string
}

const findChips = async (files: SystemFiles) => {
  const sensors: ChipSensor[] = []
  const supplyAlarms: string[] = []
  for (const chip of byNumber(await files.names(CHIPS))) {
    const folder = `${CHIPS}/${chip}`
    const name = nameIn(await files.text(`${folder}/name`)) ?? chip
    const names = await files.names(folder)
    if (name === 'rpi_volt' && names.includes('in0_lcrit_alarm')) supplyAlarms.push(`${folder}/in0_lcrit_alarm`)
    // a zone shows itself as a chip, too
    if ((await files.place(`${folder}/device`))?.includes('/thermal_zone')) continue
    for (const each of byNumber(names.filter((file) => /^temp\d+_input$/.test(file)))) {
      const place = each.slice(0, -'_input'.length)
      const label = nameIn(await files.text(`${folder}/${place}_label`))
      sensors.push({
        name: label === null ? name : `${name} ${label}`.slice(0, MAX_NAME),
        isOnProcessor: PROCESSOR_CHIPS.includes(name),
        path: `${folder}/${each}`,
        critPath: `${folder}/${place}_crit`,
      })
    }
  }
  return { sensors, supplyAlarms }
}

const CLOCKS = '/sys/devices/system/cpu/cpufreq'
const KILO = 1_000

const findClocks = async (files: SystemFiles): Promise<readonly ClockGroup[]> => {
  const policies = byNumber((await files.names(CLOCKS)).filter((name) => /^policy\d+$/.test(name)))
  return Promise.all(
    policies.slice(0, MAX_CORES).map(async (policy) => {
      const folder = `${CLOCKS}/${policy}`
      const cores = (await files.text(`${folder}/related_cpus`)) ?? policy.slice('policy'.length)
      const max = numberIn(await files.text(`${folder}/cpuinfo_max_freq`))
      return {
        cores: cores
          .split(/\s+/)
          .filter((core) => /^\d{1,4}$/.test(core))
          .map((core) => `cpu${core}`),
        path: `${folder}/scaling_cur_freq`,
        max_mhz: max === null || max < 0 ? null : max / KILO,
      }
    }),
  )
}

const PLATFORM = '/sys/devices/platform'

const findFirmware = async (files: SystemFiles): Promise<string | null> => {
  for (const soc of (await files.names(PLATFORM)).filter((name) => name.startsWith('soc')))
    for (const part of (await files.names(`${PLATFORM}/${soc}`)).filter((name) => name.includes('firmware')))
      if ((await files.names(`${PLATFORM}/${soc}/${part}`)).includes('get_throttled'))
        return `${PLATFORM}/${soc}/${part}/get_throttled`
  return null
}

const findCoolers = async (files: SystemFiles): Promise<readonly string[]> => {
  const names = (await files.names(THERMAL)).filter((name) => /^cooling_device\d+$/.test(name))
  const types = await Promise.all(names.map((name) => files.text(`${THERMAL}/${name}/type`)))
  return names.filter((_, n) => SLOWS_THE_PROCESSOR.test(types[n] ?? '')).map((name) => `${THERMAL}/${name}/cur_state`)
}

const THROTTLE = '/sys/devices/system/cpu/cpu0/thermal_throttle'

const findSlowCounters = async (files: SystemFiles): Promise<readonly string[]> => {
  const names = await files.names(THROTTLE)
  return ['core_throttle_count', 'package_throttle_count']
    .filter((name) => names.includes(name))
    .map((name) => `${THROTTLE}/${name}`)
}

/**
 * At which the processor is slowed down: where the kernel begins to cool by that (passive), where a chip of the
 * processor says it will (crit), what is known of a Raspberry Pi; else where the device is switched off.
 */
const findLimit = async (
  files: SystemFiles,
  zones: readonly Zone[],
  chips: readonly ChipSensor[],
): Promise<number | null> => {
  const trips = (
    await Promise.all(zones.filter(({ isOnProcessor }) => isOnProcessor).map(({ folder }) => tripsOf(files, folder)))
  ).flat()
  const highest = (type: string) => highestOf(trips.filter((trip) => trip.type === type).map(({ celsius }) => celsius))
  const own = await Promise.all(
    chips
      .filter(({ isOnProcessor }) => isOnProcessor)
      .map(async ({ critPath }) => celsiusIn(await files.text(critPath))),
  )
  const isRaspberryPi = RASPBERRY_PI.test((await files.text('/proc/device-tree/model')) ?? '')
  return (
    highest('passive') ??
    highestOf(own.filter((each) => each !== null)) ??
    (isRaspberryPi ? RASPBERRY_PI_LIMIT : null) ??
    highest('hot') ??
    highest('critical')
  )
}

const tripsOf = async (files: SystemFiles, folder: string) => {
  const types = (await files.names(folder)).filter((name) => /^trip_point_\d+_type$/.test(name))
  const trips = await Promise.all(
    types.map(async (name) => ({
      type: await files.text(`${folder}/${name}`),
      celsius: celsiusIn(await files.text(`${folder}/${name.replace('_type', '_temp')}`)),
    })),
  )
  return trips.flatMap(({ type, celsius }) => (celsius === null || celsius <= 0 ? [] : [{ type, celsius }]))
}

const highestOf = (numbers: readonly number[]): number | null => (numbers.length > 0 ? Math.max(...numbers) : null)

const MAX_NAME = 64
const COLDEST = -100
const HOTTEST = 250 // more is what a sensor says that sleeps or is not there

/** A temperature in thousandths of a degree; null: there is none that can be. */
export const celsiusIn = (text: string | null): number | null => {
  const milli = numberIn(text)
  const celsius = milli === null ? null : milli / MILLI
  return celsius === null || celsius < COLDEST || celsius > HOTTEST ? null : celsius
}

/** A name as a driver gives it; null: it gives none that is a name. */
export const nameIn = (text: string | null): string | null =>
  text !== null && /^[\x20-\x7e]{1,64}$/.test(text) ? text : null

/** hwmon10 after hwmon9. */
export const byNumber = (names: readonly string[]): readonly string[] =>
  names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
