// A robot that drives, with a camera and an IMU: what a robot program, a dashboard and a recording say of the IMU is
// what the camera sees, at the time at which it sees it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { LocalizationSolve } from '../../machines/localization/solve-document.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { ROTATION_BYTES } from '../../machines/own-table/structs.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const RAD = Math.PI / 180
const drive = { seed: 7, speed_m_s: 3, spin_deg_s: 180 }
const source = {
  backend: 'synthetic',
  width_px: 640,
  height_px: 400,
  fps: 30,
  motion: 'drive',
  drive,
  exposure_us: 1000,
} as const
const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: -12, yaw_deg: 40 }

interface Turned {
  readonly us: number
  readonly yaw: number
}

const wrapped = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))

const linesOf = (text: string): Record<string, never>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** What was recorded, in two files: where the robot looked in each picture, and how it turned. */
const recorded = async (daemon: Daemon, name: string) => {
  const results = await fetch(`${daemon.url}/v1/media/${name}?as=results`).then((answer) => answer.text())
  const felt = await fetch(`${daemon.url}/v1/media/${name}/imu`).then((answer) => answer.text())
  const [, ...frames] = linesOf(results) as unknown as readonly {
    pts_us: number
    outputs: { truth: readonly { field_robot: { qw: number; qz: number } }[] }
  }[]
  const samples = linesOf(felt) as unknown as readonly { pts_us: number; gyro_rad_s: readonly number[] }[]
  return {
    seen: frames.flatMap(({ pts_us: us, outputs }): Turned[] => {
      const [truth] = outputs.truth
      return truth ? [{ us, yaw: 2 * Math.atan2(truth.field_robot.qz, truth.field_robot.qw) }] : []
    }),
    samples,
  }
}

/** The yaw that follows from the rates, at the time of each sample. */
const integrated = (samples: readonly { pts_us: number; gyro_rad_s: readonly number[] }[]): readonly Turned[] => {
  let yaw = 0
  return samples.map(({ pts_us: us, gyro_rad_s }, n) => {
    const before = samples[n - 1]
    if (before) {
      const rate = ((gyro_rad_s[2] as number) + (before.gyro_rad_s[2] as number)) / 2
      yaw += (rate * (us - before.pts_us)) / 1e6
    }
    return { us, yaw }
  })
}

const yawAt = (turns: readonly Turned[], us: number): number | undefined => {
  const after = turns.findIndex((turn) => turn.us >= us)
  const [a, b] = [turns[after - 1], turns[after]]
  return a && b && a.yaw + ((b.yaw - a.yaw) * (us - a.us)) / (b.us - a.us)
}

/** The longest part in which the robot turns without a rest: a robot that rests teaches the service its bias. */
const turning = (seen: readonly Turned[], turns: readonly Turned[]): readonly Turned[] => {
  const rests = ({ us }: Turned) => {
    const [before, after] = [us - 50_000, us + 50_000].map((at) => yawAt(turns, at))
    return before === undefined || after === undefined || Math.abs(after - before) < 0.3 * RAD
  }
  let longest: readonly Turned[] = []
  let now: readonly Turned[] = []
  for (const each of seen) {
    now = rests(each) ? [] : [...now, each]
    if (now.length > longest.length) longest = now
  }
  return longest
}

/**
 * By how many seconds the pictures are ahead of the turns, by least squares of an origin, a bias and that. What is left
 * is in radians.
 */
const lagBetween = (seen: readonly Turned[], turns: readonly Turned[]) => {
  const first = seen[0] as Turned
  let whole = 0
  const rows = seen.flatMap(({ us, yaw }, n) => {
    const [here, before, after] = [us, us - 5_000, us + 5_000].map((at) => yawAt(turns, at))
    whole += n === 0 ? 0 : wrapped(yaw - (seen[n - 1] as Turned).yaw)
    if (here === undefined || before === undefined || after === undefined) return []
    return [{ off: whole - here, row: [1, (us - first.us) / 1e6, (after - before) / 0.01] }]
  })
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const normal = [0, 1, 2].map((i) => [
    ...[0, 1, 2].map((j) => sum(({ row }) => (row[i] as number) * (row[j] as number))),
    sum(({ row, off }) => (row[i] as number) * off),
  ])
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) {
      if (k === i) continue
      const share = (normal[k]?.[i] as number) / (normal[i]?.[i] as number)
      for (let j = 0; j < 4; j++)
        (normal[k] as number[])[j] = (normal[k]?.[j] as number) - share * (normal[i]?.[j] as number)
    }
  const found = [0, 1, 2].map((i) => (normal[i]?.[3] as number) / (normal[i]?.[i] as number))
  const left = rows.map(({ row, off }) => off - row.reduce((total, part, i) => total + part * (found[i] as number), 0))
  return { lagS: found[2] as number, left: Math.hypot(...left) / Math.sqrt(left.length), count: rows.length }
}

