// What four streams at 60 frames a second cost the control process, all keys of the vendor's table and of our own
// published for each to a robot that reads none of them, against a bare relay of as many messages of the same bytes in
// the same seconds. Counted is all that a process uses, its idle life included: its main thread, and all its threads.
// Frames come at 60 a second and the robot gets 50 of them: the bytes that the relay writes are those of a frame in the
// mean.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { type Relay, startRelay } from '../bare/relayed.ts'
import { addStream, type Daemon, frameBytes, framesOf, getJson, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs, threadCpuUs } from '../lab/processes.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { eightTagMap, MOUNT, renderCamera } from '../lab/scenes.ts'
import { SMALL } from '../lab/small-pictures.ts'

const ROUNDS = 12
const ROUND_MS = 5_000
const WARM_UP_MS = 20_000 // until the compiler has seen the frame's way often enough
const LIMIT_MS = 5 * 60_000

const IDS = ['one', 'two', 'three', 'four']
/**
 * The first of them that the machine keeps in all four streams is measured at: of slower streams each frame bears more
 * of what the process does anyway.
 */
const RATES = [60, 50, 40, 30]
const KEPT = 0.97
const LOOK_MS = 3_000
const PICTURES = 30

/** Four tags in a square, close by, so that small pictures show them. */
const MAP: FieldMap = {
  ...eightTagMap,
  id: 'four',
  name: 'Four tags on a wall',
  tags: [1, 2, 3, 4].map((id) => ({
    id,
    pose: {
      x_m: 0,
      y_m: 3.85 + 0.3 * ((id - 1) % 2),
      z_m: id > 2 ? 1 : 0.7,
      roll_deg: 0,
      pitch_deg: 0,
      yaw_deg: 0,
    },
  })),
}
const STANDING = { x_m: 1.25, y_m: 4, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }
const ROBOT = new URL('../nt4/robot.ts', import.meta.url).pathname

export const fourStreams: Measurement = async (lab) => {
  const dataDir = join(lab.folder, 'data')
  mkdirSync(join(dataDir, 'maps'), { recursive: true })
  writeFileSync(join(dataDir, 'maps', 'four.json'), JSON.stringify(MAP))
  const robot = start(lab, process.execPath, [ROBOT])
  const daemon = await startDaemon(lab, { dataDir, nt4: `127.0.0.1:${await robot.line()}` })
  const fps = await streamsAtTheRateThatIsKept(lab, daemon)
  const relay = startRelay(lab, { result: 3_500, topics: 3_500 }, { fps, streams: IDS.length })
  await delay(WARM_UP_MS)
  await checkThatAllIsThere(daemon)
  const bytes = await frameBytes(daemon, ...IDS)

  const turns: Turn[] = []
  let left = 0
  for (const endMs = performance.now() + LIMIT_MS; turns.length < ROUNDS && performance.now() < endMs; ) {
    await relay.resize(bytes)
    const turn = await round(daemon, relay)
    const isKept = Math.min(turn.fps, turn.relayedFps) >= KEPT * fps
    if (isKept) turns.push(turn)
    else left += 1
    const us = [turn.mainUs, turn.relayUs].map((each) => each.toFixed(0))
    const rates = [turn.fps, turn.relayedFps].map((each) => each.toFixed(1))
    lab.say(
      oneLine`
        ${us[0]} µs per frame at ${rates[0]} fps, the relay ${us[1]} µs at ${rates[1]}:
        ${ratio(turn).toFixed(2)}${isKept ? '' : '; left out'}
      `,
    )
  }
  if (turns.length === 0)
    throw new Error(`four streams did not keep ${fps} fps in any round; measure on a quieter machine`)
  return rowsOf(turns, { fps, left, ...bytes })
}

/** µs of a frame, or of a message. fps: of each stream. */
interface Turn {
  readonly mainUs: number
  readonly allUs: number
  readonly relayUs: number
  readonly relayAllUs: number
  readonly fps: number
  readonly relayedFps: number
}

const ratio = ({ mainUs, relayUs }: Turn): number => mainUs / relayUs

