// The other devices on the page, from what the real service tells of them.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'
import { captureExample } from '../../api/interdevice/capture.ts'
import { FakePeerWire, jsonAnswer } from '../../native/peers/fake.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'
import { PageElement, showPage } from '../support/api/page.ts'
import { nativeDevice, ORIGIN } from '../support/peers/peers.ts'
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
  showPage(t, async (url, { method = 'GET', headers: more = {}, body: payload } = {}) => {
    const { statusCode, body } = await app.inject({
      method: method as 'GET' | 'POST',
      url,
      headers: { ...headers, ...(more as object) },
      ...(payload && { payload: payload as string }),
    })
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
  return { app, wire, stage, list, peerIs, look, register, forget }
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
  for (const part of ['Rear', 'linked', ORIGIN, 'Front is a remote native stream, at revision 3 there'])
    assert.ok(shown.includes(part), shown)
  assert.deepEqual(watched, [false, '/v1/peers/rear/streams/front/preview'])
  assert.equal(stage.hidden, true)
})

test('the page says why there is no link to a device, in the words of the service', async (t) => {
  const { peerIs, look, register } = await withPage(t)
  await register()

  const { fault } = await peerIs('offline')

  assert.ok((await look()).includes(fault.detail))
})

test('the page says which device has carried an order out, and at which revision the stream is there', async (t) => {
  const { wire, list, peerIs, look, register } = await withPage(t)
  const native = nativeDevice(wire)
  const others = native.device.answer
  native.device.answer = (request, target) =>
    request.path === '/v1/interdevice/streams/front/capture'
      ? jsonAnswer(200, captureExample as object)
      : others(request, target)
  await register()
  await peerIs('linked')
  await look()

  const before = list.children[0]?.text ?? ''
  list.children[0]?.querySelector('select')?.choose('local_attach')
  await until('the word', () => list.children[0]?.text.includes('Rear: done') === true)
  const after = await look() // where the row is made again

  assert.ok(!before.includes('done'), before)
  assert.ok(after.includes('Rear: done, Front is at revision 3 there'), after)
})

test('the page shows where the pictures of a stream are computed, changes that, or says why not', async (t) => {
  const { wire, list, app, peerIs, look, register } = await withPage(t)
  const native = nativeDevice(wire)
  const others = native.device.answer
  const it = { says: jsonAnswer(200, captureExample as object) }
  native.device.answer = (request, target) =>
    request.path === '/v1/interdevice/streams/front/capture' ? it.says : others(request, target)
  await register()
  await peerIs('linked')
  const choice = () => list.children[0]?.querySelector('select') as PageElement
  const answer = () => list.children[0]?.children.at(-1)
  const streams = async () => (await app.inject({ url: '/v1/streams', headers })).json().items
  await look()
  const before = [choice().value, choice().children.map(({ textContent }) => textContent)]

  it.says = jsonAnswer(500, {})
  choice().choose('local_attach')
  await until('a refusal', () => answer()?.hidden === false)
  const refused = [choice().value, answer()?.textContent]
  it.says = jsonAnswer(200, captureExample as object)
  choice().choose('local_attach')
  await until('the stream here', async () => (await streams()).length === 1)
  await look()
  const here = choice().value
  choice().choose('proxy')
  await until('no stream here', async () => (await streams()).length === 0)

  assert.deepEqual(before, ['proxy', ['Front is worked on there', 'Front is worked on here too']])
  assert.equal(refused[0], 'proxy')
  assert.match(refused[1] ?? '', /what rear says of its pictures makes no sense/)
  assert.equal(here, 'local_attach')
})
