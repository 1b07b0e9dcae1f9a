// The topics of the linked server, told on a socket as they change.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { MAX_TOPIC_LISTENERS } from '../../../api/nt4/live-topics.ts'
import { MAX_LIVE_TOPICS } from '../../../machines/nt4/live-topics.ts'
import { FakeNt4Port } from '../../../native/nt4/fake.ts'
import { FakeNt4Inspection } from '../../../native/nt4/fake-inspection.ts'
import { webSocketInspection } from '../../../native/nt4/inspection/ws-inspection.ts'
import { NT4, NT4_INSPECTION } from '../../../native/nt4/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { listeningApi } from '../../support/api/api.ts'
import { countKeptAlive } from '../../support/api/kept-alive.ts'
import { nt4Lab } from '../../support/nt4/nt4.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { arrival, until } from '../../support/until.ts'

interface Message {
  readonly kind: 'server' | 'topics' | 'values' | 'gone'
  readonly server?: string | null
  readonly fault?: { readonly code: string } | null
  readonly topics?: readonly Record<string, unknown>[]
  readonly values?: readonly Record<string, unknown>[]
  readonly names?: readonly string[]
  readonly left_out?: number
}

const dialling = (t: TestContext, url: string) => (query: string) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/nt4/topics${query}`)
  socket.on('error', () => {})
  t.after(() => socket.terminate())
  return socket
}

const listenBy = (dial: (query: string) => WebSocket) => async (query: string) => {
  const socket = dial(query)
  const heard: Message[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await arrival('an open socket', once(socket, 'open'))
  const hears = (what: string, isIt: (message: Message) => boolean) =>
    until(
      what,
      () => heard.findLast(isIt),
      (found) => found !== undefined,
    ) as Promise<Message>
  return { socket, heard, hears }
}

/** A device with a link to a robot that is not there; what the robot tells is said by hand. */
const withFakeRobot = async (t: TestContext) => {
  const inspection = new FakeNt4Inspection()
  const nt4 = new FakeNt4Port()
  const ports = [value(NT4_INSPECTION, inspection), value(NT4, nt4)]
  const { url } = await listeningApi(t, {}, { ports, options: { nt4: '10.12.34.2' } })
  const dial = dialling(t, url)
  const watch = () =>
    until(
      'a watch',
      () => inspection.watches.at(-1),
      (found) => found !== undefined,
    )
  const watcher = async () => {
    const found = await watch()
    assert.ok(found)
    return found.watcher
  }
  return { url, inspection, nt4, dial, listen: listenBy(dial), watch, watcher }
}

const speed = { name: '/speed', type: 'double', properties: {} }

test('nothing is asked of the robot while nobody listens, and one session serves all who do', async (t) => {
  const { inspection, listen, watch } = await withFakeRobot(t)
  const before = inspection.watches.length

  const [one, other] = [await listen(''), await listen('')]
  const at = (await watch())?.at
  const during = inspection.watches.length
  one.socket.close()
  other.socket.close()
  await until(
    'nobody',
    () => inspection.watches.length,
    (count) => count === 0,
  )

  assert.deepEqual([before, during], [0, 1])
  assert.deepEqual([at?.host, at?.port, at?.name], ['10.12.34.2', 5810, 'vedette-topics'])
})

test('who listens is told all topics first, then the newest values, then what is gone', async (t) => {
  const { listen, watcher } = await withFakeRobot(t)
  const first = await listen('?rate=10')
  const robot = await watcher()
  robot.began('4.1')
  robot.announced(speed)
  robot.arrived({ topic: speed, value: 1, timestampUs: 999_000 })
  await first.hears('the topic', ({ topics }) => topics?.[0]?.name === '/speed')

  const late = await listen('?rate=10')
  const tree = await late.hears('the tree', ({ kind }) => kind === 'topics')
  robot.arrived({ topic: speed, value: 2, timestampUs: 1_000_000 })
  robot.arrived({ topic: speed, value: 3, timestampUs: 1_000_000 })
  const news = await late.hears('a value', ({ kind }) => kind === 'values')
  robot.gone('/speed')
  const gone = await late.hears('the end', ({ kind }) => kind === 'gone')

  const told = { count: null, is_cut: false, not_decoded: null }
  assert.deepEqual(late.heard[0], { kind: 'server', server: '10.12.34.2:5810', protocol: '4.1', fault: null })
  assert.deepEqual(tree.topics, [{ ...speed, role: null, value: 1, ...told, age_ms: 1 }])
  assert.deepEqual(news.values, [{ name: '/speed', value: 3, ...told, age_ms: 0 }])
  assert.deepEqual(gone.names, ['/speed'])
})

test('how many topics are left out is told when that changes, with no topic if there is none to tell of', async (t) => {
  const { listen, watcher } = await withFakeRobot(t)
  const { hears, heard } = await listen('?rate=10')
  const robot = await watcher()
  robot.began('4.1')
  for (let n = 0; n < MAX_LIVE_TOPICS; n += 1) robot.announced({ ...speed, name: `/${n}` })
  await hears('the last topic', ({ topics = [] }) => topics.some(({ name }) => name === `/${MAX_LIVE_TOPICS - 1}`))

  robot.announced(speed)
  const more = await hears('one more', ({ left_out }) => left_out === 1)
  robot.gone('/speed')
  const none = await until(
    'none more',
    () => heard.at(-1),
    (last) => last?.left_out === 0,
  )

  assert.deepEqual([more.topics, none?.topics], [[], []])
})

test('each topic says whether this device publishes it', async (t) => {
  const { nt4, listen, watcher } = await withFakeRobot(t)
  const { hears } = await listen('?rate=10')
  const robot = await watcher()
  nt4.session?.publish('/vedette/ours', 'double')
  robot.began('4.1')
  robot.announced({ ...speed, name: '/vedette/ours' })

  const { topics } = await hears('the topic', ({ kind }) => kind === 'topics')

  assert.equal(topics?.[0]?.role, 'published')
})

test('a link that is lost is told, and the server is watched again when it is back', async (t) => {
  const { nt4, listen, watcher, inspection } = await withFakeRobot(t)
  const { hears, heard } = await listen('?rate=10')
  const robot = await watcher()
  robot.began('4.1')
  await hears('the server', ({ server }) => server === '10.12.34.2:5810')

  nt4.session?.drop()
  const away = await hears('the loss', ({ server, fault }) => server === null && fault?.code === 'nt4.not_linked')
  const count = heard.length
  await until(
    'another watch',
    () => inspection.watches.at(-1)?.watcher,
    (found) => found !== undefined && found !== robot,
  )
  const again = await watcher()
  again.began('4.1')
  await until(
    'the server again',
    () => heard.slice(count).some(({ server }) => server !== null && server !== undefined),
    Boolean,
  )

  assert.equal(away.kind, 'server')
  assert.equal(heard.filter(({ fault }) => fault?.code === 'nt4.not_linked').length, 1, 'not once there is a link')
})

test('one who listens beyond the places there are is told so before the upgrade', async (t) => {
  const { dial, listen } = await withFakeRobot(t)
  for (let n = 0; n < MAX_TOPIC_LISTENERS; n += 1) await listen('')

  const [, response] = (await arrival('a refusal', once(dial(''), 'unexpected-response'))) as [unknown, IncomingMessage]

  assert.equal(response.statusCode, 429)
})

test('one who goes without a word is missed, though there is nothing to tell it', async (t) => {
  const { url, listen } = await withFakeRobot(t)

  await listen('')

  await until(
    'the probes of the kernel',
    () => countKeptAlive(Number(new URL(url).port)),
    (count) => count === 1,
  )
})

test('what a robot publishes over real sockets is told, also what has no value yet', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  const handle = robot.publish('/SmartDashboard/Speed', 'double')
  robot.publish('/SmartDashboard/Silent', 'string[]')
  robot.write([[handle, -3.5]])
  const ports = [value(NT4_INSPECTION, webSocketInspection()), value(NT4, wsNt4)]
  const { url } = await listeningApi(t, {}, { ports, options: { nt4: `127.0.0.1:${port}` } })
  const { heard, hears } = await listenBy(dialling(t, url))('?rate=10')

  const named = (name: string) => heard.flatMap(({ topics = [] }) => topics).findLast((topic) => topic.name === name)
  await until(
    'both topics',
    () => [named('/SmartDashboard/Speed'), named('/SmartDashboard/Silent')],
    (found) => found.every(Boolean),
  )
  robot.write([[handle, 4.25]])
  await hears('the value', ({ values = [] }) => values.some((each) => each.value === 4.25))

  assert.deepEqual([named('/SmartDashboard/Silent')?.value, named('/SmartDashboard/Silent')?.age_ms], [null, null])
  assert.equal(named('/SmartDashboard/Silent')?.type, 'string[]')
})
