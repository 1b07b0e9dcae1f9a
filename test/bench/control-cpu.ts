// What a frame costs the one thread that everything else of the control process shares, with eight tags in view, published to a robot in another
// process. Nobody watches over HTTP. Counted is all that the main thread uses, its idle life included; that alone is told as well.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addStream, type Daemon, getJson, metrics, startDaemon } from './daemon.ts'
import { type Lab, type Measurement, start } from './lab.ts'
import { processCpuUs, threadCpuUs } from './processes.ts'
import { startRelay } from './relayed.ts'
import { spread } from './row.ts'
import { eightTagMap, eightTagSource, MOUNT } from './scenes.ts'

const ROUNDS = 6
const ROUND_MS = 10_000
const WARM_UP_MS = 20_000 // until the compiler has seen the frame's way often enough

const ID = 'eight'
const ROBOT = new URL('robot.ts', import.meta.url).pathname

export const controlCpu: Measurement = async (lab) => {
  const dataDir = join(lab.folder, 'data')
  mkdirSync(join(dataDir, 'maps'), { recursive: true })
  writeFileSync(join(dataDir, 'maps', 'eight.json'), JSON.stringify(eightTagMap))
  const robot = start(lab, process.execPath, [ROBOT])
  const daemon = await startDaemon(lab, { dataDir, nt4: `127.0.0.1:${await robot.line()}` })

  const idle = await idleRounds(lab, daemon)
  await addStream(daemon, { id: ID, source: eightTagSource, pose: MOUNT, map_id: eightTagMap.id })
  const relay = startRelay(lab)
  await delay(WARM_UP_MS)
  await checkThatAllIsThere(daemon)
  const busy = await busyRounds(lab, daemon)
  const least = await relay.rounds(ROUNDS)
  return [
    {
      what: 'main-thread CPU per frame in the control process, 8 tags',
      unit: 'ms',
      figure: { atMost: 0.1 },
      ...spread(busy.map((round) => round.mainUs / 1000)),
      from: framesOf(busy),
    },
    {
      what: '  what a process that only passes on as many bytes needs',
      unit: 'ms',
      ...spread(least.map(({ cpu_us }) => cpu_us / 1000)),
      from: `${least.length} rounds of 10 s`,
    },
    { what: '  all its threads', unit: 'ms', ...spread(busy.map((round) => round.allUs / 1000)), from: framesOf(busy) },
    {
      what: '  without a stream, main thread, per second',
      unit: 'ms',
      ...spread(idle),
      from: `${idle.length} rounds of 10 s`,
    },
  ]
}

interface BusyRound {
  readonly frames: number
  readonly mainUs: number
  readonly allUs: number
}

const framesOf = (rounds: readonly BusyRound[]): string =>
  `${rounds.length} rounds of 10 s, ${rounds.reduce((sum, { frames }) => sum + frames, 0)} frames`

/** The requests that count the frames lie outside what is counted; they put the number of frames at most one off. */
const busyRounds = async (lab: Lab, daemon: Daemon): Promise<BusyRound[]> => {
  const rounds: BusyRound[] = []
  while (rounds.length < ROUNDS) {
    const { frames: before } = await metrics(daemon, ID)
    const [main, all] = [threadCpuUs(daemon.pid), processCpuUs(daemon.pid)]
    await delay(ROUND_MS)
    const [mainUs, allUs] = [threadCpuUs(daemon.pid) - main, processCpuUs(daemon.pid) - all]
    const frames = (await metrics(daemon, ID)).frames - before
    rounds.push({ frames, mainUs: mainUs / frames, allUs: allUs / frames })
    lab.say(`${(mainUs / frames).toFixed(0)} µs per frame`)
  }
  return rounds
}

/** ms per second. */
const idleRounds = async (lab: Lab, daemon: Daemon): Promise<number[]> => {
  await delay(5_000)
  const rounds: number[] = []
  while (rounds.length < 2) {
    const before = threadCpuUs(daemon.pid)
    await delay(ROUND_MS)
    rounds.push((threadCpuUs(daemon.pid) - before) / ROUND_MS)
    lab.say(`${(rounds.at(-1) as number).toFixed(2)} ms per idle second`)
  }
  return rounds
}

const checkThatAllIsThere = async ({ url }: Daemon): Promise<void> => {
  const tags = await getJson<{ sample: { rows: unknown[] } }>(`${url}/v1/streams/${ID}/pipeline/outputs/tags/sample`)
  const { status } = await getJson<{ status: { connected: boolean } }>(`${url}/v1/device/nt4`)
  if (tags.sample.rows.length !== 8 || !status.connected)
    throw new Error(`${tags.sample.rows.length} tags are seen instead of 8, or the robot is not connected`)
}