const started = async (t: TestContext, more: object = {}) => {
  const place = site(t)
  const daemon = await place.start({ device: 'fake', nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({ id: 'front', source: { ...source, ...more }, pose, map_id: '2026-welded' })
  await daemon.stream('front', 'live')
  const dashboard = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  return { place, daemon, dashboard }
}

const record = (daemon: Daemon) => daemon.send('POST', '/v1/streams/front/recording/start', {})

/** Until the robot has turned one way and stood, or turned the other way: what turns evenly tells no time. */
const turnsAbout = async (rates: () => readonly number[]) => {
  const parts = () => {
    const all = rates()
    return [
      all.filter((rate) => rate > 60),
      all.filter((rate) => Math.abs(rate) < 20),
      all.filter((rate) => rate < -60),
    ]
  }
  await until('a robot that turns in different ways', () => parts().filter(({ length }) => length >= 40).length >= 2)
}

/** Until so many pictures of one turn are recorded: how many one has is a matter of the machine. */
const turnRecorded = async (daemon: Daemon, rates: () => readonly number[], wanted: number) => {
  const WINDOW = 5 // a tenth of a second
  const rests = (some: readonly number[]) => Math.abs(some.reduce((sum, rate) => sum + rate, 0)) < 6 * WINDOW
  let [seen, from, longest] = [rates().length, 0, 0]
  const look = async () => {
    const { recording } = (await daemon.get<StreamView>('/v1/streams/front')).status
    const frames = recording?.frames ?? 0
    const all = rates()
    for (; seen < all.length; seen++) if (rests(all.slice(Math.max(0, seen - WINDOW), seen))) from = frames
    longest = Math.max(longest, frames - from)
    return longest
  }
  await until('pictures of one turn', look, (pictures) => pictures >= wanted)
}

test('side-car and tables turn as the camera does, within a millisecond', async (t) => {
  const { daemon, dashboard } = await started(t)
  const own = gather(dashboard, ['/vedette/device/imu/'], { prefix: true, all: true })
  const vendor = gather(dashboard, ['/limelight/imu'], { all: true })
  const rates = () =>
    own.updates
      .filter(({ topic }) => topic.name.endsWith('/rates_deg_s'))
      .map(({ value }) => (value as readonly number[])[2] as number)
  await vendor.atLeast(1)
  await record(daemon)
  const before = own.updates.length
  await Promise.all([turnsAbout(() => rates().slice(Math.floor(before / 5))), turnRecorded(daemon, rates, 12)])
  await daemon.send('POST', '/v1/streams/front/recording/stop', {})

  const { items } = await daemon.get<{ items: readonly MediaItem[] }>('/v1/media')
  const { seen, samples } = await recorded(daemon, items[0]?.name as string)
  const turns = integrated(samples)
  const { lagS, left, count } = lagBetween(turning(seen, turns), turns)
  assert.ok(count > 10, `${count} pictures`)
  assert.ok(Math.abs(lagS) < 0.001, `the camera is ${1000 * lagS} ms ahead of the IMU`)
  assert.ok(left < 0.5 * RAD, `${left / RAD} degrees apart`)
  const times = own.updates.filter(({ topic }) => topic.name.endsWith('/captured_us')).map(({ value }) => Number(value))
  assert.ok(times.every((us, n) => n === 0 || us - (times[n - 1] as number) >= 19_000))
  const turned = own.updates.find(({ topic }) => topic.name.endsWith('/orientation'))
  assert.ok(turned)
  assert.deepEqual([turned.topic.type, (turned.value as Uint8Array).length], ['struct:Rotation3d', ROTATION_BYTES])
  const told = vendor.updates.map(({ value }) => value as readonly number[])
  for (const numbers of told) assert.equal(numbers.length, 10)
  // one that drives off as it is switched on takes that for a lean at first
  const pitches = told.map((numbers) => numbers[2] as number).sort((a, b) => a - b)
  const usual = pitches[Math.floor(pitches.length / 2)] as number
  assert.ok(Math.abs(usual + 12) < 5, `pitch ${usual}`)
  const { finalimu } = (await fetch(`${daemon.url}/extcam/limelight/status`).then((answer) => answer.json())) as {
    readonly finalimu: readonly number[]
  }
  assert.equal(finalimu.length, 10)
  assert.ok(finalimu.some((each) => each !== 0))
})

test('what the IMU said of a recording outlives the service, and the robot is found by it', async (t) => {
  const slow = { width_px: 1280, height_px: 800, fps: 10, drive: { seed: 11, speed_m_s: 1, spin_deg_s: 40 } }
  const { place, daemon } = await started(t, slow)
  // what is made up hangs where it is said to hang
  const errors = { map_m: 0.001, map_deg: 0.05, mount_m: 0.001, mount_deg: 0.05, lens_share: 0.0001 }
  await daemon.send('PUT', '/v1/localization/config', { heading: { use_imu: true }, errors })
  await record(daemon)
  const { heading } = await until(
    'a heading of the IMU that is used',
    () => daemon.get<LocalizationSolve>('/v1/localization/solve'),
    (solve) => solve.heading.from === 'imu' && solve.heading.used,
  )
  await until('some of the recording', async () => {
    const { recording } = (await daemon.get<StreamView>('/v1/streams/front')).status
    return (recording?.duration_ms ?? 0) > 2_000
  })
  await daemon.end('SIGKILL')
  const again = await place.start({ device: 'fake' })

  const [item] = await until(
    'what is whole of the recording',
    async () => (await again.get<{ items: readonly MediaItem[] }>('/v1/media')).items,
    ([first]) => first?.state === 'ready',
  )
  const { samples } = await recorded(again, item?.name as string)
  assert.notEqual(heading.offset_deg, null)
  assert.deepEqual([item?.flaw, item?.state], ['interrupted', 'ready'])
  assert.ok(samples.length > 100, `${samples.length} measurements`)
})
