// The other devices on the page, from what the real service tells of them.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'
import { FakePeerWire } from '../../native/peers/fake.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api.ts'
import { PageElement, showPage } from '../support/page.ts'
import { nativeDevice, ORIGIN } from '../support/peers.ts'
import { until } from '../support/until.ts'

const ui = new URL('../../ui/', import.meta.url)
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.startsWith(ui.href) ? new URL(`.${name}`, ui).href : name, context),
})

const headers = { host: 'localhost' }

/** The part of the page that shows other devices, on a service that reaches a fake one. */
const withPage = async (t: TestContext) => {
  const wire = new FakePeerWire()
  const { app } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  showPage(t, async (url) => {
    const { statusCode, body } = await app.inject({ url, headers })
    return new Response(body, { status: statusCode })
  })
  const { createService } = await import(new URL('service.js', ui).href)
  const { createDevices } = await import(new URL('devices.js', ui).href)
  const service = createService(() => {})
  const [stage, list] = [new PageElement('div', { className: 'stage', hidden: true }), new PageElement('ul')]
  const root = new PageElement('section').with(new PageElement('p', { className: 'fault', hidden: true }), stage, list)
  const devices = createDevices(root, service, () => {})
  const peerIs = (wanted: string) =>
    until(
      `a peer that is ${wanted}`,
      async () => (await app.inject({ url: '/v1/peers', headers })).json().items[0],
      (peer) => peer?.status === wanted,
    )
  const look = async () => {
    devices.update(await service.ask('/v1/peers'))
    return root.hidden ? '' : root.text
  }
  const register = () =>
    app.inject({ method: 'POST', url: '/v1/peers', headers, payload: { base_url: ORIGIN, name: 'Rear' } })
  const forget = async () => app.inject({ method: 'DELETE', url: '/v1/peers/rear', headers })
  return { wire, stage, list, peerIs, look, register, forget }
}

test('the page shows a registered device with its streams, and the picture of one through this device', async (t) => {
  const { wire, stage, list, peerIs, look, register, forget } = await withPage(t)
  nativeDevice(wire)
  const before = await look()
  await register()
  await peerIs('linked')

  const shown = await look()
  list.children[0]?.children.find(({ textContent }) => textContent.startsWith('Watch'))?.press()
  const watched = [stage.hidden, stage.querySelector('img')?.src]
  await forget()
  await look()

  assert.equal(before, '')
  for (const part of ['Rear', 'linked', ORIGIN]) assert.ok(shown.includes(part), shown)
  assert.deepEqual(watched, [false, '/v1/peers/rear/streams/front/preview'])
  assert.equal(stage.hidden, true)
})

test('the page says why there is no link to a device, in the words of the service', async (t) => {
  const { peerIs, look, register } = await withPage(t)
  await register()

  const { fault } = await peerIs('offline')

  assert.ok((await look()).includes(fault.detail))
})
