// What a frame costs the one thread that everything else of the control process shares, with eight tags in view,
// published to a robot in another process, against a bare relay of the same bytes in the same seconds. Nobody watches
// over HTTP. Counted is all that the main threads use, their idle life included.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FrameBytes, type Relay, startRelay } from '../bare/relayed.ts'
import { addStream, type Daemon, frameBytes, getJson, metrics, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs, threadCpuUs } from '../lab/processes.ts'
import { type Row, spread } from '../lab/row.ts'
import { eightTagMap, eightTagSource, MOUNT, renderCamera } from '../lab/scenes.ts'

const ROUNDS = 12 // of each kind, turn about
const ROUND_MS = 5_000
const SETTLE_MS = 1_000 // after a change of what is written
const WARM_UP_MS = 20_000 // until the compiler has seen the frame's way often enough

const LIMIT_MS = 10 * 60_000

const ID = 'eight'
const FPS = 30
const MIN_FPS = 28 // of a camera that is slower each frame bears more of what the process does anyway
const ROBOT = new URL('robot.ts', import.meta.url).pathname

export const controlCpu: Measurement = async (lab) => {
  const dataDir = join(lab.folder, 'data')
  mkdirSync(join(dataDir, 'maps'), { recursive: true })
  writeFileSync(join(dataDir, 'maps', 'eight.json'), JSON.stringify(eightTagMap))
  const robot = start(lab, process.execPath, [ROBOT])
  const daemon = await startDaemon(lab, { dataDir, nt4: `127.0.0.1:${await robot.line()}` })
  const subscribe = async (isSubscribed: boolean) => {
    robot.tell(isSubscribed ? 'read /limelight/json' : 'leave')
    await robot.line()
    await delay(SETTLE_MS)
  }
  await addStream(daemon, await eightTagCamera(lab))
  const relay = startRelay(lab, { result: 3_500, topics: 9_000 })
  await subscribe(true)
  await delay(WARM_UP_MS)
  await checkThatAllIsThere(daemon)
  const subscribed = await frameBytes(daemon, ID)
  await subscribe(false)
  await delay(WARM_UP_MS)
  const unsubscribed = await frameBytes(daemon, ID)

  const plain: Round[] = []
  const withJson: Round[] = []
  const take = async (rounds: Round[], bytes: FrameBytes) => {
    const one = await round(lab, daemon, relay, bytes)
    if (one.fps >= MIN_FPS) rounds.push(one)
  }
  for (const endMs = performance.now() + LIMIT_MS; withJson.length < ROUNDS && performance.now() < endMs; ) {
    await take(plain, unsubscribed)
    await subscribe(true)
    await take(withJson, subscribed)
    await subscribe(false)
  }
  return [...rows('json not subscribed', 2, plain, unsubscribed), ...rows('json subscribed', 3.5, withJson, subscribed)]
}

/**
 * Small pictures that are ready made: the engine keeps up with them when other programs run, and the control process
 * has the same to do.
 */
const eightTagCamera = async (lab: Lab) => {
  const manifest = { source: { ...eightTagSource, width_px: 640, height_px: 400 }, pose: MOUNT }
  const { files, intrinsics } = await renderCamera(lab, { manifest, map: eightTagMap, name: 'pictures', count: 30 })
  if (!intrinsics) throw new Error('the synthetic camera has no intrinsics')
  const source = { backend: 'images' as const, path: [...files], fps: FPS }
  return { id: ID, source, intrinsics, pose: MOUNT, map_id: eightTagMap.id }
}

/** µs of CPU per frame. ratio: of the main thread to the relay's. */
interface Round {
  readonly mainUs: number
  readonly allUs: number
  readonly relayUs: number
  readonly ratio: number
  readonly fps: number
}

const rows = (how: string, atMost: number, rounds: readonly Round[], { result, topics }: FrameBytes): Row[] => {
  const from = `${rounds.length} rounds of ${ROUND_MS / 1000} s`
  const row = (what: string, unit: string, of: (round: Round) => number) => ({
    what,
    unit,
    from,
    ...spread(rounds.map(of)),
  })
  return [
    {
      ...row(`main-thread CPU per frame, ${how}, against a bare relay of the same bytes`, '', ({ ratio }) => ratio),
      figure: { atMost },
    },
    row(`  the control process, main thread`, 'ms', ({ mainUs }) => mainUs / 1000),
    row(`  the relay, ${result} bytes in and ${topics} out`, 'ms', ({ relayUs }) => relayUs / 1000),
    row(`  the control process, all threads`, 'ms', ({ allUs }) => allUs / 1000),
  ]
}

/** The requests that count the frames lie outside what is counted; they put the number of frames at most one off. */
const round = async (lab: Lab, daemon: Daemon, relay: Relay, bytes: FrameBytes): Promise<Round> => {
  const { frames: before } = await metrics(daemon, ID)
  await relay.resize(bytes)
  const [main, all] = [threadCpuUs(daemon.pid), processCpuUs(daemon.pid)]
  await delay(ROUND_MS)
  const [mainUs, allUs] = [threadCpuUs(daemon.pid) - main, processCpuUs(daemon.pid) - all]
  const { cpu_us: relayUs } = await relay.round()
  const frames = (await metrics(daemon, ID)).frames - before
  const ratio = mainUs / frames / relayUs
  const fps = (1000 * frames) / ROUND_MS
  const us = [mainUs / frames, relayUs].map((each) => each.toFixed(0))
  lab.say(`${us[0]} µs per frame at ${fps.toFixed(1)} fps, the relay ${us[1]} µs: ${ratio.toFixed(2)}`)
  return { mainUs: mainUs / frames, allUs: allUs / frames, relayUs, ratio, fps }
}

const checkThatAllIsThere = async ({ url }: Daemon): Promise<void> => {
  const tags = await getJson<{ sample: { rows: unknown[] } }>(`${url}/v1/streams/${ID}/pipeline/outputs/tags/sample`)
  const { status } = await getJson<{ status: { connected: boolean } }>(`${url}/v1/device/nt4`)
  if (tags.sample.rows.length !== 8 || !status.connected)
    throw new Error(`${tags.sample.rows.length} tags are seen instead of 8, or the robot is not connected`)
}
