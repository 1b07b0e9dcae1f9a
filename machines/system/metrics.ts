// How the device does, as it is sampled once a second while somebody needs it: the document of GET /v1/device/metrics,
// and what the resource guard decides by. A figure that the device does not tell is null.
import type { Static, TSchema } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const known = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description: `${description} null: the device does not tell.` })
const share = { minimum: 0, maximum: 1 }
const percent = (description: string) => known(Type.Number({ minimum: 0, maximum: 100 }), `${description}, %.`)
const bytes = (description: string) => known(Type.Integer({ minimum: 0 }), `${description}, bytes.`)
const name = (description: string) => Type.String({ maxLength: 64, description })

/** Why a processor is not as fast as it could be. */
export const SLOWED_BY = ['under-voltage', 'frequency-capped', 'throttled', 'temperature-limit'] as const
export const SlowedBy = Type.Enum(SLOWED_BY, {
  title: 'SlowedBy',
  description: oneLine`
    under-voltage: the supply is too weak. frequency-capped: the processor is held below its highest clock. throttled:
    it is slowed down. temperature-limit: it is as warm as it may be, and is held back.
  `,
})
export type SlowedBy = Static<typeof SlowedBy>

const Reasons = (description: string) => Type.Array(SlowedBy, { description })

const MetricsCore = Type.Object(
  {
    load: known(Type.Number(share), 'The share of the last second in which it computed.'),
    frequency_mhz: known(Type.Number({ minimum: 0 }), 'Its clock now.'),
    max_frequency_mhz: known(Type.Number({ minimum: 0 }), 'The highest clock it is built for.'),
  },
  { ...strict, title: 'MetricsCore', description: 'One core of the processor.' },
)

export const MetricsCpu = Type.Object(
  {
    load: known(Type.Number(share), 'Of all cores together.'),
    cores: Type.Array(MetricsCore, { maxItems: 256 }),
    load_averages: known(
      Type.Array(Type.Number({ minimum: 0 }), { minItems: 3, maxItems: 3 }),
      'How many programs compute or wait, averaged over 1, 5 and 15 minutes.',
    ),
  },
  { ...strict, title: 'MetricsCpu', description: 'The processor.' },
)

export const MetricsTemperature = Type.Object(
  {
    celsius: known(Type.Number(), 'Of the hottest place on the processor.'),
    limit_celsius: known(Type.Number(), 'At which the processor is slowed down or, if that is all it tells, ends.'),
    sensors: Type.Array(
      Type.Object(
        {
          name: name('As the system calls it.'),
          celsius: known(Type.Number(), 'What it measures.'),
        },
        { ...strict, title: 'MetricsSensor', description: 'One place where a temperature is measured.' },
      ),
      { maxItems: 64, description: 'All that there are, of the processor and of other parts.' },
    ),
  },
  { ...strict, title: 'MetricsTemperature', description: 'How warm the device is.' },
)

export const MetricsThrottling = Type.Object(
  {
    now: known(Type.Boolean(), 'Whether the processor is slowed down now.'),
    reasons: Reasons('Why, now.'),
    since_start: Reasons('Why, at any time since the device was started.'),
  },
  { ...strict, title: 'MetricsThrottling', description: 'Whether the processor is slower than it could be, and why.' },
)

export const MetricsMemory = Type.Object(
  {
    total_bytes: bytes('All that there is'),
    available_bytes: bytes('What programs could still have'),
    swap_used_bytes: bytes('What was moved out to a disk or was compressed'),
  },
  { ...strict, title: 'MetricsMemory', description: 'The memory of the device.' },
)

const some = percent('The share of the last 10 s in which at least one program waited for it')
const full = percent('The share of the last 10 s in which all programs waited for it')

export const MetricsPressure = Type.Object(
  {
    cpu: Type.Object({ some_avg10: some }, strict),
    memory: Type.Object({ some_avg10: some, full_avg10: full }, strict),
    io: Type.Object({ some_avg10: some, full_avg10: full }, strict),
  },
  { ...strict, title: 'MetricsPressure', description: 'How much programs wait, as the kernel reckons it (PSI).' },
)

export const MetricsDisk = Type.Object(
  {
    total_bytes: bytes('The file system of the data folder'),
    free_bytes: bytes('What of it can still be written'),
    read_only: known(Type.Boolean(), 'Whether nothing can be written, as after an error of the disk.'),
    wear_percent: percent('How much of the life of the memory chip is used up, in steps of ten'),
    errors: known(Type.Integer({ minimum: 0 }), 'Errors of the file system that the kernel has counted, ever.'),
  },
  { ...strict, title: 'MetricsDisk', description: 'The disk with the data folder.' },
)

