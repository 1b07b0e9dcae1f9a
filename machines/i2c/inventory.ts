// The buses as clients see them: which there are, which chips the system knows on them, and whether one may be scanned.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import type { Job } from '../jobs/job.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { addressText, type I2cAdapterFacts, type I2cReading } from './reading.ts'
import { I2cAddress, I2cScan, SCAN_JOB, scanExample } from './scan.ts'
import { SCAN_WORDS, scanRule } from './scan-rules.ts'

const strict = { additionalProperties: false } as const

const I2cClient = Type.Object(
  {
    address: I2cAddress,
    name: Type.String({ description: 'As the system was told; nobody has asked the chip.' }),
    driver: orNull(Type.String(), 'That has it; null: none does.'),
  },
  { ...strict, title: 'I2cClient', description: 'A chip that the system knows without asking.' },
)

const LastScan = Type.Object(
  {
    job_id: Type.String({ description: 'The job that it was.' }),
    ended_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    found: I2cScan,
  },
  { ...strict, title: 'I2cLastScan', description: 'The scan that was done last.' },
)

const I2cAdapter = Type.Object(
  {
    adapter: Type.Integer({ minimum: 0, description: 'Its number, until the device is started again: 1 of `i2c-1`.' }),
    name: Type.String({ description: 'As its driver calls it.' }),
    device: orNull(Type.String(), 'Its device file; null: the module i2c-dev is not loaded.'),
    controller: Type.String({ description: 'Where it sits in the device.' }),
    driver: orNull(Type.String(), 'Of the system, that has it; null: not known.'),
    scan: enumOf(SCAN_WORDS, 'I2cScanRule'),
    scan_detail: Type.String({ description: 'Why, for people.' }),
    clients: Type.Array(I2cClient, { description: 'By address.' }),
    last_scan: orNull(LastScan, 'null: there is none that is still known.'),
  },
  { ...strict, title: 'I2cAdapter', description: 'A bus to which chips are soldered or wired.' },
)

/** The inventory on the wire. */
export const I2cInventory = Type.Object(
  { adapters: Type.Array(I2cAdapter, { description: 'By number.' }) },
  { ...strict, title: 'I2cInventory', description: 'The I2C buses of the device, and the chips that are known.' },
)
export type I2cInventory = Static<typeof I2cInventory>

/** The query of the inventory. */
export const inventoryQuery = {
  adapter: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 9999, description: 'Only this one; of one that is not there, none.' }),
  ),
}

/** Makes it of what was read. jobs: where scans are found. */
export const i2cInventory = (reading: I2cReading, jobs: readonly Job[], only?: number): I2cInventory => ({
  adapters: reading
    .filter(({ number }) => only === undefined || number === only)
    .map((adapter) => ({
      adapter: adapter.number,
      name: adapter.name,
      device: adapter.device,
      controller: adapter.controller,
      driver: adapter.driver,
      ...ruleOf(adapter, reading),
      clients: adapter.clients.map(({ address, name, driver }) => ({ address: addressText(address), name, driver })),
      last_scan: lastScanOf(adapter, jobs),
    })),
})

const ruleOf = (adapter: I2cAdapterFacts, reading: I2cReading) => {
  const { word, why } = scanRule(adapter, reading)
  return { scan: word, scan_detail: why }
}

const lastScanOf = ({ number, name }: I2cAdapterFacts, jobs: readonly Job[]): Static<typeof LastScan> | null => {
  const done = jobs.findLast((job) => job.kind === SCAN_JOB && job.state === 'done' && isOf(job, number, name))
  return done ? { job_id: done.id, ended_at_ms: done.ended_at_ms ?? 0, found: done.result as I2cScan } : null
}

const isOf = ({ result }: Job, number: number, name: string): boolean => {
  const found = result as I2cScan | null
  return found?.adapter === number && found.name === name
}

/** What was looked for where there is none. */
export const NO_ADAPTER: Fault & { readonly code: 'i2c.unavailable' } = {
  code: 'i2c.unavailable',
  detail: oneLine`
    the system has no I2C bus: /sys/bus/i2c/devices lists no adapter. On a Raspberry Pi "dtparam=i2c_arm=on" in
    config.txt switches one on; an adapter on USB needs its driver
  `,
}

/** As the references show it. */
export const inventoryExample: I2cInventory = {
  adapters: [
    {
      adapter: 1,
      name: 'Synopsys DesignWare I2C adapter',
      device: '/dev/i2c-1',
      controller: 'platform/axi/1000120000.pcie/1f00074000.i2c',
      driver: 'i2c_designware',
      scan: 'allowed',
      scan_detail: 'adapters of this kind lead to sensors and lamps',
      clients: [{ address: '0x6a', name: 'lsm6dso', driver: 'st_lsm6dsx_i2c' }],
      last_scan: { job_id: '3f9a12bc-9', ended_at_ms: 1_767_225_604_200, found: scanExample },
    },
  ],
}
