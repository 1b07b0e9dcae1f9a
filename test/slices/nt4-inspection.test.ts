// People look at what is on the robot's NT4 server, through the device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOPICS_WITHOUT_IMU } from '../../machines/extcam/topics.ts'
import { caughtUp, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

interface Seen {
  readonly server: string
  readonly complete: boolean
  readonly topics: readonly { readonly name: string; readonly type: string }[]
  readonly value: unknown
}

test('what a stream and a robot program publish is seen through the device, values and structs too', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const robot = await nt4Lab(t).connect(daemon.nt4Port, 'robot')
  const text = (layout: string) => new TextEncoder().encode(layout)
  robot.write([
    [robot.publish('/.schema/struct:Spot', 'structschema'), text('double x;double y')],
    [robot.publish('/odometry', 'struct:Spot'), new Uint8Array(Float64Array.from([1.25, -2]).buffer)],
  ])
  await caughtUp(robot)
  const table = async (): Promise<Seen> => {
    const { status, body } = await daemon.send<Seen>('POST', '/v1/nt4/topics', { prefix: '/limelight/' })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  /** A look takes two seconds at most, whatever else the machine does. */
  const valueAt = async (question: object) => {
    const look = () => daemon.send<Seen>('POST', '/v1/nt4/value', question)
    return (await until(`a value for ${JSON.stringify(question)}`, look, ({ status }) => status === 200)).body.value
  }

  const isWhole = (seen: Seen) => seen.complete && seen.topics.length >= TOPICS_WITHOUT_IMU.length
  const { server, topics } = await until('the table', table, isWhole)
  assert.equal(server, `127.0.0.1:${daemon.nt4Port}`)
  assert.deepEqual(
    topics.map(({ name }) => name).toSorted(),
    TOPICS_WITHOUT_IMU.map(({ key }) => `/limelight/${key}`).toSorted(),
  )
  assert.deepEqual(await valueAt({ topic: '/odometry' }), { x: 1.25, y: -2 })
  assert.equal(typeof (await valueAt({ topic: '/limelight/hb', host: '127.0.0.1', port: daemon.nt4Port })), 'number')
})
