// What stands in the texts of /proc. Each function takes null, and anything at all, for a text.
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { NetworkReading, Ticks } from '../../machines/system/reading.ts'

const TICK_MS = 10 // USER_HZ is 100 on every Linux that Node runs on
const KILOBYTE = 1_024
const IDLE = 3
const IO_WAIT = 4
const MAX_INTERFACES = 64

const whole = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null

const real = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : null

/** /proc/stat: of all cores together under `cpu`, of each that is switched on under `cpu0` and so on. */
export const ticksByCpu = (stat: string | null): ReadonlyMap<string, Ticks> => {
  const found = new Map<string, Ticks>()
  for (const line of (stat ?? '').split('\n')) {
    if (!line.startsWith('cpu')) break // what follows is long and of no use
    const [name = '', ...rest] = line.split(/ +/)
    // user nice system idle iowait irq softirq steal; what follows is part of user and nice
    const ticks = rest.slice(0, 8).map(Number)
    const all = ticks.reduce((sum, each) => sum + each, 0)
    if (ticks.length > IO_WAIT && Number.isFinite(all))
      found.set(name, { busy: all - (ticks[IDLE] ?? 0) - (ticks[IO_WAIT] ?? 0), all })
  }
  return found
}

/** /proc/loadavg. */
export const loadAverages = (text: string | null): readonly [number, number, number] | null => {
  const [one, five, fifteen] = (text ?? '').split(' ', 3).map(real)
  return one === null || one === undefined || five === null || fifteen === null
    ? null
    : [one, five as number, fifteen as number]
}

/** /proc/meminfo. */
export const memoryOf = (text: string | null): SystemMetrics['memory'] => {
  const [swap, swapFree] = [kilobytesIn(text, 'SwapTotal'), kilobytesIn(text, 'SwapFree')]
  return {
    total_bytes: kilobytesIn(text, 'MemTotal'),
    available_bytes: kilobytesIn(text, 'MemAvailable'),
    swap_used_bytes: swap === null || swapFree === null ? null : Math.max(0, swap - swapFree),
  }
}

/** A file of /proc/pressure: of one sort of line, `some` or `full`, the share over the last 10 s. */
const pressureIn = (text: string | null, line: 'some' | 'full'): number | null => {
  const percent = real(new RegExp(`^${line} avg10=([\\d.]+) `, 'm').exec(text ?? '')?.[1])
  return percent === null ? null : Math.min(100, percent)
}

/** The texts of /proc/pressure; null: the kernel reckons nothing of the sort. */
export const pressureOf = (cpu: string | null, memory: string | null, io: string | null): SystemMetrics['pressure'] => {
  const found = {
    cpu: { some_avg10: pressureIn(cpu, 'some') },
    memory: { some_avg10: pressureIn(memory, 'some'), full_avg10: pressureIn(memory, 'full') },
    io: { some_avg10: pressureIn(io, 'some'), full_avg10: pressureIn(io, 'full') },
  }
  const isKnown = [found.cpu, found.memory, found.io].some(({ some_avg10 }) => some_avg10 !== null)
  return isKnown ? found : null
}

/** /proc/net/dev: all interfaces but the one that leads back to the device itself. */
export const networkOf = (text: string | null): readonly NetworkReading[] =>
  (text ?? '')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', counters = ''] = /^ *([^\s:]{1,15}): *(\d.*)$/.exec(line) ?? []
      if (name === '' || name === 'lo') return []
      const numbers = counters.split(/ +/)
      return [{ interface: name, rx_bytes: whole(numbers[0]), tx_bytes: whole(numbers[8]) }]
    })
    .slice(0, MAX_INTERFACES)

/** /proc/PID/stat: ms computed. A name in brackets may hold anything, so it is read from the last bracket on. */
export const cpuMsOf = (text: string | null): number | null => {
  const fields = (text ?? '').slice((text ?? '').lastIndexOf(')') + 2).split(' ')
  const [user, system] = [whole(fields[11]), whole(fields[12])]
  return user === null || system === null ? null : (user + system) * TICK_MS
}

/** /proc/PID/status. */
export const residentBytesOf = (text: string | null): number | null => kilobytesIn(text, 'VmRSS')

/** /proc/PID/smaps_rollup. */
export const proportionalBytesOf = (text: string | null): number | null => kilobytesIn(text, 'Pss')

/** A line as `Pss:    123 kB`, in bytes. */
const kilobytesIn = (text: string | null, name: string): number | null => {
  const kilobytes = whole(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text ?? '')?.[1])
  return kilobytes === null ? null : kilobytes * KILOBYTE
}

/** Where a folder is mounted. */
export interface Mount {
  readonly isReadOnly: boolean
  /** The numbers of its device, `179:2`. */
  readonly device: string
}

/** /proc/self/mountinfo: the mount with the folder; of several at one place the last, which covers the others. */
export const mountOf = (text: string | null, folder: string): Mount | null => {
  let best: { readonly mount: Mount; readonly length: number } | undefined
  for (const line of (text ?? '').split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const [, , device = '', , place = '', options = ''] = before.split(' ')
    const superOptions = after.split(' ')[2] ?? ''
    const path = place.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    if (!/^\d+:\d+$/.test(device) || !holds(path, folder)) continue
    if (best && path.length < best.length) continue
    const isReadOnly = [options, superOptions].some((each) => each.split(',')[0] === 'ro')
    best = { mount: { isReadOnly, device }, length: path.length }
  }
  return best?.mount ?? null
}

const holds = (place: string, folder: string): boolean =>
  place === '/' || folder === place || folder.startsWith(`${place}/`)
