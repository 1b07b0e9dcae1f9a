// A robot that comes late, reboots, or is something else altogether.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import type { Fault } from '../../machines/errors/fault.ts'
import { TOPICS_WITHOUT_IMU } from '../../machines/extcam/topics.ts'
import { LOCALIZATION_PREFIX, LOCALIZATION_TOPICS } from '../../machines/own-table/localization-topics.ts'
import { POSE_SCHEMAS } from '../../machines/own-table/structs.ts'
import { OWN_ROOT, OWN_TOPICS } from '../../machines/own-table/topics.ts'
import type { Nt4Server } from '../../native/nt4/port.ts'
import { crudeClient, crudeServer, nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

const topics = [
  ...TOPICS_WITHOUT_IMU.map(({ key }) => `/limelight/${key}`),
  ...Object.keys(OWN_TOPICS).map((key) => `${OWN_ROOT}/front/${key}`),
  ...Object.keys(LOCALIZATION_TOPICS).map((key) => LOCALIZATION_PREFIX + key),
  ...POSE_SCHEMAS.map(({ name }) => `/.schema/struct:${name}`),
].toSorted()

const PUBLICATIONS = '$clientpub$vedette@1' // what the server knows of the first client of that name

const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const

interface Link {
  readonly status: { readonly connected: boolean; readonly fault: Fault | null }
}

test('a robot that is switched on, off and on again gets each topic once each time', async (t) => {
  const lab = nt4Lab(t)
  const nobody = await lab.serve()
  await lab.end(nobody)
  const daemon = await site(t).start({ nt4: `127.0.0.1:${nobody.port}` })
  await daemon.addStream({ id: 'front', source })
  await daemon.error('nt4.unreachable', '')

  for (const _ of ['first', 'second']) {
    const robot = await lab.serve({ port: nobody.port })
    const { published, heartbeats, leave } = await watch(t, robot)
    await connected(daemon, true)
    await until('the heartbeat', heartbeats, (count) => count > 10)
    await until('all topics', published, ({ length }) => length >= topics.length)

    assert.deepEqual(published().toSorted(), topics)
    assert.equal(robot.clients(), 2)
    leave()
    await lab.end(robot)
    await connected(daemon, false)
  }

  const { count } = await daemon.error('nt4.unreachable', '')
  assert.equal(count, 1)
  assert.deepEqual((await daemon.stream('front', 'live')).status.restarts, 0)
})

test('whoever else answers in the place of the robot is endured and reported', async (t) => {
  const babbler = await noiseServer(t)
  const rambler = await crudeServer(t)
  const daemon = await site(t).start({ nt4: `127.0.0.1:${babbler}` })
  await daemon.addStream({ id: 'front', source })
  const link = () => daemon.get<Link>('/v1/device/nt4')
  // What is recorded is why the first attempt failed: that may be a handshake for which a busy machine has no time.
  const { status } = await until('a link that is refused', link, (now) => now.status.fault?.code === 'nt4.refused')
  assert.match(status.fault?.detail ?? '', new RegExp(`127\\.0\\.0\\.1:${babbler}`))

  await daemon.send('POST', '/v1/device/nt4', { target: `127.0.0.1:${rambler.port}` })
  await connected(daemon, true)
  rambler.send('', 'null', '[1,{}]', '[{"method":"announce"}]', '{"a":', randomBytes(500), Buffer.from([0x94, 1]))
  await daemon.error('nt4.bad_message', '')

  const written = rambler.values.length
  await until(
    'values',
    () => rambler.values.length,
    (count) => count > written + 20,
  )
  await connected(daemon, true)
  assert.equal((await daemon.stream('front', 'live')).status.restarts, 0)
  assert.equal(rambler.sockets.length, 1)
})

const connected = (daemon: Daemon, wanted: boolean) => {
  const read = () => daemon.get<Link>('/v1/device/nt4')
  return until(`a link that is ${wanted ? 'up' : 'down'}`, read, ({ status }) => status.connected === wanted)
}

/**
 * What a robot sees of the camera: the topics that it publishes, each as often as it does, and how many heartbeats
 * have come.
 */
const watch = async (t: TestContext, { port }: Nt4Server) => {
  const client = await crudeClient(t, port, { path: '/nt/robot-code' })
  const topics = ['/limelight/hb', PUBLICATIONS]
  client.say(['subscribe', { topics, subuid: 1, options: { all: true } }])
  const valuesOf = (name: string) => client.values.filter(({ id }) => id === client.announced(name)[0]?.id)
  return {
    published: () => {
      const newest = valuesOf(PUBLICATIONS).at(-1)?.value as Uint8Array | undefined
      return newest ? (unpack(newest) as { topic: string }[]).map(({ topic }) => topic) : []
    },
    heartbeats: () => valuesOf('/limelight/hb').length,
    leave: () => client.socket.terminate(),
  }
}

/** Answers every connection with noise, and holds it open. Returns its port. */
const noiseServer = async (t: TestContext): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(randomBytes(2000))
    t.after(() => socket.destroy())
  })
  t.after(() => server.close())
  await arrival('a port for noise', once(server.listen(0, '127.0.0.1'), 'listening'))
  return (server.address() as AddressInfo).port
}
