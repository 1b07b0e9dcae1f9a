// I2C buses of a made-up device: a header with sensors, one of which the system has a driver for, a bus of cameras, and
// one that leads to a display.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { I2cAdapterFacts, I2cReading } from '../../machines/i2c/reading.ts'
import type { I2cAnswer, I2cQuestion } from '../../machines/i2c/scan.ts'
import type { I2cPort } from './port.ts'

/** A chip on a made-up bus: what its registers hold, by number. */
export type FakeChip = Readonly<Record<number, number>>

export class FakeI2c implements I2cPort {
  adapters: readonly I2cAdapterFacts[] = []
  /** By `<adapter>/<address>`. */
  readonly chips = new Map<string, FakeChip>()
  /** Why no bus is scanned, while it is set; told after the first answer. */
  fault: Fault | undefined
  /** Which addresses were asked, and which registers, as `1/104 117`. */
  readonly asked: string[] = []

  readonly read = Effect.sync((): I2cReading => this.adapters)

  readonly scan = (adapter: number, questions: readonly I2cQuestion[], heard: (answer: I2cAnswer) => void) =>
    Effect.suspend(() => {
      for (const question of questions) {
        heard(this.#answer(adapter, question))
        if (this.fault) return Effect.fail(this.fault)
      }
      return Effect.void
    })

  #answer(adapter: number, { address, registers }: I2cQuestion): I2cAnswer {
    const place = `${adapter}/${address}`
    const chip = this.chips.get(place)
    this.asked.push([place, ...(chip ? registers.map(({ register }) => register) : [])].join(' '))
    if (!chip) return { address, state: 'silent', values: [], trouble: null }
    return { address, state: 'answers', values: registers.map(({ register }) => chip[register] ?? 0), trouble: null }
  }
}

const NOTHING_SPECIAL = {
  compatible: [],
  is_of_display: false,
  is_of_firmware: false,
  is_of_acpi: false,
  gives_power: false,
  parent: null,
  clients: [],
} as const

/** The buses of a board of a robot. isStuck: a chip holds a line of the header low. */
export const believableI2c = (isStuck = false): FakeI2c => {
  const i2c = new FakeI2c()
  const designware = { name: 'Synopsys DesignWare I2C adapter', driver: 'i2c_designware' } as const
  i2c.adapters = [
    {
      ...NOTHING_SPECIAL,
      ...designware,
      number: 1,
      device: '/dev/i2c-1',
      controller: 'platform/axi/1000120000.pcie/1f00074000.i2c',
      compatible: ['snps,designware-i2c'],
      clients: [{ address: 0x6a, name: 'lsm6dso', driver: 'st_lsm6dsx_i2c' }],
    },
    {
      ...NOTHING_SPECIAL,
      ...designware,
      number: 10,
      device: '/dev/i2c-10',
      controller: 'platform/axi/1000120000.pcie/1f00088000.i2c/i2c-11',
      driver: null,
      name: 'i2c-11-mux (chan_id 0)',
      parent: 11,
      clients: [{ address: 0x60, name: 'ov9281', driver: 'ov9282' }],
    },
    {
      ...NOTHING_SPECIAL,
      number: 13,
      name: '107d508200.i2c',
      driver: 'brcmstb-i2c',
      device: '/dev/i2c-13',
      controller: 'platform/soc@107c000000/107d508200.i2c',
      compatible: ['brcm,brcmstb-i2c'],
      is_of_display: true,
    },
  ]
  i2c.chips.set(`1/${0x29}`, { 192: 0xee })
  i2c.chips.set(`1/${0x40}`, { 254: 0x5449, 255: 0x2260 })
  i2c.chips.set(`1/${0x50}`, {})
  i2c.chips.set(`1/${0x68}`, {})
  if (isStuck)
    i2c.fault = {
      code: 'i2c.stuck',
      detail: 'the bus i2c-1 does not move: a made-up chip holds one of its two lines low',
    }
  return i2c
}
