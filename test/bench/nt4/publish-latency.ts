// From the end of a frame's detection, as the engine stamps it, until the socket to the robot has taken what is
// published of it, and how much of that a bare relay of as many bytes does not need in the same seconds. The daemon
// runs as always, with a probe around two of its methods (probe.ts); both ends of the time are CLOCK_MONOTONIC.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { monotonicUs } from '../../../native/clock/system.ts'
import { startRelay } from '../bare/relayed.ts'
import { addStream, frameBytes, SOURCES, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { quantile, type Row, spread } from '../lab/row.ts'
import { MOUNT, renderJpegs } from '../lab/scenes.ts'
import type { Published } from './probe.ts'

const ROUNDS = 6
const ROUND_MS = 15_000
const WARM_UP_MS = 5_000
const FPS = 30

const PROBE = new URL('probe.ts', import.meta.url).href
const ROBOT = new URL('robot.ts', import.meta.url).pathname

export const publishLatency: Measurement = async (lab) => {
  const synthetic = { source: { backend: 'synthetic', fps: FPS }, pose: MOUNT } as const satisfies StreamManifest
  const demo = await run(lab, 'demo', synthetic)
  const files = await renderJpegs(lab, { manifest: synthetic, name: 'drive', count: 60 })
  const camera = await run(lab, 'camera', { source: { backend: 'images', path: [...files], fps: FPS } })
  return [
    ...rows(demo, '', { p50: 0.3, p99: 2 }),
    heldRow(demo),
    ...rows(camera, ', without a synthetic camera on the same cores', {}),
    heldRow(camera),
  ]
}

/** ms of each frame. */
interface Round {
  /** From the end of detection until written. */
  readonly ours: readonly number[]
  /** What a relay took in the same seconds. */
  readonly relayed: readonly number[]
}

/** atOnce: the share of the frames that did not have to wait for their turn. */
interface Run {
  readonly rounds: readonly Round[]
  readonly atOnce: number
}

const run = async (lab: Lab, name: string, manifest: StreamManifest): Promise<Run> => {
  const robot = start(lab, process.execPath, [ROBOT])
  const file = join(lab.folder, `${name}.json`)
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, name),
    nt4: `127.0.0.1:${await robot.line()}`,
    nodeOptions: `--import ${PROBE}`,
    main: SOURCES, // the probe changes their modules
    env: { VEDETTE_BENCH_PROBE: file },
  })
  await addStream(daemon, { ...manifest, id: name })
  await delay(WARM_UP_MS)
  const relay = startRelay(lab, await frameBytes(daemon, name))
  await delay(WARM_UP_MS)
  await relay.round()
  const spans: { fromUs: number; toUs: number; relayed: readonly number[] }[] = []
  while (spans.length < ROUNDS) {
    const fromUs = monotonicUs()
    await delay(ROUND_MS)
    const { us } = await relay.round()
    spans.push({ fromUs, toUs: monotonicUs(), relayed: us.map((each) => each / 1000) })
  }
  await relay.stop()
  await daemon.stop()
  await robot.stop()
  const published = JSON.parse(readFileSync(file, 'utf8')) as Published[]
  const rounds = spans.map(({ fromUs, toUs, relayed }) => ({
    ours: published.filter(({ atUs }) => atUs > fromUs && atUs <= toUs).map(({ us }) => us / 1000),
    relayed,
  }))
  for (const q of [0.5, 0.99])
    lab.say(`${name}: ${rounds.map((round) => aboveRelay(round, q).toFixed(2)).join(', ')} ms more`)
  return { rounds, atOnce: published.filter(({ held }) => !held).length / published.length }
}

const aboveRelay = ({ ours, relayed }: Round, q: number): number => quantile(ours, q) - quantile(relayed, q)

const rows = ({ rounds }: Run, where: string, atMost: { readonly p50?: number; readonly p99?: number }): Row[] =>
  (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).flatMap(([name, q]) => {
    const row = (what: string, of: (round: Round) => number) => ({
      what,
      unit: 'ms',
      from: `${rounds.length} rounds of ${ROUND_MS / 1000} s`,
      ...spread(rounds.map(of)),
    })
    const figure = atMost[name] === undefined ? {} : { figure: { atMost: atMost[name] } }
    return [
      {
        ...row(`detection end to NT4 socket write, ${name}, above a relay's${where}`, (round) => aboveRelay(round, q)),
        ...figure,
      },
      row('  of the service', ({ ours }) => quantile(ours, q)),
      row('  of the relay', ({ relayed }) => quantile(relayed, q)),
    ]
  })

/** Two frames keep 20 ms apart; one that comes sooner waits. */
const heldRow = ({ atOnce, rounds }: Run): Row => ({
  what: '  frames held back to keep 20 ms between two',
  unit: '%',
  ...spread([100 * (1 - atOnce)]),
  from: `${rounds.flatMap(({ ours }) => ours).length} frames`,
})