export const MetricsNetwork = Type.Object(
  {
    interface: name('As the system calls it.'),
    rx_bytes: bytes('Received since the device was started'),
    tx_bytes: bytes('Sent since the device was started'),
    rx_bytes_per_s: known(Type.Number({ minimum: 0 }), 'Received in the last second.'),
    tx_bytes_per_s: known(Type.Number({ minimum: 0 }), 'Sent in the last second.'),
  },
  { ...strict, title: 'MetricsNetwork', description: 'An interface to a network.' },
)

/** Which processes of the service there are. */
export const PROCESS_PARTS = ['control', 'engine'] as const

export const MetricsProcess = Type.Object(
  {
    part: Type.Enum(PROCESS_PARTS, { description: 'control: the service itself. engine: of one stream.' }),
    stream_id: Type.Union([name('Of the engine.'), Type.Null()], {
      description: 'Whose engine it is. null: it is none.',
    }),
    pid: Type.Integer({ minimum: 0, description: 'Its number in the system.' }),
    cpu_load: known(Type.Number({ minimum: 0 }), 'What it computes, in cores: 1 is one whole core.'),
    pss_bytes: bytes('Its memory, with its part of what it shares; looked up every ten seconds or so'),
    rss_bytes: bytes('Its memory, with all that it shares'),
  },
  { ...strict, title: 'MetricsProcess', description: 'One process of the service.' },
)

/** How the device does. */
export const SystemMetrics = Type.Object(
  {
    at_ms: Type.Integer({ description: 'When this was sampled, Unix time.' }),
    at_us: Type.Integer({ minimum: 0, description: 'The same, CLOCK_MONOTONIC.' }),
    cpu: MetricsCpu,
    temperature: MetricsTemperature,
    throttling: MetricsThrottling,
    memory: MetricsMemory,
    pressure: Type.Union([MetricsPressure, Type.Null()], {
      description: oneLine`
        null: the kernel does not reckon it; that of a Raspberry Pi begins to with \`psi=1\` in its command line.
      `,
    }),
    disk: MetricsDisk,
    network: Type.Array(MetricsNetwork, { maxItems: 64 }),
    processes: Type.Array(MetricsProcess, { maxItems: 64 }),
  },
  { ...strict, title: 'SystemMetrics', description: 'How the device does.' },
)
export type SystemMetrics = Static<typeof SystemMetrics>

/** For the documents of the API, and where a test needs one that is whole. */
export const systemMetricsExample: SystemMetrics = {
  at_ms: 1_767_225_600_000,
  at_us: 512_000_000,
  cpu: {
    load: 0.41,
    cores: [
      { load: 0.52, frequency_mhz: 2_400, max_frequency_mhz: 2_400 },
      { load: 0.3, frequency_mhz: 2_400, max_frequency_mhz: 2_400 },
    ],
    load_averages: [1.7, 1.2, 0.8],
  },
  temperature: { celsius: 58.4, limit_celsius: 80, sensors: [{ name: 'cpu-thermal', celsius: 58.4 }] },
  throttling: { now: false, reasons: [], since_start: ['under-voltage'] },
  memory: { total_bytes: 4_147_609_600, available_bytes: 2_903_326_720, swap_used_bytes: 0 },
  pressure: {
    cpu: { some_avg10: 3.1 },
    memory: { some_avg10: 0, full_avg10: 0 },
    io: { some_avg10: 0.4, full_avg10: 0.2 },
  },
  disk: {
    total_bytes: 31_268_536_320,
    free_bytes: 21_474_836_480,
    read_only: false,
    wear_percent: null,
    errors: 0,
  },
  network: [
    { interface: 'eth0', rx_bytes: 8_120_113, tx_bytes: 91_226_550, rx_bytes_per_s: 4_100, tx_bytes_per_s: 410_000 },
  ],
  processes: [
    { part: 'control', stream_id: null, pid: 812, cpu_load: 0.06, pss_bytes: 71_303_168, rss_bytes: 92_274_688 },
    { part: 'engine', stream_id: 'front', pid: 840, cpu_load: 0.7, pss_bytes: 88_080_384, rss_bytes: 110_100_480 },
  ],
}
