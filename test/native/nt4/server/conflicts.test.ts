// Clients of the server that want the same topic with different types, or write the same topic, as raw clients see it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WIRE } from '../../../../native/nt4/codec.ts'
import type { Nt4Session } from '../../../../native/nt4/port.ts'
import { crudeClient, gather, message, nt4Lab } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

/** Waits until a server knows of one publisher of the topic and no more. */
const alone = async (session: Nt4Session) => {
  const publishers = gather(session, ['$pub$/x'])
  await until('the end of the other', () => {
    const { value } = publishers.updates.at(-1) ?? {}
    return value instanceof Uint8Array && value[0] === 0x91 // a list of one
  })
}

/**
 * A server, somebody who listens to a topic, and clients that publish it: as a robot library does, whatever its type
 * is.
 */
const disputed = async (t: TestContext) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const listener = await crudeClient(t, port, { path: '/nt/listener' })
  listener.say(['subscribe', { topics: ['/x'], subuid: 1, options: { all: true, periodic: 0.01 } }])
  const publisher = async (type: string) => {
    const client = await crudeClient(t, port, { path: `/nt/${type}` })
    const publish = (properties: object = {}) => client.say(['publish', { name: '/x', pubuid: 7, type, properties }])
    publish()
    await until('its announce', () => client.announced('/x').length)
    return { ...client, publish }
  }
  const types = () => listener.announced('/x').map(({ type }) => type)
  const heard = () => listener.values.map(({ value }) => value).filter((value) => !(value instanceof Uint8Array))
  /** Waits until the listener has been told all that happened before. */
  const told = async () => {
    listener.say(['subscribe', { topics: ['$serverpub'], subuid: 2, options: {} }])
    await until('all of it', () => listener.announced('$serverpub').length)
  }
  return { lab, port, publisher, types, heard, told }
}

test('when the publisher of one type leaves, the topic is what the other wanted, with its newest value', async (t) => {
  const { lab, publisher, types, heard } = await disputed(t)
  const theirs = await publisher('string')
  theirs.socket.send(message(7, 1_000, WIRE.string, 'wide'))
  const ours = await publisher('double')
  for (const value of [1.5, 2.5]) ours.socket.send(message(7, 2_000, WIRE.double, value))
  await until('the report', () => lab.faults.find(({ code }) => code === 'nt4.type_conflict'))

  theirs.say(['unpublish', { pubuid: 7 }])
  await until('the value', () => heard().length === 2)
  ours.socket.send(message(7, 3_000, WIRE.double, 3.5))
  await until('the next', () => heard().length === 3)

  assert.deepEqual(types(), ['string', 'double'])
  assert.deepEqual(heard(), ['wide', 2.5, 3.5])
  assert.equal(ours.announced('/x').at(-1)?.pubuid, 7)
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.type_conflict'], 'none of it was unreadable')
})

test('a client that says again what it publishes, as robot libraries do to be sure, does nothing wrong', async (t) => {
  const { lab, publisher, heard } = await disputed(t)
  const ours = await publisher('double')

  ours.publish()
  ours.socket.send(message(7, 1_000, WIRE.double, 1.5))
  await until('its value', () => heard().length)

  assert.deepEqual(lab.faults, [])
})

test('what is kept for ever keeps its type', async (t) => {
  const { lab, port, publisher, types, heard, told } = await disputed(t)
  const theirs = await publisher('string')
  theirs.say(['setproperties', { name: '/x', update: { retained: true } }])
  const ours = await publisher('double')

  theirs.socket.terminate()
  await alone(await lab.connect(port))
  ours.socket.send(message(7, 2_000, WIRE.double, 1.5))
  await told()

  assert.deepEqual([types(), heard()], [['string'], []])
})

test('what a client wrote for a time that has not come is not kept against others when it has gone', async (t) => {
  const { lab, port, publisher, heard } = await disputed(t)
  const theirs = await publisher('double')
  theirs.socket.send(message(7, 9_000_000_000_000_000, WIRE.double, 1.5))
  const ours = await crudeClient(t, port)
  ours.say(['publish', { name: '/x', pubuid: 7, type: 'double', properties: {} }])
  await until('its announce', () => ours.announced('/x').length)
  await until('the value', () => heard().length === 1)

  theirs.socket.terminate()
  const watcher = await lab.connect(port)
  await alone(watcher)
  ours.socket.send(message(7, 2_000, WIRE.double, 2.5))
  await until('our value', () => heard().length === 2)
  const late = gather(watcher, ['/x'])
  await late.atLeast(1)

  assert.deepEqual(
    late.updates.map(({ value }) => value),
    [2.5],
  )
})
