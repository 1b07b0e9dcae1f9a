// The link to the robot is changed while everything runs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { TOPICS_WITHOUT_IMU } from '../../machines/extcam/topics.ts'
import { DEFAULT_PUBLISHING } from '../../machines/nt4/settings.ts'
import { crudeClient, nt4Lab } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

test('a changed setting is in force at once: the table goes and comes, the robot is another one', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  await daemon.addStream({
    id: 'front',
    source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 },
  })
  const watcher = await crudeClient(t, daemon.nt4Port)
  const everything = { topics: ['/limelight/'], subuid: 1, options: { prefix: true, topicsonly: true } }
  watcher.say(['subscribe', everything])
  const told = (method: string) => watcher.heard.filter((said) => said.method === method).length
  const change = async (settings: object) => (await daemon.send('POST', '/v1/device/nt4', settings)).status
  const topics = await until(
    'the table',
    () => told('announce'),
    (count) => count === TOPICS_WITHOUT_IMU.length,
  )

  assert.equal(await change({ emulate_extcam_api: false }), 204)
  await until(
    'its end',
    () => told('unannounce'),
    (count) => count === topics,
  )
  assert.equal((await daemon.stream('front', 'live')).status.extcam_table, null)

  assert.equal(await change({ emulate_extcam_api: true }), 204)
  await until(
    'the table',
    () => told('announce'),
    (count) => count === 2 * topics,
  )
  assert.equal((await daemon.stream('front', 'live')).status.extcam_table, 'limelight')

  const robot = await nt4Lab(t).serve()
  const other = await crudeClient(t, robot.port)
  other.say(['subscribe', everything])
  assert.equal(await change({ target: `127.0.0.1:${robot.port}`, client_name: 'front-camera' }), 204)
  await until('the table', () => other.announced('/limelight/hb').length, Boolean)
  await until(
    'the end of the embedded server',
    () => watcher.socket.readyState,
    (state) => state === watcher.socket.CLOSED,
  )

  assert.equal(await change({ target: 'team:nobody' }), 400)
  const { status, ...settings } = await daemon.get<{ status: Record<string, unknown> }>('/v1/device/nt4')
  const spec = {
    target: `127.0.0.1:${robot.port}`,
    team: null,
    client_name: 'front-camera',
    emulate_extcam_api: true,
    ...DEFAULT_PUBLISHING,
    publish_own_table: true,
  }
  assert.deepEqual(settings, { id: 'nt4', revision: 3, spec })
  assert.equal(status.applied_revision, 3)
  assert.equal(status.state, 'connected')
  assert.equal(status.address, `127.0.0.1:${robot.port}`)
  assert.equal(status.server_address, null)
  assert.equal(robot.clients(), 2)
})

test('a server without its new port says so, blames no other address, and takes it once it is free', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const status = async () =>
    (
      await daemon.get<{ status: Record<string, unknown> & { fault: { code: string; detail: string } | null } }>(
        '/v1/device/nt4',
      )
    ).status
  await until('a link', status, ({ connected }) => connected)
  const old = daemon.nt4Port
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo

  const { status: code } = await daemon.send('POST', '/v1/device/nt4', { target: `serve:127.0.0.1:${port}` })
  const refused = await until('the reason', status, ({ fault }) => fault)
  await daemon.send('POST', '/v1/device/nt4', { client_name: 'front-camera' })
  const still = await until('the reason', status, ({ applied_revision, fault }) => applied_revision === 2 && fault)
  other.close()
  const linked = await until('the port', status, ({ connected }) => connected)

  assert.equal(code, 204)
  for (const { state, address, server_address, fault } of [refused, still]) {
    assert.deepEqual([state, address, server_address, fault?.code], ['awaiting-server', null, null, 'nt4.port_taken'])
    assert.match(fault?.detail ?? '', new RegExp(`127\\.0\\.0\\.1:${port}`))
    assert.ok(!fault?.detail.includes(`${old}`))
  }
  assert.deepEqual([linked.fault, linked.server_address], [null, `127.0.0.1:${port}`])
  const { items } = await daemon.get<{ items: { code: string; detail: string }[] }>('/v1/errors')
  assert.deepEqual(
    items.filter(({ code, detail }) => code === 'nt4.unreachable' && detail.includes(`${old}`)),
    [],
  )
})
