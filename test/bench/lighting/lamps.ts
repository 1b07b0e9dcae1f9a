// What 300 LEDs that move sixty times a second cost the service, how late their pictures are, and how long they shine
// after its end. The strip is a pipe, which stands where an SPI bus would; at its other end the pictures get their
// times.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LightingConfig } from '../../../machines/lighting/config.ts'
import { monotonicUs } from '../../../native/clock/system.ts'
import { type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { type Helper, type Lab, type Measurement, ROOT, start } from '../lab/lab.ts'
import { median, quantile, rowsOver, worst } from '../lab/row.ts'
import { usedPerSecond } from '../lab/usage.ts'

const PIXELS = 300
const PERIOD_US = 16_667
const PICTURE_BYTES = 1 + 9 * PIXELS + 96 // a lead, 3 bytes of the bus for each of a colour, and the silence
const ROUNDS = 6
const ROUND_MS = 10_000
const KILLS = 10
const SETTLE_MS = 5_000
const MAX_CPU_PERCENT = 3
const MAX_LATE_MS = 2
const MAX_LIT_MS = 1_000
const EARLIEST = 0.05
const EARLY_US = 500

const SERVICE_NICE = -5 // native/programs/precedence.ts
const STAMPS = 'native/addon/build/lamp-stamps'
const BUS = '/dev/spidev99.0'

export const lamps: Measurement = async (lab) => {
  await promisify(execFile)('make', ['-s', '-C', 'native/addon', 'build/lamp-stamps', 'build/vedette-lamps'], {
    cwd: ROOT,
  })
  const lit = await startLit(lab, 'lit')
  const quiet = await startDaemon(lab, { dataDir: join(lab.folder, 'quiet'), nt4: 'off' })
  await delay(SETTLE_MS)
  const rounds: Round[] = []
  while (rounds.length < ROUNDS) {
    const round = await measure(lab, lit, quiet)
    rounds.push(round)
    const [all, control, late, bare] = [round.percent, round.controlPercent, round.lateMs, round.bareMs].map((each) =>
      each.toFixed(2),
    )
    lab.say(`${all} % (${control} % of it the control process), p99 ${late} ms, bare timer ${bare} ms`)
  }
  await lit.daemon.stop()
  const kills: { readonly offMs: number }[] = []
  while (kills.length < KILLS) {
    kills.push({ offMs: await killOnce(lab, `kill-${kills.length}`) })
    lab.say(`dark ${kills.at(-1)?.offMs.toFixed(1)} ms after the kill`)
  }
  const row = rowsOver(rounds, `${ROUNDS} rounds of ${ROUND_MS / 1_000} s, a bare timer and a quiet service beside it`)
  const killed = rowsOver(kills, `${KILLS} kills`)
  return [
    row(
      `CPU of ${PIXELS} LEDs at 60 Hz: the service and the process that holds them, above a service without, of a core`,
      '%',
      ({ percent }) => percent,
      { atMost: MAX_CPU_PERCENT },
    ),
    row('  of that: the control process', '%', ({ controlPercent }) => controlPercent),
    row('lateness of their pictures above that of a bare timer, p99', 'ms', (one) => one.lateMs - one.bareMs, {
      atMost: MAX_LATE_MS,
    }),
    row('  p99 of the pictures', 'ms', ({ lateMs }) => lateMs),
    row('  p99 of the bare timer', 'ms', ({ bareMs }) => bareMs),
    row('  pictures of a second', '', ({ rate }) => rate),
    worst(
      killed('lamps dark after the service was killed (SIGKILL)', 'ms', ({ offMs }) => offMs, { atMost: MAX_LIT_MS }),
    ),
  ]
}

interface Round {
  readonly percent: number
  readonly controlPercent: number
  readonly lateMs: number
  readonly bareMs: number
  readonly rate: number
}

/** A service that has a strip, and the other end of its pipe. */
interface Lit {
  readonly daemon: Daemon
  readonly reader: Helper
}

const measure = async (lab: Lab, { daemon, reader }: Lit, quiet: Daemon): Promise<Round> => {
  const bare = makePipe(lab, `bare-${performance.now()}`)
  const bareReader = await startReader(lab, bare)
  await seenBy(reader)
  const writer = startStamps(lab, [
    ...['write', bare, String(PICTURE_BYTES), String(PERIOD_US)],
    String(Math.floor((ROUND_MS * 1_000) / PERIOD_US)),
  ])
  const wait = delay(ROUND_MS)
  const [used, usedByQuiet] = await Promise.all([
    usedPerSecond(daemon.pid, () => wait),
    usedPerSecond(quiet.pid, () => wait),
  ])
  await writer.ended
  const [pictures, references] = [await seenBy(reader), await seenBy(bareReader)]
  return {
    percent: (used.allUs - usedByQuiet.allUs) / 10_000,
    controlPercent: (used.firstUs - usedByQuiet.firstUs) / 10_000,
    lateMs: lateness(pictures),
    bareMs: lateness(references),
    rate: pictures.length / (ROUND_MS / 1_000),
  }
}

/** One picture as it was read. */
interface Seen {
  readonly at_us: number
  readonly isDark: boolean
}

/**
 * p99 of how long after its moment a picture came, ms. Moments are a period apart, and it is not known where they
 * begin: the earliest twentieth of each second was in time. What is later than a period counts as of the next one.
 */
const lateness = (seen: readonly Seen[]): number => {
  const bySecond = Map.groupBy(seen, ({ at_us }) => Math.floor(at_us / 1_000_000))
  const late = [...bySecond.values()].flatMap((second) => {
    const times = second.map(({ at_us }) => at_us)
    const middle = median(times.map((at_us) => sinceMoment(at_us, times[0] as number, PERIOD_US / 2)))
    const around = (times[0] as number) + middle
    const inTime =
      around +
      quantile(
        times.map((at_us) => sinceMoment(at_us, around, PERIOD_US / 2)),
        EARLIEST,
      )
    return times.map((at_us) => sinceMoment(at_us, inTime, EARLY_US) / 1_000)
  })
  return quantile(late, 0.99)
}

/** How long after the latest moment of a grid it is, µs; what is less than `earlyUs` before one is before that. */
const sinceMoment = (at_us: number, moment_us: number, earlyUs: number): number => {
  const since = (at_us - moment_us + earlyUs) % PERIOD_US
  return (since < 0 ? since + PERIOD_US : since) - earlyUs
}

const makePipe = ({ folder }: Lab, name: string): string => {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  return path
}

/** With the precedence of the service, or what is measured would be that. */
const startStamps = (lab: Lab, args: readonly string[]): Helper =>
  start(lab, 'nice', ['-n', String(SERVICE_NICE - getPriority()), STAMPS, ...args])

const startReader = async (lab: Lab, pipe: string): Promise<Helper> => {
  const reader = startStamps(lab, ['read', pipe, String(PICTURE_BYTES)])
  if ((await reader.line()) !== 'open') throw new Error('the pipe cannot be read')
  return reader
}

const seenBy = async (reader: Helper): Promise<readonly Seen[]> => {
  reader.kill('SIGUSR1')
  const seen: Seen[] = []
  for (;;) {
    const line = await reader.line()
    if (line === 'end') return seen
    const [at_us, dark] = line.split(' ').map(Number) as [number, number]
    seen.push({ at_us, isDark: dark === 1 })
  }
}

const startLit = async (lab: Lab, name: string): Promise<Lit> => {
  const pipe = makePipe(lab, `${name}-pipe`)
  const own = join(lab.folder, `${name}-dev`)
  mkdirSync(own)
  // its own /dev, which nobody else sees, with a bus that is the pipe
  const prepare = [
    `mount -t tmpfs vedette ${own}`,
    `mkdir ${own}/upper ${own}/work`,
    `mount -t overlay vedette -o lowerdir=/dev,upperdir=${own}/upper,workdir=${own}/work /dev`,
    `: >${BUS}`,
    `mount --bind ${pipe} ${BUS}`,
  ].join(' && ')
  const reader = await startReader(lab, pipe) // while nobody reads, the strip is not there
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, name), nt4: 'off', prepare })
  const { config } = await getJson<{ readonly config: LightingConfig }>(`${daemon.url}/v1/device/lighting/config`)
  const id = `spi:${BUS.slice('/dev/spidev'.length)}`
  await post(daemon, '/v1/device/lighting/config', {
    ...config,
    outputs: [{ id, pixels: PIXELS, channels: 3, order: 'GRB', active_low: false }],
    groups: [{ name: 'strip', parts: [{ output: id, from: 0, count: PIXELS, reversed: false }] }],
  })
  await post(daemon, '/v1/device/lighting', { command: 'animation', animation: 'rainbow', ttl_ms: 86_400_000 })
  return { daemon, reader }
}

const post = async ({ url }: Daemon, path: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
}

/** How long after its kill the strip was told to be dark for good, ms. */
const killOnce = async (lab: Lab, name: string): Promise<number> => {
  const { daemon, reader } = await startLit(lab, name)
  await delay(2_000)
  const killed_us = monotonicUs()
  daemon.kill('SIGKILL')
  await delay(3_000)
  const seen = await seenBy(reader)
  await reader.stop()
  const last = seen.at(-1)
  if (!last?.isDark || !seen.some(({ isDark }) => !isDark)) throw new Error('it was never lit, or shines for ever')
  const lastLit = seen.findLastIndex(({ isDark }) => !isDark)
  return ((seen[lastLit + 1]?.at_us ?? Number.NaN) - killed_us) / 1_000
}
