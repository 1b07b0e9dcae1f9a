// How the device does as text for Prometheus, by the library that is kept for that.
import type { SystemMetrics } from '../../machines/system/metrics.ts'

/** The media type of the text. */
export const PROMETHEUS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>

/** One figure. value null: it is left out. */
interface Figure {
  readonly name: string
  readonly help: string
  readonly values: readonly (readonly [number | null, Labels?])[]
}

/** Names as Prometheus has them: base units, `_total` for what only grows. */
const figuresOf = (metrics: SystemMetrics): readonly Figure[] => {
  const { cpu, temperature, throttling, memory, pressure, disk, network, processes } = metrics
  const each = <Item>(items: readonly Item[], value: (item: Item) => number | null, labels: (item: Item) => Labels) =>
    items.map((item) => [value(item), labels(item)] as const)
  const ofInterface = (item: SystemMetrics['network'][number]): Labels => ({ interface: item.interface })
  const ofProcess = ({ part, stream_id }: SystemMetrics['processes'][number]): Labels => ({
    part,
    stream_id: stream_id ?? '',
  })
  const ofCore = cpu.cores.map((core, n) => ({ ...core, n: String(n) }))
  const hertz = (megahertz: number | null) => (megahertz === null ? null : megahertz * 1e6)
  const ratio = (percent: number | null | undefined) => (percent == null ? null : percent / 100)
  const bit = (value: boolean | null) => (value === null ? null : Number(value))
  return [
    {
      name: 'cpu_load_ratio',
      help: 'Share of the last second in which a core computed.',
      values: each(
        ofCore,
        ({ load }) => load,
        ({ n }) => ({ core: n }),
      ),
    },
    {
      name: 'cpu_frequency_hertz',
      help: 'Clock of a core.',
      values: each(
        ofCore,
        ({ frequency_mhz }) => hertz(frequency_mhz),
        ({ n }) => ({ core: n }),
      ),
    },
    {
      name: 'load_average',
      help: 'Programs that compute or wait.',
      values: (cpu.load_averages ?? []).map((value, n) => [value, { minutes: String([1, 5, 15][n]) }] as const),
    },
    { name: 'cpu_temperature_celsius', help: 'The hottest place on the processor.', values: [[temperature.celsius]] },
    {
      name: 'cpu_temperature_limit_celsius',
      help: 'Where the processor is slowed down.',
      values: [[temperature.limit_celsius]],
    },
    { name: 'cpu_slowed', help: '1 while the processor is slowed down.', values: [[bit(throttling.now)]] },
    {
      name: 'under_voltage',
      help: '1 while the supply is too weak.',
      values: [[throttling.now === null ? null : Number(throttling.reasons.includes('under-voltage'))]],
    },
    { name: 'memory_total_bytes', help: 'All memory.', values: [[memory.total_bytes]] },
    { name: 'memory_available_bytes', help: 'What programs could still have.', values: [[memory.available_bytes]] },
    { name: 'swap_used_bytes', help: 'What was moved out.', values: [[memory.swap_used_bytes]] },
    {
      name: 'pressure_some_ratio',
      help: 'Share of the last 10 s in which some program waited for it.',
      values: [
        [ratio(pressure?.cpu.some_avg10), { resource: 'cpu' }],
        [ratio(pressure?.memory.some_avg10), { resource: 'memory' }],
        [ratio(pressure?.io.some_avg10), { resource: 'io' }],
      ],
    },
    {
      name: 'pressure_full_ratio',
      help: 'Share of the last 10 s in which all programs waited for it.',
      values: [
        [ratio(pressure?.memory.full_avg10), { resource: 'memory' }],
        [ratio(pressure?.io.full_avg10), { resource: 'io' }],
      ],
    },
    { name: 'disk_total_bytes', help: 'File system of the data folder.', values: [[disk.total_bytes]] },
    { name: 'disk_free_bytes', help: 'What of it can be written.', values: [[disk.free_bytes]] },
    { name: 'disk_read_only', help: '1 when nothing can be written.', values: [[bit(disk.read_only)]] },
    { name: 'disk_wear_ratio', help: 'Used up life of the memory chip.', values: [[ratio(disk.wear_percent)]] },
    { name: 'disk_errors', help: 'Errors that the file system has counted.', values: [[disk.errors]] },
    {
      name: 'network_receive_bytes_total',
      help: 'Received.',
      values: each(network, ({ rx_bytes }) => rx_bytes, ofInterface),
    },
    {
      name: 'network_transmit_bytes_total',
      help: 'Sent.',
      values: each(network, ({ tx_bytes }) => tx_bytes, ofInterface),
    },
    {
      name: 'process_cpu_load_ratio',
      help: 'What a process computes, in cores.',
      values: each(processes, ({ cpu_load }) => cpu_load, ofProcess),
    },
    {
      name: 'process_proportional_bytes',
      help: 'Memory of a process, with its part of what it shares.',
      values: each(processes, ({ pss_bytes }) => pss_bytes, ofProcess),
    },
    {
      name: 'process_resident_bytes',
      help: 'Memory of a process.',
      values: each(processes, ({ rss_bytes }) => rss_bytes, ofProcess),
    },
  ]
}

/** The text. */
export const prometheusTextOf = async (metrics: SystemMetrics): Promise<string> => {
  const { default: prometheus } = await import('prom-client') // few ask for it; the bundle knows no single names
  const { Counter, Gauge, Registry } = prometheus
  const registry = new Registry()
  for (const { name, help, values } of figuresOf(metrics)) {
    const known = values.flatMap(([value, labels = {}]) => (value === null ? [] : [{ value, labels }]))
    if (known.length === 0) continue
    const about = {
      name: `vedette_${name}`,
      help,
      labelNames: Object.keys(known[0]?.labels ?? {}),
      registers: [registry],
    }
    if (name.endsWith('_total')) {
      const counter = new Counter(about)
      for (const { value, labels } of known) counter.inc(labels, value)
    } else {
      const gauge = new Gauge(about)
      for (const { value, labels } of known) gauge.set(labels, value)
    }
  }
  return registry.metrics()
}
