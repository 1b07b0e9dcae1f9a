// From the end of a frame's detection, as the engine stamps it, until the socket to the robot has taken what is published of it. The daemon runs as
// always, with a probe around two of its methods (probe.ts); both ends of the time are CLOCK_MONOTONIC.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamManifest } from '../../machines/stream-manifest.ts'
import { addStream, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { quantile, type Row } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const MEASURED_MS = 60_000
const WARM_UP_MS = 5_000
const FPS = 30
const ROUND_FRAMES = 10 * FPS

const PROBE = new URL('probe.ts', import.meta.url).href
const ROBOT = new URL('robot.ts', import.meta.url).pathname

export const publishLatency: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: FPS }, pose: MOUNT } as const satisfies StreamManifest
  const demo = await latencies(lab, 'demo', synthetic)
  const files = await renderJpegs(lab, { manifest: synthetic, name: 'drive', count: 60 })
  const camera = await latencies(lab, 'camera', { source: { backend: 'images', path: [...files], fps: FPS } })
  return [
    { ...row('detection end to NT4 socket write, p50, demo', demo, 0.5), figure: { atMost: 1 } },
    { ...row('detection end to NT4 socket write, p99, demo', demo, 0.99), figure: { atMost: 3 } },
    row('  the same without a synthetic camera on the same cores, p50', camera, 0.5),
    row('  p99', camera, 0.99),
  ]
}

/** ms, of each frame. */
const latencies = async (lab: Lab, name: string, manifest: StreamManifest): Promise<readonly number[]> => {
  const robot = start(lab, process.execPath, [ROBOT])
  const file = join(lab.folder, `${name}.json`)
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, name),
    nt4: `127.0.0.1:${await robot.line()}`,
    nodeOptions: `--import ${PROBE}`,
    env: { VEDETTE_BENCH_PROBE: file },
  })
  await addStream(daemon, { ...manifest, id: name })
  await delay(WARM_UP_MS + MEASURED_MS)
  await daemon.stop()
  await robot.stop()
  const us = JSON.parse(readFileSync(file, 'utf8')) as number[]
  const ms = us.slice((WARM_UP_MS * FPS) / 1000).map((each) => each / 1000)
  lab.say(
    `${name}: ${ms.length} frames, p50 ${quantile(ms, 0.5).toFixed(2)} ms, p99 ${quantile(ms, 0.99).toFixed(2)} ms`,
  )
  return ms
}

/** The quantile over all frames; its spread over rounds of ten seconds. */
const row = (what: string, ms: readonly number[], q: number): Row => {
  const rounds = Array.from({ length: Math.floor(ms.length / ROUND_FRAMES) }, (_, n) =>
    quantile(ms.slice(n * ROUND_FRAMES, (n + 1) * ROUND_FRAMES), q),
  )
  return {
    what,
    unit: 'ms',
    measured: quantile(ms, q),
    low: Math.min(...rounds),
    high: Math.max(...rounds),
    from: `${ms.length} frames`,
  }
}
