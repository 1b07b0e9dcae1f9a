// An independent client against our server. It has defects of its own (docs/decisions), so only what works in it is
// used: double, double[] and string topics, no restart, no properties.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import { NetworkTables, type NetworkTablesTypeInfo, NetworkTablesTypeInfos } from 'ntcore-ts-client'
import { eventually, gather, listener, nt4Lab } from '../../support/nt4/nt4.ts'

const EMPTY = new Uint8Array([0x90])

const stranger = async (t: TestContext, port: number) => {
  for (const method of ['info', 'warn', 'error'] as const) t.mock.method(console, method, () => {})
  const tables = NetworkTables.getInstanceByURI('127.0.0.1', port)
  tables.client.messenger.socket.stopAutoConnect() // or it would dial on for ever once the test's server is gone
  await eventually(() => tables.isRobotConnected())
  const listen = (name: string, type: NetworkTablesTypeInfo) => {
    const heard: unknown[] = []
    tables
      .createTopic(name, type)
      .subscribe((value) => value !== null && heard.push(value), { all: true, periodic: 0.01 })
    return heard
  }
  return { tables, listen }
}

test('a third-party client receives what our session publishes', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const { listen } = await stranger(t, port)
  const heard = {
    tx: listen('/limelight/tx', NetworkTablesTypeInfos.kDouble),
    botpose: listen('/limelight/botpose', NetworkTablesTypeInfos.kDoubleArray),
    json: listen('/limelight/json', NetworkTablesTypeInfos.kString),
  }

  const [tx, botpose, json] = [
    device.publish('/limelight/tx', 'double'),
    device.publish('/limelight/botpose', 'double[]'),
    device.publish('/limelight/json', 'string'),
  ]
  const subscriptions = gather(device, ['$clientsub$ntcore'], { prefix: true })
  await eventually(
    () => (unpack((subscriptions.updates.at(-1)?.value ?? EMPTY) as Uint8Array) as unknown[]).length === 3,
  )
  for (const n of [1, 2.5, 3])
    device.write([
      [tx, n],
      [botpose, new Float64Array([n, 2, 3])],
      [json, `{"n":${n}}`],
    ])
  await eventually(() => heard.json.length === 3)

  assert.deepEqual(heard, {
    tx: [1, 2.5, 3],
    botpose: [
      [1, 2, 3],
      [2.5, 2, 3],
      [3, 2, 3],
    ],
    json: ['{"n":1}', '{"n":2.5}', '{"n":3}'],
  })
})

test('a third-party client that comes late receives the newest value', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const device = await lab.connect(port, 'device')
  const witness = gather(await lab.connect(port), ['/x'])
  device.write([[device.publish('/x', 'double'), 119.5]])
  await witness.atLeast(1)

  const { listen } = await stranger(t, port)
  const heard = listen('/x', NetworkTablesTypeInfos.kDouble)
  await eventually(() => heard.length > 0)

  assert.deepEqual(heard, [119.5])
})

test('our session receives what a third-party client publishes, whole doubles too', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const heard = await listener(lab, port, ['/limelight/pipeline'], { all: true })
  const { tables } = await stranger(t, port)

  const topic = tables.createTopic<number>('/limelight/pipeline', NetworkTablesTypeInfos.kDouble)
  await topic.publish()
  topic.setValue(0.5)
  topic.setValue(3)
  await heard.atLeast(2)

  assert.deepEqual(
    heard.updates.map(({ value }) => value),
    [0.5, 3],
  )
  assert.deepEqual(lab.faults, [])
})
