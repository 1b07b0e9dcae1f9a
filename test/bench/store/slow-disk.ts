// What a slow disk costs a robot: each sync of the settings takes 250 ms or 2 s more, and four cameras at 60 fps are
// told ten times a second to switch pipelines. The longest time for which the robot hears no heartbeat of a camera,
// beside the same without that delay. The engines are fake: four real ones take a machine of two cores whole.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import { tagsAs } from '../../support/engine/graphs.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { slowSync } from '../../support/processes/slow-sync.ts'
import { addStream, getJson, startDaemon } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { SMALL } from '../lab/small-pictures.ts'

const IDS = ['one', 'two', 'three', 'four']
const SPAN_MS = 10_000
const SWITCH_EVERY_MS = 100
const FPS = 60

export const slowDisk: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const ms of [0, 250, 2_000]) {
    const { gapMs, heartbeats, writes, lost } = await heard(lab, ms)
    lab.say(
      `syncs of ${ms} ms more: longest gap ${gapMs.toFixed(0)} ms, ${heartbeats} heartbeats, ${writes} switches stored`,
    )
    const from = `${SPAN_MS / 1000} s, ${heartbeats} heartbeats, ${writes} switches stored`
    const one = (what: string, unit: string, measured: number): Row => ({
      what,
      unit,
      measured,
      low: measured,
      high: measured,
      from,
    })
    rows.push(one(`syncs of ${ms} ms more: longest gap between heartbeats`, 'ms', gapMs))
    rows.push({ ...one('  links lost', '', lost), figure: { atMost: 0 } })
  }
  return rows
}

const heard = (lab: Lab, ms: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const report = () => {}
        const server = yield* wsNt4.serve({ host: '127.0.0.1', port: 0, persistentFile: null }, report)
        const robot = yield* wsNt4.connect({ host: '127.0.0.1', port: server.port, name: 'robot' }, report)
        return yield* Effect.promise(() => measured(lab, ms, server.port, robot))
      }),
    ),
  )

type Robot = Effect.Success<ReturnType<typeof wsNt4.connect>> extends infer Session ? Session : never

const measured = async (lab: Lab, ms: number, port: number, robot: Robot) => {
  const daemon = await startDaemon(lab, {
    dataDir: join(lab.folder, `data-${ms}`),
    nt4: `127.0.0.1:${port}`,
    env: { ...slowSync(ms), VEDETTE_ENGINE: 'fake' },
  })
  for (const id of ['near', 'far'])
    await fetch(`${daemon.url}/v1/pipelines/graphs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, ...tagsAs(id) }),
    })
  const slots = ['near', 'far'].map((graph_id, slot) => ({ slot, graph_id }))
  for (const id of IDS)
    await addStream(daemon, {
      id,
      slots,
      extcam: { table: `limelight-${id}` },
      source: { backend: 'synthetic', motion: 'orbit', fps: FPS, ...SMALL },
    })
  const lastMs = new Map<string, number>()
  let [gapMs, heartbeats] = [0, 0]
  const topics = IDS.map((id) => `/limelight-${id}/hb`)
  robot.subscribe(topics, { periodic: 0.005, all: true }, ({ topic }) => {
    const now = performance.now()
    gapMs = Math.max(gapMs, now - (lastMs.get(topic.name) ?? now))
    lastMs.set(topic.name, now)
    heartbeats += 1
  })
  const keys = IDS.map((id) => robot.publish(`/limelight-${id}/pipeline`, 'double'))
  await delay(5_000)
  const before = await revisions(daemon.url)
  ;[gapMs, heartbeats] = [0, 0]
  for (let n = 0; n < SPAN_MS / SWITCH_EVERY_MS; n += 1) {
    robot.write(keys.map((key) => [key, n % 2]))
    await delay(SWITCH_EVERY_MS)
  }
  const now = performance.now()
  for (const topic of topics) gapMs = Math.max(gapMs, now - (lastMs.get(topic) ?? 0))
  const writes = (await revisions(daemon.url)) - before
  const { items } = await getJson<{ items: { code: string }[] }>(`${daemon.url}/v1/errors`)
  const lost = items.filter(({ code }) => code === 'nt4.closed' || code === 'nt4.unreachable').length
  await daemon.stop()
  return { gapMs, heartbeats, writes, lost }
}

const revisions = async (url: string): Promise<number> => {
  const all = await Promise.all(IDS.map((id) => getJson<{ revision: number }>(`${url}/v1/streams/${id}`)))
  return all.reduce((sum, { revision }) => sum + revision, 0)
}
