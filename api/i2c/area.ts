// I2C: buses and chips as the system knows them, and a scan, which an administrator starts.
import { I2C_BUSES } from '../../actors/i2c/tokens.ts'
import { isFault } from '../../machines/errors/fault.ts'
import {
  I2cInventory,
  i2cInventory,
  inventoryExample,
  inventoryQuery,
  NO_ADAPTER,
} from '../../machines/i2c/inventory.ts'
import { I2cScan, SCAN_JOB, ScanOrder } from '../../machines/i2c/scan.ts'
import { scannable } from '../../machines/i2c/scannable.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { jobAnswer, jobNeeds } from '../jobs/answer.ts'

const needs = { ...jobNeeds, buses: I2C_BUSES }

export const i2cArea = areaOf(needs, ({ jobs, buses }) => {
  /** The same document in two places: it is the device's, and tells what is connected. */
  const inventory = <Path extends '/v1/device/i2c' | '/v1/peripherals/i2c'>(path: Path, summary: string) =>
    read('GET', path as '/v1/device/i2c', {
      summary,
      about: oneLine`
        Buses, and the chips that the system knows on them. Nothing is asked over a bus: that is a scan
        (\`POST /v1/device/i2c/scan\`), and \`scan\` says of each bus whether it may be. What the latest scan has found
        stands beside it, as long as its job is known.
      `,
      query: inventoryQuery,
      answer: I2cInventory,
      example: inventoryExample,
      get: async ({ query: { adapter } }) => {
        const reading = await buses.reading()
        return reading.length === 0 ? NO_ADAPTER : i2cInventory(reading, jobs.all(), adapter)
      },
      faults: ['i2c.unavailable'],
    })
  return area('i2c', 'The I2C buses of the device, and the chips on them.', [
    inventory('/v1/device/i2c', 'The I2C buses of the device'),
    inventory('/v1/peripherals/i2c', 'The chips on I2C buses'),

    command('POST', '/v1/device/i2c/scan', {
      summary: 'Scan an I2C bus',
      about: oneLine`
        Asks at each address of one bus for a byte, and names a chip only when its identity register says so. A job: its
        progress, result and end are at the \`Location\`. Reading is not free of risk: some chips take it as an event.
        So it is an administrator's order, addresses that a driver has are left alone, nothing is written to what may be
        an EEPROM, and buses of displays, of chips that feed others and of the firmware are never scanned.
      `,
      access: 'administer',
      to: 'job-keeper',
      publishes: [jobChanged],
      body: { schema: ScanOrder, example: { adapter: 1 } },
      send: async ({ body: { adapter, force = false } }) => {
        const wanted = { adapter, force }
        const found = scannable(await buses.reading(), wanted)
        if (isFault(found)) return found
        return jobs.order({ kind: SCAN_JOB, resource_ref: { adapter: String(adapter) }, work: buses.scan(wanted) })
      },
      answer: jobAnswer({
        jobs,
        kind: SCAN_JOB,
        title: 'I2cScanJob',
        result: I2cScan,
        resource_ref: { adapter: '1' },
      }),
      faults: ['i2c.unavailable', 'i2c.not_found', 'i2c.refused', 'job.too_many'],
    }),
  ])
})
