// A robot with three cameras, one of which sits two degrees off: it drives, and whoever listens reads one pose, sees
// which camera disagrees, and keeps the pose when the engine of a camera dies.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import type { LocalizationSolve } from '../../machines/localization/solve-document.ts'
import { quantile } from '../bench/lab/row.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const LEVEL: PoseDocument = { x_m: 0, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const MOUNTS: Readonly<Record<string, PoseDocument>> = {
  front: { ...LEVEL, x_m: 0.3, z_m: 0.4, pitch_deg: -15 },
  left: { ...LEVEL, x_m: 0.2, y_m: 0.3, z_m: 0.4, pitch_deg: -15, yaw_deg: 55 },
  right: { ...LEVEL, x_m: 0.2, y_m: -0.3, z_m: 0.4, pitch_deg: -15, yaw_deg: -55 },
}
const ids = Object.keys(MOUNTS)

const sourceOf = (id: string) => ({
  backend: 'synthetic' as const,
  width_px: 800,
  height_px: 500,
  fps: 10,
  exposure_us: 1000,
  seed: ids.indexOf(id),
  motion: 'drive' as const,
  drive: { seed: 11, speed_m_s: 1.5, spin_deg_s: 60 },
  ...(id === 'left' && { faults: { mount: { ...LEVEL, yaw_deg: 2 } } }),
})

type Solve = LocalizationSolve

/** All that the service says of rounds, and of where the robot was at each picture. */
const listener = (t: TestContext, daemon: Daemon) => {
  const query = `localization=true&streams=${ids.join(',')}&outputs=truth&rate=240`
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/v1/results?${query}`)
  t.after(() => socket.close())
  const rounds: Solve[] = []
  const truths = new Map<number, PoseDocument>()
  socket.addEventListener('message', ({ data }) => {
    const { localization, captured_us, outputs } = JSON.parse(data)
    if (outputs) truths.set(captured_us, outputs.truth.rows[0].field_robot)
    else if (localization && localization.round !== rounds.at(-1)?.round) rounds.push(localization)
  })
  return { rounds, truths }
}

const solvedIn = (rounds: readonly Solve[]) => rounds.filter(({ pose, is_sure }) => pose !== null && is_sure)

test('three cameras of a robot give one pose, and show which of them sits off', async (t) => {
  const daemon = await site(t).start()
  await daemon.send('PUT', '/v1/localization/config', { round_wait_ms: 200 }) // on a busy machine pictures come late
  for (const id of ids)
    await daemon.addStream({ id, source: sourceOf(id), pose: MOUNTS[id] as PoseDocument, map_id: '2026-welded' })
  const { rounds, truths } = listener(t, daemon)

  await until('fifty poses', () => solvedIn(rounds).length >= 50)
  const { engine_pid } = await daemon.metrics('right')
  process.kill(engine_pid as number, 'SIGKILL')
  const killedAt = rounds.length
  await until('fifteen poses more', () => solvedIn(rounds.slice(killedAt)).length >= 15)
  await daemon.stream('right', 'live')

  const poses = solvedIn(rounds)
  const offM = poses.flatMap(({ pose, captured_us }) => {
    const truth = truths.get(captured_us as number)
    return truth && pose ? [Math.hypot(pose.x_m - truth.x_m, pose.y_m - truth.y_m)] : []
  })
  assert.ok(offM.length >= 40, `the truth of ${offM.length} rounds is known`)
  assert.ok(quantile(offM, 0.5) < 0.1, `${quantile(offM, 0.5)} m off`)
  const joint = poses.filter(({ cameras }) => cameras.filter(({ tags_used }) => tags_used > 0).length > 1)
  const turnedBy = (id: string) =>
    quantile(
      joint.flatMap(({ cameras }) => cameras.find(({ stream_id }) => stream_id === id)?.offset?.yaw_deg ?? []),
      0.5,
    )
  const [left = 0, front = 0, right = 0] = ['left', 'front', 'right'].map(turnedBy)
  const told = `left ${left}, front ${front}, right ${right} degrees in ${joint.length} rounds`
  assert.ok(left > 0.3 && left > front + 0.5 && left > right + 0.5, told) // what all say lies between them
  const times = rounds.flatMap(({ captured_us }) => captured_us ?? [])
  assert.ok(
    times.every((us, n) => n === 0 || us > (times[n - 1] as number)),
    'rounds come twice, or out of order',
  )
  const read = () => daemon.get<Solve>('/v1/localization/solve')
  await until('tracking', read, ({ state }) => state === 'tracking')
})
