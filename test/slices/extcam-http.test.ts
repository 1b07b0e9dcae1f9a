// Clients of the vendor's camera over real sockets: at the root of ports of their own, which they ask without any path
// of ours.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import type { MediaItem } from '../../machines/media/item.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { countKeptAlive } from '../support/api/kept-alive.ts'
import { isJpeg, pictures, viewer } from '../support/api/preview.ts'
import { rawRequest } from '../support/api/raw-http.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const

interface Results {
  readonly v: number
  readonly fidx: number
}

const partOf = async (daemon: Daemon, name: string) => {
  const { parts } = await daemon.get<{
    parts: { name: string; state: string; fault: { code: string; detail: string } | null }[]
  }>('/v1/health')
  return parts.find((part) => part.name === name)
}

/** A service with a stream that has all ports of its own. */
const cameras = async (t: TestContext, extcam: Partial<StreamManifest['extcam']> = {}) => {
  const daemon = await site(t).start()
  const [results_port, stream_port, push_port] = await Promise.all([freePort(), freePort(), freePort()])
  await daemon.addStream({ id: 'front', source, extcam: { results_port, stream_port, push_port, ...extcam } })
  const listening = (name: string) =>
    until(
      name,
      () => partOf(daemon, `extcam-ports/front/${name}`),
      (part) => part?.state === 'open.listening',
    )
  return { daemon, listening, ports: { results_port, stream_port, push_port } }
}

const ask = async <Body>(port: number, path: string, init: RequestInit = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  return { status: response.status, body: (await response.json()) as Body }
}

/** What comes on a socket until the test ends. */
const listener = async (t: TestContext, port: number) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  t.after(() => socket.terminate())
  const heard: Results[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return { socket, heard }
}

test('a stream is served at the root of its ports as the vendor serves it, with the rules of the API', async (t) => {
  const { daemon, listening, ports } = await cameras(t)
  await Promise.all(['results', 'stream', 'push'].map(listening))

  const results = await until(
    'a target',
    () => ask<Results>(ports.results_port, '/results'),
    ({ body }) => body.v === 1,
  )
  const main = await daemon.get<Results>('/extcam/limelight/results')
  const status = await ask<{ pipelineIndex: number }>(ports.results_port, '/status')
  const kept = await ask<MediaItem>(ports.results_port, '/capturesnapshot', {
    headers: { snapname: 'by-the-goal', 'user-agent': 'python-requests/2.32' },
  })
  const switched = await fetch(`http://127.0.0.1:${ports.results_port}/pipeline-switch?index=0`, { method: 'POST' })
  const empty = await ask<{ code: string }>(ports.results_port, '/pipeline-switch?index=5', { method: 'POST' })
  const rebound = await rawRequest(ports.results_port, 'GET /results HTTP/1.1\r\nHost: evil.example\r\n\r\n')
  const elsewhere = await ask<{ code: string }>(ports.results_port, '/v1/streams')

  assert.ok(main.fidx >= results.body.fidx)
  assert.deepEqual([status.status, status.body.pipelineIndex], [200, 0])
  assert.deepEqual([kept.status, kept.body.stream_id], [200, 'front'])
  assert.match(kept.body.name, /^by-the-goal/)
  assert.deepEqual([switched.status, empty.status, empty.body.code], [200, 409, 'slot.empty'])
  assert.equal(rebound.status, 421)
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, 'route.not_found'])

  for (const path of ['/', '/stream.mjpg']) {
    const { shown } = await viewer(t, `http://127.0.0.1:${ports.stream_port}${path}`)
    const [first] = await until(
      'pictures',
      () => pictures(shown),
      (all) => all.length > 2,
    )
    assert.ok(isJpeg(first?.jpeg as Buffer))
  }
  const { heard } = await listener(t, ports.push_port)
  await until(
    'ten frames',
    () => heard.length,
    (count) => count > 10,
  )
  const frames = heard.map(({ fidx }) => fidx)
  assert.deepEqual(
    frames,
    [...new Set(frames)].toSorted((a, b) => a - b),
    'each frame once, in their order',
  )
})

