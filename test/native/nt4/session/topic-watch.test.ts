// What a session hears of others who publish the topics that it publishes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Nt4Standing } from '../../../../machines/nt4/topic-conflicts.ts'
import { WIRE } from '../../../../native/nt4/codec.ts'
import type { Nt4Session } from '../../../../native/nt4/port.ts'
import { PROTOCOL_40 } from '../../../../native/nt4/protocol.ts'
import { caughtUp, crudeServer, eventually, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

const NOBODY: Nt4Standing = { rivals: [], conflicts: [] }

/** A session that publishes two topics of a table and watches them. */
const watching = (session: Nt4Session) => {
  const handles = [session.publish('/camera/tv', 'double'), session.publish('/camera/tx', 'double')] as const
  session.write(handles.map((handle) => [handle, 0]))
  const told: Nt4Standing[] = []
  let freed = 0
  const stop = session.watchTopics('/camera/', {
    changed: (standing) => told.push(standing),
    freed: () => {
      freed += 1
    },
  })
  return { session, handles, told, stop, freed: () => freed }
}

const pair = async (t: TestContext) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const ours = watching(await lab.connect(port, 'vedette'))
  await caughtUp(ours.session)
  return { lab, port, ours, other: await lab.connect(port, 'vedette') }
}

test('two devices of one name on one table are both told of the other, and of its end', async (t) => {
  const { lab, ours, other } = await pair(t)
  const theirs = watching(other)

  await until('the word to both', () => ours.told.length > 0 && theirs.told.length > 0)
  await lab.end(other)
  await until('the word of its end', () => ours.told.length === 2)

  const [first, last] = ours.told
  assert.deepEqual([first?.rivals.map(({ name }) => name), first?.conflicts], [['vedette@2'], []])
  assert.match(first?.rivals[0]?.address ?? '', /^127\.0\.0\.1:\d+$/)
  assert.deepEqual(
    theirs.told[0]?.rivals.map(({ name }) => name),
    ['vedette@1'],
  )
  assert.deepEqual(last, NOBODY)
  assert.equal(ours.freed(), 1)
})

test('one who was there for a moment, as a broken link of ours, is not told of, but its end is', async (t) => {
  const { ours, other } = await pair(t)
  const handle = other.publish('/camera/tx', 'double')
  other.publish('/elsewhere/tx', 'double')
  await caughtUp(other)
  await caughtUp(ours.session)

  other.unpublish(handle)
  await until('the word', ours.freed)

  assert.deepEqual([ours.told, ours.freed()], [[], 1])
})

test('topics that exist with another type are told of, to nobody else, and that they are free again', async (t) => {
  const { lab, ours, other } = await pair(t)
  const sizes = other.publish('/camera/size', 'string')
  await caughtUp(other)
  const handle = ours.session.publish('/camera/size', 'double[]')
  ours.session.write([[handle, [1, 2]]])

  const told = () => ours.told.at(-1) // on a busy machine also that the other is there
  await until('the word', () => told()?.conflicts.length === 1)
  assert.deepEqual(told()?.conflicts, [{ topic: '/camera/size', type: 'string' }])
  other.unpublish(sizes)
  await until('the word of its end', () => isDeepStrictEqual(told(), NOBODY))

  assert.ok(ours.freed() >= 1)
  const codes = lab.faults.map(({ code, resource }) => [code, resource])
  assert.deepEqual(codes, [['nt4.type_conflict', undefined]], 'the server reports it, the session does not as well')
})

test('of a server that tells nothing of clients and publishers the types of its topics are heard', async (t) => {
  const server = await crudeServer(t, { protocol: PROTOCOL_40 })
  const ours = watching(await nt4Lab(t).connect(server.port))
  const announce = { name: '/camera/tv', id: 5, type: 'string', properties: {} }

  server.send(JSON.stringify([{ method: 'announce', params: announce }]))
  await until('the word', () => ours.told.length === 1)

  assert.deepEqual(ours.told, [{ rivals: [], conflicts: [{ topic: '/camera/tv', type: 'string' }] }])
  assert.ok(!server.texts.join().includes('$'))
})

test('a topic in conflict is followed, since a robot tells of its end only those who subscribe to it', async (t) => {
  const server = await crudeServer(t)
  const lab = nt4Lab(t)
  const session = await lab.connect(server.port)
  const handle = session.publish('/x', 'double')
  const said = () =>
    server.texts.flatMap((text) => JSON.parse(text) as { method: string; params: Record<string, unknown> }[])
  const shown = (from: number) =>
    said()
      .slice(from)
      .map(({ method, params }) => [method, params.topics ?? params.name])
  await eventually(() => said().length === 2)

  server.send(JSON.stringify([{ method: 'announce', params: { name: '/x', id: 5, type: 'string', properties: {} } }]))
  await eventually(() => said().length === 4)
  server.send(JSON.stringify([{ method: 'unannounce', params: { name: '/x', id: 5 } }]))
  await eventually(() => said().length === 6)
  server.send(JSON.stringify([{ method: 'announce', params: { name: '/x', id: 6, type: 'string', properties: {} } }]))
  await eventually(() => said().length === 8)
  session.unpublish(handle)
  await eventually(() => said().length === 9)

  assert.deepEqual(shown(2), [
    ['subscribe', ['/x']],
    ['unpublish', undefined],
    ['publish', '/x'],
    ['unsubscribe', undefined],
    ['subscribe', ['/x']],
    ['unpublish', undefined],
    ['unsubscribe', undefined],
  ])
})

test('what a server tells of publishers that cannot be read says nothing against anybody', async (t) => {
  const server = await crudeServer(t)
  const ours = watching(await nt4Lab(t).connect(server.port))
  const about = { name: '$pub$/camera/tv', id: 5, type: 'msgpack', properties: {} }
  server.send(JSON.stringify([{ method: 'announce', params: about }]))

  for (const bytes of [Buffer.from([0xc1]), Buffer.from([0x93, 1, 0xc0, 0xa1]), Buffer.from([0x81, 1, 2])])
    server.send(message(5, 1, WIRE.bytes, bytes))
  await caughtUpWith(server, ours.session)

  assert.deepEqual([ours.told, ours.freed()], [[], 0])
})

/** Waits until a session has dealt with all that its server has sent. */
const caughtUpWith = async (server: Awaited<ReturnType<typeof crudeServer>>, session: Nt4Session) => {
  let heard = 0
  session.subscribe(['/last'], {}, () => {
    heard += 1
  })
  server.send(JSON.stringify([{ method: 'announce', params: { name: '/last', id: 99, type: 'int', properties: {} } }]))
  server.send(message(99, 1, WIRE.int, 1))
  await eventually(() => heard)
}
