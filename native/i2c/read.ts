// What the files of Linux say of I2C buses. Everything is a name or a link: no chip is asked.
import type { I2cAdapterFacts, I2cClientFacts, I2cReading } from '../../machines/i2c/reading.ts'
import type { SystemFiles } from '../system-files/port.ts'

const DEVICES = '/sys/bus/i2c/devices'
const MAX_ADAPTERS = 64

/** Under these names the device tree of a Raspberry Pi has the bus that its firmware reads boards on top by. */
const SYMBOLS_OF_FIRMWARE = ['i2c_vc']

/** Never fails. */
export const readI2c = async (files: SystemFiles): Promise<I2cReading> => {
  const [names, devices, displays, suppliers, kept] = await Promise.all([
    files.names(DEVICES),
    files.names('/sys/class/i2c-dev'),
    adaptersOfDisplays(files),
    placesIn(files, '/sys/class/regulator'),
    Promise.all(SYMBOLS_OF_FIRMWARE.map((name) => files.text(`/proc/device-tree/__symbols__/${name}`))),
  ])
  const numbers = names.flatMap((name) => /^i2c-(\d{1,4})$/.exec(name)?.[1] ?? []).map(Number)
  return Promise.all(
    numbers
      .sort((a, b) => a - b)
      .slice(0, MAX_ADAPTERS)
      .map(async (number): Promise<I2cAdapterFacts> => {
        const own = `i2c-${number}`
        const place = (await files.place(`${DEVICES}/${own}`)) ?? `${DEVICES}/${own}`
        const above = place.slice(0, place.lastIndexOf('/'))
        const [name, driver, node, acpi, clients] = await Promise.all([
          files.text(`${DEVICES}/${own}/name`),
          files.place(`${above}/driver`),
          nodeOf(files, place, above),
          files.place(`${above}/firmware_node`),
          clientsOf(files, names, number),
        ])
        return {
          number,
          name: name ?? own,
          device: devices.includes(own) ? `/dev/${own}` : null,
          controller: above.replace(/^\/sys\/(devices\/)?/, ''),
          driver: driver === null ? null : lastOf(driver),
          compatible: node.compatible,
          is_of_display: place.includes('/drm/') || displays.includes(place),
          is_of_firmware: kept.some((path) => path !== null && node.place?.endsWith(path)),
          is_of_acpi: acpi !== null,
          gives_power: suppliers.some((each) => each.startsWith(`${place}/`)),
          parent: parentIn(above),
          clients,
        }
      }),
  )
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** 22 of `/sys/devices/platform/soc/fe205000.i2c/i2c-22`, to which a channel belongs. */
const parentIn = (above: string): number | null => {
  const found = above.split('/').findLast((part) => /^i2c-\d+$/.test(part))
  return found === undefined ? null : Number(found.slice('i2c-'.length))
}

const placesIn = async (files: SystemFiles, folder: string, link = ''): Promise<readonly string[]> => {
  const names = await files.names(folder)
  const places = await Promise.all(names.map((name) => files.place(`${folder}/${name}${link}`)))
  return places.flatMap((place) => place ?? [])
}

/** Each connector names the bus by which it asks its display. */
const adaptersOfDisplays = (files: SystemFiles) => placesIn(files, '/sys/class/drm', '/ddc')

interface Node {
  readonly place: string | null
  readonly compatible: readonly string[]
}

/** Of the device tree: that of the adapter, or of what made it. */
const nodeOf = async (files: SystemFiles, place: string, above: string): Promise<Node> => {
  const own = await files.place(`${place}/of_node`)
  const found = own ?? (await files.place(`${above}/of_node`))
  const text = found === null ? null : await files.text(`${found}/compatible`)
  return { place: found, compatible: text === null ? [] : text.split('\0').filter((word) => word !== '') }
}

/** `1-0048` is one of seven bits; those of ten bits have another form. */
const clientsOf = async (
  files: SystemFiles,
  names: readonly string[],
  adapter: number,
): Promise<readonly I2cClientFacts[]> => {
  const own = names.filter((name) => new RegExp(`^${adapter}-00[0-7][\\da-f]$`).test(name))
  return Promise.all(
    own.map(async (each) => {
      const [name, driver] = await Promise.all([
        files.text(`${DEVICES}/${each}/name`),
        files.place(`${DEVICES}/${each}/driver`),
      ])
      return {
        address: Number.parseInt(each.slice(-2), 16),
        name: name || each,
        driver: driver === null ? null : lastOf(driver),
      }
    }),
  )
}
