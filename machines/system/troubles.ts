// What is wrong with how a device does, for people, the worst first.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { faultsOfConditions } from './condition-faults.ts'
import type { SystemMetrics } from './metrics.ts'

/** What can be wrong. */
export const METRICS_TROUBLES = [
  'under-voltage',
  'too-hot',
  'read-only-disk',
  'full-disk',
  'low-memory',
  'busy-processor',
  'busy-disk',
  'worn-disk',
  'disk-errors',
] as const

export const MetricsTrouble = Type.Object(
  {
    what: Type.Enum(METRICS_TROUBLES, {
      description: oneLine`
        under-voltage: the supply is too weak. too-hot: heat slows the processor down. read-only-disk: nothing can be
        written. full-disk: there is hardly any room. low-memory: programs wait for memory. busy-processor: they wait
        for the processor. busy-disk: they wait for the disk. worn-disk: its memory chip is used up. disk-errors: its
        file system is damaged.
      `,
    }),
    detail: Type.String({ description: 'What is wrong and what can be done, for people.' }),
  },
  { additionalProperties: false, title: 'MetricsTrouble', description: 'Something that is wrong with the device.' },
)
export type MetricsTrouble = Static<typeof MetricsTrouble>

const MEGABYTE = 1e6
const LOW_DISK_BYTES = 500 * MEGABYTE // a minute of recording, or one update
const LOW_MEMORY_SHARE = 0.06
const WAITS_FOR_MEMORY = 10
const WAITS_FOR_DISK = 20
const WAITS_FOR_PROCESSOR = 60
const WORN_PERCENT = 90

const shown = (bytes: number): string =>
  bytes >= 1_000 * MEGABYTE ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / MEGABYTE)} MB`

/** The worst first. */
export const troublesOf = ({ throttling, memory, pressure, disk }: SystemMetrics): readonly MetricsTrouble[] => {
  const { available_bytes, total_bytes } = memory
  const isShort =
    (available_bytes !== null && total_bytes !== null && available_bytes < LOW_MEMORY_SHARE * total_bytes) ||
    (pressure?.memory.some_avg10 ?? 0) > WAITS_FOR_MEMORY
  const found: readonly (MetricsTrouble | false | null)[] = [
    ...faultsOfConditions(throttling.reasons).map(
      ({ code, detail }) => ({ what: code === 'system.under_voltage' ? 'under-voltage' : 'too-hot', detail }) as const,
    ),
    disk.read_only === true && {
      what: 'read-only-disk',
      detail: oneLine`
        Nothing can be written to the disk any more, as after an error of it: settings and recordings are lost at the
        next start. Save what matters, restart the device, and change the card or disk when it comes again.
      `,
    },
    disk.free_bytes !== null &&
      disk.free_bytes < LOW_DISK_BYTES && {
        what: 'full-disk',
        detail: oneLine`
          Only ${shown(disk.free_bytes)} of the disk are left: recordings end, and settings may not be stored. Delete
          recordings under Media.
        `,
      },
    isShort && {
      what: 'low-memory',
      detail: oneLine`
        Memory is short${available_bytes === null ? '' : ` (${shown(available_bytes)} left)`}, and programs wait for it.
        Switch streams off, keep fewer pictures, or make them smaller.
      `,
    },
    (pressure?.cpu.some_avg10 ?? 0) > WAITS_FOR_PROCESSOR && {
      what: 'busy-processor',
      detail: oneLine`
        Programs wait for the processor ${pressure?.cpu.some_avg10} % of the time: it has more to do than it can, and
        pictures are late. Ask for fewer or smaller pictures, or run fewer streams.
      `,
    },
    (pressure?.io.full_avg10 ?? 0) > WAITS_FOR_DISK && {
      what: 'busy-disk',
      detail: oneLine`
        Programs wait for the disk ${pressure?.io.full_avg10} % of the time: it is slow, or much is written. Record
        fewer streams at once, or use a faster card.
      `,
    },
    (disk.wear_percent ?? 0) >= WORN_PERCENT && {
      what: 'worn-disk',
      detail: `The memory chip is used up by ${disk.wear_percent} %: change it before the next event.`,
    },
    (disk.errors ?? 0) > 0 && {
      what: 'disk-errors',
      detail: oneLine`
        The file system has counted ${disk.errors} errors: save what matters, have it checked (fsck), and change the
        card or disk when there are more.
      `,
    },
  ]
  return found.filter((each) => each !== false && each !== null)
}
