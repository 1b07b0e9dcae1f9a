// From the end of a frame's detection, as the engine stamps it, until the socket to the robot has taken what is published of it. The daemon runs as
// always, with a probe around two of its methods (probe.ts); both ends of the time are CLOCK_MONOTONIC.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { addStream, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import type { Published } from './probe.ts'
import { type Relayed, startRelay } from './relayed.ts'
import { quantile, type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const MEASURED_MS = 60_000
const WARM_UP_MS = 5_000
const FPS = 30
const ROUND_FRAMES = 10 * FPS

const PROBE = new URL('probe.ts', import.meta.url).href
const ROBOT = new URL('robot.ts', import.meta.url).pathname

export const publishLatency: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: FPS }, pose: MOUNT } as const satisfies StreamManifest
  const demo = await run(lab, 'demo', synthetic)
  const files = await renderJpegs(lab, { manifest: synthetic, name: 'drive', count: 60 })
  const camera = await run(lab, 'camera', { source: { backend: 'images', path: [...files], fps: FPS } })
  const relayed = (q: 'p50' | 'p99', { least }: Run): Row => ({
    what: `  what a process that only passes bytes on takes meanwhile, ${q}`,
    unit: 'ms',
    ...spread(least.map((round) => round[`${q}_us`] / 1000)),
    from: `${least.length} rounds of 10 s`,
  })
  return [
    { ...row('detection end to NT4 socket write, p50', demo.all, 0.5), figure: { atMost: 1 } },
    { ...row('detection end to NT4 socket write, p99', demo.all, 0.99), figure: { atMost: 3 } },
    heldRow(demo),
    row('  frames written as soon as they came, p99', demo.atOnce, 0.99),
    relayed('p50', demo),
    relayed('p99', demo),
    row('  without a synthetic camera on the same cores, p50', camera.all, 0.5),
    row('  without a synthetic camera on the same cores, p99', camera.all, 0.99),
    heldRow(camera),
    row('  frames written as soon as they came, p99', camera.atOnce, 0.99),
    relayed('p99', camera),
  ]
}

/** all, atOnce: ms of each frame, and of those that did not have to wait for their turn. least: what a relay took beside it. */
interface Run {
  readonly all: readonly number[]
  readonly atOnce: readonly number[]
  readonly least: readonly Relayed[]
}

const run = async (lab: Lab, name: string, manifest: StreamManifest): Promise<Run> => {
  const robot = start(lab, process.execPath, [ROBOT])
  const file = join(lab.folder, `${name}.json`)
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, name),
    nt4: `127.0.0.1:${await robot.line()}`,
    nodeOptions: `--import ${PROBE}`,
    env: { VEDETTE_BENCH_PROBE: file },
  })
  await addStream(daemon, { ...manifest, id: name })
  const relay = startRelay(lab)
  await delay(WARM_UP_MS + MEASURED_MS)
  const least = await relay.rounds(MEASURED_MS / 10_000)
  await daemon.stop()
  await robot.stop()
  const published = (JSON.parse(readFileSync(file, 'utf8')) as Published[]).slice((WARM_UP_MS * FPS) / 1000)
  const all = published.map(({ us }) => us / 1000)
  const atOnce = published.filter(({ held }) => !held).map(({ us }) => us / 1000)
  lab.say(`${name}: p50 ${quantile(all, 0.5).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(2)} ms`)
  return { all, atOnce, least }
}

/** Two writes keep 20 ms apart; a frame that comes sooner, or just after a sign of life, waits. */
const heldRow = ({ all, atOnce }: Run): Row => ({
  what: '  frames held back to keep 20 ms between two writes',
  unit: '%',
  ...spread([(100 * (all.length - atOnce.length)) / all.length]),
  from: `${all.length} frames`,
})

/** The quantile over all frames; its spread over rounds of ten seconds. */
const row = (what: string, ms: readonly number[], q: number): Row => {
  const rounds = Array.from({ length: Math.floor(ms.length / ROUND_FRAMES) }, (_, n) =>
    quantile(ms.slice(n * ROUND_FRAMES, (n + 1) * ROUND_FRAMES), q),
  )
  return { what, unit: 'ms', ...spread(rounds), measured: quantile(ms, q), from: `${ms.length} frames` }
}
