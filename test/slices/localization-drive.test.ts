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
const TURNED_DEG = 2

const sourceOf = (id: string) => ({
  backend: 'synthetic' as const,
  width_px: 800,
  height_px: 500,
  fps: 10,
  exposure_us: 1000,
  seed: ids.indexOf(id),
  motion: 'drive' as const,
  drive: { seed: 11, speed_m_s: 1.5, spin_deg_s: 60 },
  ...(id === 'left' && { faults: { mount: { ...LEVEL, yaw_deg: TURNED_DEG } } }),
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

/** By how many degrees two cameras disagree, in each round in which both say something. */
const betweenIn = (rounds: readonly Solve[], one: string, other: string): readonly number[] =>
  rounds.flatMap(({ cameras }) => {
    const [a, b] = [one, other].map((id) => cameras.find(({ stream_id }) => stream_id === id)?.offset?.yaw_deg)
    return a === undefined || b === undefined ? [] : [a - b]
  })

const MIN_ROUNDS = 10 // of each two: where a robot drives to, and when, the clock decides

test('three cameras of a robot give one pose, and show which of them sits off', async (t) => {
  const daemon = await site(t).start()
  await daemon.send('PUT', '/v1/localization/config', { round_wait_ms: 200 }) // on a busy machine pictures come late
  for (const id of ids)
    await daemon.addStream({ id, source: sourceOf(id), pose: MOUNTS[id] as PoseDocument, map_id: '2026-welded' })
  const { rounds, truths } = listener(t, daemon)

  const others = ids.filter((id) => id !== 'left')
  const apart = () => others.map((id) => betweenIn(solvedIn(rounds), 'left', id))
  const offM = () =>
    solvedIn(rounds).flatMap(({ pose, captured_us }) => {
      const truth = truths.get(captured_us as number)
      return truth && pose ? [Math.hypot(pose.x_m - truth.x_m, pose.y_m - truth.y_m)] : []
    })
  const counts = () => [offM().length, ...apart().map(({ length }) => length)]
  await until('poses with two cameras', counts, ([off = 0, ...rest]) => off >= 40 && Math.min(...rest) >= MIN_ROUNDS)
  const { engine_pid } = await daemon.metrics('right')
  process.kill(engine_pid as number, 'SIGKILL')
  const killedAt = rounds.length
  await until('fifteen poses more', () => solvedIn(rounds.slice(killedAt)).length >= 15)
  await daemon.stream('right', 'live')

  const errors = offM()
  assert.ok(quantile(errors, 0.5) < 0.1, `${quantile(errors, 0.5)} m off`)
  for (const [n, degrees] of apart().entries()) {
    const told = `left and ${others[n]} are ${quantile(degrees, 0.5)} degrees apart in ${degrees.length} rounds`
    t.diagnostic(told)
    assert.ok(Math.abs(quantile(degrees, 0.5) - TURNED_DEG) < 1, told)
  }
  const times = rounds.flatMap(({ captured_us }) => captured_us ?? [])
  assert.ok(
    times.every((us, n) => n === 0 || us > (times[n - 1] as number)),
    'rounds come twice, or out of order',
  )
  const read = () => daemon.get<Solve>('/v1/localization/solve')
  await until('tracking', read, ({ state }) => state === 'tracking')
})
