// From the exposure of tags until the socket to the robot has taken `robot_pose`, and how much of that a stream's own
// table does not need for the same frame. The daemon runs as always, with a probe around three of its methods
// (pose-probe.ts); both ends of the time are CLOCK_MONOTONIC.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CORNER_MOUNTS } from '../../support/localization/worlds.ts'
import { addStream, SOURCES, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { quantile, type Row } from '../lab/row.ts'
import type { Written } from './pose-probe.ts'

const WARM_UP_MS = 5_000
const MEASURED_MS = 60_000
const FPS = 15 // so that four cameras leave some of two cores

const PROBE = new URL('pose-probe.ts', import.meta.url).href
const ROBOT = new URL('../nt4/robot.ts', import.meta.url).pathname

export const poseLatency: Measurement = async (lab) => [
  ...rowsOf('one camera', await run(lab, 1)),
  ...rowsOf('four cameras', await run(lab, 4)),
]

const run = async (lab: Lab, cameras: number): Promise<readonly Written[]> => {
  const robot = start(lab, process.execPath, [ROBOT])
  const file = join(lab.folder, `written-${cameras}.json`)
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, `cameras-${cameras}`),
    nt4: `127.0.0.1:${await robot.line()}`,
    nodeOptions: `--import ${PROBE}`,
    main: SOURCES, // the probe changes their modules
    env: { VEDETTE_BENCH_PROBE: file },
  })
  for (const [n, pose] of CORNER_MOUNTS.slice(0, cameras).entries())
    await addStream(daemon, {
      id: `camera-${n}`,
      source: {
        backend: 'synthetic',
        width_px: 640,
        height_px: 400,
        fps: FPS,
        seed: n,
        motion: 'drive',
        drive: { seed: 5, speed_m_s: 1, spin_deg_s: 45 },
      },
      pose,
      map_id: '2026-welded',
    })
  await delay(WARM_UP_MS)
  const fromUs = monotonicUs()
  await delay(MEASURED_MS)
  const toUs = monotonicUs()
  await daemon.stop()
  await robot.stop()
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written[]
  return written.filter(({ atUs }) => atUs > fromUs && atUs <= toUs)
}

const monotonicUs = (): number => Number(process.hrtime.bigint()) / 1000

const rowsOf = (what: string, written: readonly Written[]): readonly Row[] => {
  const poses = written.filter(({ table }) => table === 'localization')
  const ended = poses.filter(({ isAtOnce }) => isAtOnce)
  const streams = new Map(written.flatMap((one) => (one.table === 'stream' && one.isAtOnce ? [[one.result, one]] : [])))
  const pairs = ended.flatMap((pose) => {
    const stream = streams.get(pose.result)
    return stream ? [{ pose, stream }] : []
  })
  const row = (name: string, values: readonly number[], atMost?: number): Row => ({
    what: `${what}: ${name}`,
    unit: 'ms',
    measured: quantile(values, 0.5),
    low: quantile(values, 0.05),
    high: quantile(values, 0.95),
    from: `${values.length} rounds; 5 to 95 of 100`,
    ...(atMost !== undefined && { figure: { atMost } }),
  })
  const share = (100 * ended.length) / poses.length
  return [
    row(
      'robot_pose written, above the own table of the frame that ended the round, p50',
      pairs.map(({ pose, stream }) => (pose.atUs - stream.atUs) / 1000),
      1,
    ),
    row(
      '  exposure of that frame until its own table is written, p50',
      pairs.map(({ stream }) => (stream.atUs - stream.capturedUs) / 1000),
    ),
    row(
      '  exposure of that frame until robot_pose is written, p50',
      pairs.map(({ pose }) => (pose.atUs - pose.capturedUs) / 1000),
    ),
    {
      what: `${what}: rounds that a frame ended, not the wait`,
      unit: '%',
      measured: share,
      low: share,
      high: share,
      from: `${poses.length} rounds`,
    },
  ]
}
