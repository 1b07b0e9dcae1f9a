// Plugins that mean harm, one after the other, beside two cameras and a robot: how many of the frames reach the robot
// while each does what it does, and how many in as long a time before. All is taken from the robot's side of NT4.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { isFault } from '../../../machines/errors/fault.ts'
import { packFolder } from '../../../native/plugins/pack/pack.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { DEAF, HOSTILE, type Hostile, hostileProgram } from '../../support/plugins/hostile.ts'
import { addStream, type Daemon, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { type Row, spread } from '../lab/row.ts'
import { MOUNT } from '../lab/scenes.ts'

const CAMERAS = ['a', 'b'] as const
const FPS = 30
const SPAN_MS = 3_000
const ROUNDS = 3
const ROBOT = new URL('../nt4/robot.ts', import.meta.url).pathname

/** Without those that end at once when they are let loose, and with one that never answers. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (Object.keys(HOSTILE) as Hostile[])
      .filter((each) => each !== 'leaves' && each !== 'forges')
      .map((each) => [each, hostileProgram(each)]),
  ),
  deaf: DEAF,
}

interface Seen {
  readonly at: number
  readonly frame: number
}

interface Turn {
  readonly kept: number
  readonly keptBefore: number
  readonly rate: number
}

export const pluginHostile: Measurement = async (lab) => {
  const port = Number(await start(lab, process.execPath, [ROBOT]).line())
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: `127.0.0.1:${port}` })
  for (const [n, id] of CAMERAS.entries()) {
    const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: FPS, seed: n + 1 } as const
    await addStream(daemon, { id, source, pose: MOUNT, extcam: { table: id } })
  }
  const records = await watchTables(lab, port)
  await delay(3_000)

  const rows: Row[] = []
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const turns: Turn[] = []
    for (let round = 0; round < ROUNDS; round += 1) turns.push(await turn({ lab, daemon, records }, name, program))
    const from = `${ROUNDS} rounds of ${SPAN_MS / 1000} s`
    const row = (what: string, of: (turn: Turn) => number): Row => ({ what, unit: '%', ...spread(turns.map(of)), from })
    rows.push(
      { ...row(`a plugin that ${name}: frames that the cameras keep`, ({ kept }) => kept), figure: { atLeast: 99 } },
      {
        ...row(`a plugin that ${name}: rate of the robot's tables, of that before`, ({ rate }) => rate),
        figure: { atLeast: 99 },
      },
      row('  frames that they keep before', ({ keptBefore }) => keptBefore),
    )
    lab.say(
      `${name}: ${turns.map(({ kept, keptBefore }) => `${kept.toFixed(2)} (${keptBefore.toFixed(2)})`).join(', ')}`,
    )
  }
  return rows
}

interface Scene {
  readonly lab: Lab
  readonly daemon: Daemon
  readonly records: Readonly<Record<string, Seen[]>>
}

const turn = async ({ lab, daemon, records }: Scene, name: string, program: string): Promise<Turn> => {
  await install(lab, daemon, name, program)
  const quietMs = performance.now()
  await delay(SPAN_MS)
  const looseMs = performance.now()
  void fetch(`${daemon.url}/v1/plugins/${name}/api/begin`).then(
    (response) => response.arrayBuffer(),
    () => {}, // the daemon ends first
  )
  await delay(SPAN_MS)
  const endMs = performance.now()
  await order(daemon, 'DELETE', `/v1/plugins/${name}`)
  const [before, during] = [share(records, quietMs, looseMs), share(records, looseMs, endMs)]
  return {
    kept: during.kept,
    keptBefore: before.kept,
    rate: (100 * during.arrived * (looseMs - quietMs)) / (before.arrived * (endMs - looseMs)),
  }
}

const install = async (lab: Lab, daemon: Daemon, name: string, program: string): Promise<void> => {
  const folder = join(lab.folder, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'main.py'), program)
  const manifest = {
    name,
    version: '1.0.0',
    minimum_api: 1,
    title: name,
    program: { runtime: 'python', path: 'main.py' },
    limits: { memory_mb: 64, cpu_percent: 50, disk_mb: 8, processes: 16 },
    provides: { routes: true },
  }
  writeFileSync(join(folder, 'vedette-plugin.json'), JSON.stringify(manifest))
  const packed = await packFolder(folder)
  if (isFault(packed)) throw new Error(packed.detail)
  const { upload } = (await order(daemon, 'POST', '/v1/plugins/upload', packed.bytes)) as { upload: string }
  await order(daemon, 'POST', '/v1/plugins/install', JSON.stringify({ upload }))
}

const order = async (daemon: Daemon, method: string, path: string, body?: Uint8Array | string): Promise<unknown> => {
  const type = typeof body === 'string' ? 'application/json' : 'application/zip'
  const response = await fetch(daemon.url + path, {
    method,
    ...(body && { body: body as Uint8Array<ArrayBuffer> | string, headers: { 'content-type': type } }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Subscribes to the results documents of all tables as a further client of the robot. */
const watchTables = async (lab: Lab, port: number): Promise<Scene['records']> => {
  const scope = Scope.makeUnsafe()
  lab.defer(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const connect = wsNt4.connect({ host: '127.0.0.1', port, name: 'bench' }, (fault) => lab.say(fault.detail))
  const session = await Effect.runPromise(Scope.provide(connect, scope))
  const records = Object.fromEntries(CAMERAS.map((name) => [name, [] as Seen[]]))
  for (const name of CAMERAS)
    session.subscribe([`/${name}/json`], { all: true, periodic: 0.005 }, ({ value }) => {
      const { fidx } = JSON.parse(value as string) as { fidx: number }
      records[name]?.push({ at: performance.now(), frame: fidx })
    })
  return records
}

/** Per cent of the frames that were taken in a span of time that reached the robot, and how many those are. */
const share = (records: Scene['records'], fromMs: number, toMs: number): { kept: number; arrived: number } => {
  let [taken, arrived] = [0, 0]
  for (const seen of Object.values(records)) {
    const numbers = seen.filter(({ at }) => at >= fromMs && at < toMs).map(({ frame }) => frame)
    taken += Math.max(...numbers) - Math.min(...numbers) + 1
    arrived += new Set(numbers).size
  }
  return { kept: (100 * arrived) / taken, arrived }
}