/** The requests that count the frames lie outside what is counted; they put the number of frames a few off. */
const round = async (daemon: Daemon, relay: Relay): Promise<Turn> => {
  const before = await framesOf(daemon, IDS)
  await relay.round()
  const startMs = performance.now()
  const [main, all, relayAll] = [threadCpuUs(daemon.pid), processCpuUs(daemon.pid), processCpuUs(relay.pid)]
  await delay(ROUND_MS)
  const mainUs = threadCpuUs(daemon.pid) - main
  const allUs = processCpuUs(daemon.pid) - all
  const relayAllUs = processCpuUs(relay.pid) - relayAll
  const { cpu_us: relayUs, us } = await relay.round()
  const frames = (await framesOf(daemon, IDS)) - before
  const seconds = (performance.now() - startMs) / 1000
  return {
    mainUs: mainUs / frames,
    allUs: allUs / frames,
    relayUs,
    relayAllUs: relayAllUs / us.length,
    fps: frames / seconds / IDS.length,
    relayedFps: us.length / seconds / IDS.length,
  }
}

const streamsAtTheRateThatIsKept = async (lab: Lab, daemon: Daemon): Promise<number> => {
  const source = { backend: 'synthetic', motion: 'still', pose: STANDING, ...SMALL } as const
  const manifest = { source, pose: MOUNT } satisfies StreamManifest
  const { files, intrinsics } = await renderCamera(lab, { manifest, map: MAP, name: 'pictures', count: PICTURES })
  if (!intrinsics) throw new Error('the synthetic camera has no intrinsics')
  for (const fps of RATES) {
    const images = { backend: 'images' as const, path: [...files], fps }
    for (const id of IDS) await addStream(daemon, { id, source: images, intrinsics, pose: MOUNT, map_id: MAP.id })
    await delay(LOOK_MS)
    const before = await framesOf(daemon, IDS)
    const startMs = performance.now()
    await delay(LOOK_MS)
    const found = ((await framesOf(daemon, IDS)) - before) / ((performance.now() - startMs) / 1000) / IDS.length
    lab.say(`four streams that are to have ${fps} fps have ${found.toFixed(1)}`)
    if (found >= KEPT * fps || fps === RATES.at(-1)) return fps
    for (const id of IDS) await fetch(`${daemon.url}/v1/streams/${id}`, { method: 'DELETE' })
  }
  throw new Error('there is no rate to be tried')
}

const checkThatAllIsThere = async ({ url }: Daemon): Promise<void> => {
  const { status } = await getJson<{ status: { connected: boolean } }>(`${url}/v1/device/nt4`)
  if (!status.connected) throw new Error('the robot is not connected')
  for (const id of IDS) {
    const tags = await getJson<{ sample: { rows: unknown[] } }>(`${url}/v1/streams/${id}/pipeline/outputs/tags/sample`)
    if (tags.sample.rows.length !== MAP.tags.length)
      throw new Error(`${tags.sample.rows.length} tags are seen by ${id} instead of ${MAP.tags.length}`)
  }
}

interface Found {
  readonly fps: number
  readonly left: number
  readonly result: number
  readonly topics: number
}

const rowsOf = (turns: readonly Turn[], { fps, left, result, topics }: Found): Row[] => {
  const leftOut = left === 0 ? '' : `, ${left} left out in which the rate was not kept`
  const row = rowsOver(turns, `${turns.length} rounds of ${ROUND_MS / 1000} s at ${fps} fps${leftOut}`)
  const what = oneLine`
    4 streams of 4 tags, wanted at 60 fps and measured at ${median(turns.map((turn) => turn.fps)).toFixed(0)}
  `
  return [
    row(`main-thread CPU per frame, ${what}, against a bare relay of the same bytes`, '', ratio, { atMost: 2 }),
    row('  all threads of both', '', ({ allUs, relayAllUs }) => allUs / relayAllUs, { atMost: 2 }),
    row('  the control process, main thread', 'ms', ({ mainUs }) => mainUs / 1000),
    row('  the control process, all threads', 'ms', ({ allUs }) => allUs / 1000),
    row(`  the relay, main thread, ${result} bytes in and ${topics} out`, 'ms', ({ relayUs }) => relayUs / 1000),
    row('  the relay, all threads', 'ms', ({ relayAllUs }) => relayAllUs / 1000),
    row('  frames a second of each stream', '', (turn) => turn.fps),
  ]
}
