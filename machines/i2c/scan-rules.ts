// Which buses may be scanned. To be read from is too much for some chips: what sits behind a display, feeds the board
// or is watched by its firmware can be lost or hang the device.
import { oneLine } from '../schema/one-line.ts'
import type { I2cAdapterFacts, I2cReading } from './reading.ts'

/** What each judgement means. */
export const SCAN_WORDS = {
  allowed: 'it is of a kind that leads to sensors and lamps',
  unknown: 'nothing speaks against it and nothing for it: a scan needs `force`',
  refused: 'it is never scanned',
  not_possible: 'no program can reach it now',
} as const
export type ScanWord = keyof typeof SCAN_WORDS

/** A judgement, with its reason for people. */
export interface ScanRule {
  readonly word: ScanWord
  readonly why: string
}

const DISPLAY = 'it leads to a display: what is read from one may change how that behaves'
const POWER = 'a chip on it feeds other parts of the device, which may go dark when it is disturbed'
const FIRMWARE = 'the firmware of the board uses it too, and nobody tells it to wait'

/** By names of adapters and of what they say to be compatible with. In order. */
const NEVER: readonly (readonly [RegExp, string])[] = [
  [/ddc|hdmi|\bdp[- ]?aux|\baux\b|gmbus|edid/i, DISPLAY],
  [/amdgpu|radeon|nvidia i2c|nvkm|nouveau|\bi915\b/i, DISPLAY],
  [/pmic|regulator/i, POWER],
  // of PCs: memory modules, whose contents and supply can be written, and sensors of the board hang there
  [/^SMBus (?!stub)/i, FIRMWARE],
  [/firmware|mailbox/i, FIRMWARE],
]

/** Chips that feed others, by the names that their drivers have in Linux. */
const FEEDS = new RegExp(
  `^(${[
    ...['pmic', 'rk8\\d\\d', 'axp\\d', 'tps6', 'lp8\\d\\d', 'max77', 'max8[89]', 'da90', 'da92', 'act8', 'fan53'],
    ...['pca945', 'pf[01589]\\d', 'bd718', 'bd957', 's2mp', 'mt63', 'hi65', 'ltc3', 'ltc7', 'mp54', 'mp886', 'sy8'],
    ...['syr8', 'tcs45', 'raa21', 'isl91', 'rn5t', 'wm83', 'palmas', 'twl[46]', '88pm', 'stpmic', 'bq2'],
  ].join('|')})`,
  'i',
)

/** Drivers of adapters that lead to pins, sockets and cables. */
const DRIVERS: ReadonlySet<string> = new Set([
  ...['i2c-bcm2835', 'i2c_designware', 'i2c-designware-platform', 'rk3x-i2c', 'tegra-i2c', 'imx-i2c', 'i2c-imx'],
  ...['imx-lpi2c', 'mv64xxx_i2c', 'meson-i2c', 'i2c-mt65xx', 'i2c-geni', 'geni_i2c', 's3c-i2c', 'omap_i2c'],
  ...['i2c-gpio', 'i2c-tiny-usb', 'cp2112', 'mcp2221', 'ch341'],
])

/** The same by name, where no driver is seen. */
const NAMES = /^(bcm2835 |Synopsys DesignWare |rk3x-i2c|i2c-gpio|i2c-tiny-usb|CP2112 |MCP2221 |SMBus stub driver)/

/** Says of each adapter whether it may be scanned. all: where those are found of which it is a channel. */
export const scanRule = (adapter: I2cAdapterFacts, all: I2cReading): ScanRule => {
  const against = reasonAgainst(adapter)
  if (against !== undefined) return { word: 'refused', why: against }
  const parent = all.find(({ number }) => number === adapter.parent)
  if (parent && reasonAgainst(parent) !== undefined)
    return { word: 'refused', why: `it is a channel of i2c-${parent.number}, and of that: ${reasonAgainst(parent)}` }
  if (adapter.device === null) return { word: 'not_possible', why: NO_DEVICE }
  if (adapter.is_of_acpi)
    return { word: 'unknown', why: 'the firmware of this computer describes it, and may use it at the same time' }
  if (adapter.parent !== null)
    return { word: 'unknown', why: `it is a channel of i2c-${adapter.parent}: cameras and displays hang on such ones` }
  if ((adapter.driver !== null && DRIVERS.has(adapter.driver)) || NAMES.test(adapter.name))
    return { word: 'allowed', why: 'adapters of this kind lead to sensors and lamps' }
  return { word: 'unknown', why: 'adapters of this kind are not known here; look what hangs on it' }
}

const NO_DEVICE = oneLine`
  it has no device file: the module i2c-dev is not loaded (modprobe i2c-dev, and its name in a file of
  /etc/modules-load.d for each start)
`

const reasonAgainst = (adapter: I2cAdapterFacts): string | undefined => {
  if (adapter.is_of_display) return DISPLAY
  if (adapter.is_of_firmware) return FIRMWARE
  if (adapter.gives_power || adapter.clients.some(({ name }) => FEEDS.test(name))) return POWER
  const words = [adapter.name, ...adapter.compatible]
  return NEVER.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1]
}