test('a program without NT says which way the robot looks, and reads what is known of the camera', async (t) => {
  const daemon = await site(t).start()
  const results_port = await freePort()
  await daemon.addStream({ id: 'front', source, extcam: { results_port } })
  await until(
    'the port',
    () => partOf(daemon, 'extcam-ports/front/results'),
    (part) => part?.state === 'open.listening',
  )
  const say = (body: unknown) =>
    fetch(`http://127.0.0.1:${results_port}/update-robotorientation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const heading = async () => {
    const { status } = await say([40, 0, 0, 0, 0, 0])
    const { botpose_orb } = await daemon.get<{ botpose_orb: readonly number[] }>('/extcam/limelight/results')
    return { status, yaw_deg: botpose_orb[5] }
  }

  const first = await until('a place by the heading', heading, ({ yaw_deg }) => yaw_deg === 40)
  const refusals = await Promise.all(
    [[1, 2], [1e9, 0, 0, 0, 0, 0], { yaw: 1 }].map(async (body) => (await say(body)).status),
  )
  const [report] = (await ask<Record<string, unknown>[]>(results_port, '/hwreport')).body
  const main = await daemon.get<unknown>('/extcam/limelight/hwreport')

  assert.deepEqual([first.status, refusals], [200, [400, 400, 400]])
  assert.deepEqual([report?.width_px, report?.height_px, report?.calibrated], [640, 480, 1])
  assert.ok((report?.hfov_deg as number) > 20 && (report?.hfov_deg as number) < 150)
  assert.deepEqual(main, [report])
})

test('one who listens to results and goes without a word is missed, also where hardly a frame comes', async (t) => {
  const daemon = await site(t).start()
  const push_port = await freePort()
  await daemon.addStream({ id: 'front', source: { ...source, fps: 1 }, extcam: { push_port } })
  await until(
    'the port',
    () => partOf(daemon, 'extcam-ports/front/push'),
    (part) => part?.state === 'open.listening',
  )

  await listener(t, push_port)

  await until(
    'the probes of the kernel',
    () => countKeptAlive(push_port),
    (count) => count === 1,
  )
})

test('the document says what is kept of the last pictures, and nothing of it where none are', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({ id: 'front', source, rewind: { enabled: true, max_bytes: 1024 * 1024 } })
  await daemon.addStream({ id: 'rear', alias: 'rear', source })
  interface Rewind {
    readonly enabled: number
    readonly storedSeconds: number
    readonly frameCount: number
    readonly bufferUsage: number
  }
  const lab = nt4Lab(t)
  const robot = await lab.connect(daemon.nt4Port)
  const json = gather(robot, ['/limelight/json'])
  const told = (table: string) => daemon.get<{ rewind?: Rewind }>(`/extcam/${table}/results`)

  const { rewind } = await until(
    'more than a second',
    () => told('limelight'),
    ({ rewind: now }) => now && now.storedSeconds > 1,
  )
  robot.write([[robot.publish('/limelight/rewind_enable_set', 'double'), 0]])
  const paused = await until(
    'the pause',
    () => told('limelight'),
    ({ rewind: now }) => now?.enabled === 0,
  )
  await until('the same over NT', () => JSON.parse(String(json.updates.at(-1)?.value ?? '{}')).rewind?.enabled === 0)

  assert.equal(rewind?.enabled, 1)
  assert.ok((rewind?.frameCount ?? 0) > 1 && Number.isInteger(rewind?.frameCount))
  assert.ok((rewind?.bufferUsage ?? 0) > 0 && (rewind?.bufferUsage ?? 2) <= 1)
  assert.deepEqual(Object.keys(paused.rewind ?? {}), [
    ...['enabled', 'storedSeconds', 'frameCount', 'bufferUsage', 'flushing', 'latpen'],
  ])
  assert.equal((await told('limelight-rear')).rewind, undefined)
})

test('what the device does not know of itself is 0 wherever the vendor has it', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({ id: 'front', source })
  interface Condition {
    readonly temp: number
    readonly cpu: number
    readonly ram: number
  }
  const robot = gather(await nt4Lab(t).connect(daemon.nt4Port), ['/limelight/hw', '/limelight/json'])
  const newest = (key: string) => robot.updates.findLast(({ topic }) => topic.name === `/limelight/${key}`)?.value
  const told = async () => {
    const { hw } = await daemon.get<{ hw: Condition }>('/extcam/limelight/results')
    const document = newest('json') as string | undefined
    return {
      status: await daemon.get<Condition>('/extcam/limelight/status'),
      results: hw,
      json: document === undefined ? undefined : (JSON.parse(document) as { hw: Condition }).hw,
      list: newest('hw') as readonly number[] | undefined,
    }
  }

  const { status, results, json, list } = await until(
    'what there is to know',
    told,
    ({ status: { ram }, json: document, list: figures }) =>
      ram > 0 && (document?.ram ?? 0) > 0 && figures !== undefined && (figures[2] ?? 0) > 0,
  )

  const isKnown = ({ temp }: Condition) => temp !== 0 // a container may have no thermometer
  assert.deepEqual([isKnown(results), isKnown(json as Condition)], [isKnown(status), isKnown(status)])
  assert.equal(list?.length, 4)
  assert.equal(list?.[0] !== 0, isKnown(status))
  for (const condition of [status, results, json as Condition])
    for (const figure of [condition.temp, condition.cpu, condition.ram]) assert.equal(typeof figure, 'number')
})

test('a port that another program has is refused with a sentence, and everything else is served', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }

  const { daemon, listening, ports } = await cameras(t, { results_port: port })

  const refused = await until(
    'the refusal',
    () => partOf(daemon, 'extcam-ports/front/results'),
    (part) => part?.state === 'refused',
  )
  assert.equal(refused?.fault?.code, 'extcam.port_taken')
  assert.match(refused?.fault?.detail ?? '', new RegExp(`port ${port} is taken .* set another results_port`))
  await daemon.error('extcam.port_taken', 'streams/front')
  await Promise.all(['stream', 'push'].map(listening))
  const { heard } = await listener(t, ports.push_port)
  await until('a frame', () => heard.length)
  assert.equal((await daemon.send('GET', '/extcam/limelight/results')).status, 200)
  assert.equal((await partOf(daemon, 'extcam/front'))?.fault, null)
})

test('the ports go with the emulation, and whoever is there is let go', async (t) => {
  const { daemon, listening, ports } = await cameras(t)
  await Promise.all(['results', 'stream', 'push'].map(listening))
  const { socket } = await listener(t, ports.push_port)
  const watching = await viewer(t, `http://127.0.0.1:${ports.stream_port}/`)

  const gone = once(socket, 'close')
  await daemon.send('POST', '/v1/device/nt4', { emulate_extcam_api: false })

  const [code] = await gone
  assert.equal(code, 1001)
  await until('the viewer gone', () => !watching.isOpen())
  await until('closed ports', () =>
    fetch(`http://127.0.0.1:${ports.results_port}/results`).then(
      () => false,
      () => true,
    ),
  )
  assert.equal((await daemon.send('GET', '/extcam/limelight/results')).status, 404)
  assert.equal(await partOf(daemon, 'extcam-ports/front/results'), undefined)

  await daemon.send('POST', '/v1/device/nt4', { emulate_extcam_api: true })
  await listening('results')
  assert.equal((await ask(ports.results_port, '/results')).status, 200)
})
