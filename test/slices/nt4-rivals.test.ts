// Somebody else publishes the table of a stream: it is said, and all of it comes back when that is over, without a
// new link.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TOPICS_WITHOUT_IMU } from '../../machines/extcam/topics.ts'
import { OWN_TOPICS } from '../../machines/own-table/topics.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { wireTypeOf } from '../../native/nt4/codec.ts'
import type { Nt4Value } from '../../native/nt4/port.ts'
import { crudeClient, gather, message, nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const live = { id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10 } } as const
/** A stream whose pictures never come. */
const darkIn = (dataDir: string) =>
  ({ id: 'rear', source: { backend: 'images', path: join(dataDir, 'nowhere') } }) as const

const ALIEN = 77
const alienOf = (type: string): Nt4Value => {
  if (type === 'boolean') return true
  if (type === 'double' || type === 'int') return ALIEN
  if (type === 'string') return `${ALIEN}`
  if (type.endsWith('[]') && !type.startsWith('struct')) return [ALIEN]
  return Uint8Array.of(ALIEN)
}
const isAlien = (value: Nt4Value): boolean =>
  value instanceof Uint8Array
    ? value.length === 1 && value[0] === ALIEN
    : JSON.stringify(value).match(/^\[?"?77"?\]?$/) !== null

/**
 * All topics of the tables of both streams. Whether a camera is connected is said by one bit, which cannot be told
 * from another's.
 */
const TOPICS = [
  ...['limelight', 'limelight-rear'].flatMap((table) =>
    TOPICS_WITHOUT_IMU.map(({ key, type }) => ({ name: `/${table}/${key}`, type })),
  ),
  ...['front', 'rear'].flatMap((id) =>
    Object.entries(OWN_TOPICS).map(([key, type]) => ({ name: `/vedette/${id}/${key}`, type })),
  ),
]
/** Not told of without a frame that shows something, and so not written over either. */
const OF_FRAMES = ['captured_us', 'robot_pose', 'std_devs']

/** Another device, which publishes all topics, each with a type of its choice, and writes something else to them. */
const alien = async (t: TestContext, port: number, typeOf = ({ type }: { type: string }) => type) => {
  const client = await crudeClient(t, port, { path: '/nt/limelight' })
  client.say(
    ...TOPICS.map(
      ({ name, type }, pubuid) =>
        ['publish', { name, pubuid, type: typeOf({ type }), properties: {} }] as [string, object],
    ),
  )
  const write = (timestampUs: number) =>
    client.socket.send(
      Buffer.concat(
        TOPICS.map(({ type }, pubuid) => {
          const own = typeOf({ type })
          return message(pubuid, timestampUs, wireTypeOf(own), alienOf(own))
        }),
      ),
    )
  await until('its announces', () => TOPICS.every(({ name }) => client.announced(name).length > 0))
  return { client, write }
}

/** The service, with the port of the NT4 server that it is at: its own, or the robot's. */
const roles = {
  'as the server': async (t: TestContext) => {
    const place = site(t)
    const daemon = await place.start({ nt4: 'serve:127.0.0.1:0' })
    return { daemon, port: daemon.nt4Port, dark: darkIn(place.dataDir) }
  },
  'as a client of the robot': async (t: TestContext) => {
    const { port } = await nt4Lab(t).serve()
    const place = site(t)
    return { daemon: await place.start({ nt4: `127.0.0.1:${port}` }), port, dark: darkIn(place.dataDir) }
  },
} as const

const create = async (daemon: Daemon, ...streams: readonly StreamManifest[]) => {
  for (const manifest of streams) assert.equal((await daemon.send('POST', '/v1/streams', manifest)).status, 200)
}

const warnings = async (daemon: Daemon, id: string) =>
  (await daemon.get<{ status: { warnings: { code: string; detail: string }[] } }>(`/v1/streams/${id}`)).status.warnings

/**
 * Waits until a stream says what is wrong with its table, in its status, in health and in the error history. A stream
 * has two tables: about names the one that is meant.
 */
const said = async (daemon: Daemon, id: string, code: string, about = /./) => {
  await until(
    `${code} of ${id} about ${about}`,
    () => warnings(daemon, id),
    (all) => all.some((each) => each.code === code && about.test(each.detail)),
  )
  await until(
    `${code} of ${id} in health`,
    () => daemon.get<{ parts: { name: string; fault: { code: string } | null }[] }>('/v1/health'),
    ({ parts }) => parts.find(({ name }) => name === `extcam/${id}`)?.fault?.code === code,
  )
  await daemon.error(code, `streams/${id}`)
}

/** Waits until somebody who comes now is told what this service has written, in all topics. */
const isBack = async (t: TestContext, port: number) => {
  const lab = nt4Lab(t)
  const names = TOPICS.filter(({ name }) => !OF_FRAMES.some((key) => name.endsWith(`/${key}`))).map(({ name }) => name)
  await until(
    'nothing of the other',
    async () => {
      const session = await lab.connect(port, 'late')
      const { updates, stop } = gather(session, names)
      await until('all topics', () => new Set(updates.map(({ topic }) => topic.name)).size === names.length)
      stop()
      await lab.end(session)
      const wrong = updates.filter(({ topic, value }) => isAlien(value) && !topic.name.endsWith('/connected'))
      return [...new Set(wrong.map(({ topic, value }) => `${topic.name} ${value}`))]
    },
    ({ length }) => length === 0,
  )
}

for (const [role, start] of Object.entries(roles)) {
  test(`another device on the same table is told of, and all keys come back when it has gone, ${role}`, async (t) => {
    const { daemon, port, dark } = await start(t)
    await create(daemon, live, dark)
    await daemon.stream('front', 'live')
    const { client, write } = await alien(t, port)
    const { socket } = client

    await said(daemon, 'front', 'nt4.table_shared', /limelight@1 \(127\.0\.0\.1:\d+\)/)
    await said(daemon, 'rear', 'nt4.table_shared')
    write(Date.now() * 1000)
    client.say(['subscribe', { topics: ['/limelight/tv'], subuid: 1, options: {} }])
    await until('what it has written', () => client.values.length)
    socket.close()

    await isBack(t, port)
    await until(
      'its end',
      () => warnings(daemon, 'front'),
      (all) => all.every(({ code }) => code !== 'nt4.table_shared'),
    )
  })

  test(`topics of other types are told of, and all keys come back when they have gone, ${role}`, async (t) => {
    const { daemon, port, dark } = await start(t)
    const { client, write } = await alien(t, port, ({ type }) => (type === 'string' ? 'double' : 'string'))
    write(1)
    await create(daemon, live, dark)
    await daemon.stream('front', 'live')

    await said(daemon, 'front', 'nt4.type_conflict', /limelight@1 .*\/limelight\/tv as string/)
    await said(daemon, 'rear', 'nt4.type_conflict')
    client.socket.close()

    await isBack(t, port)
  })
}

test('of two streams that want one table the later one says that it has none', async (t) => {
  const daemon = await site(t).start()
  await create(daemon, live)
  const second = { ...live, id: 'rear', extcam: { table: 'limelight' } }
  const first = { ...live, id: 'side', extcam: { table: 'limelight' } }
  for (const manifest of [first, second]) assert.equal((await daemon.send('POST', '/v1/streams', manifest)).status, 200)

  await said(daemon, 'rear', 'extcam.table_taken', /the table limelight belongs to the stream side/)
  assert.deepEqual(await warnings(daemon, 'side'), [])
})
