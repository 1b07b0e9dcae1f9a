// Pairing on the page: what it says and offers at each step, on the real service.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'
import type { Pairing } from '../../machines/pairing/pairing.ts'
import { FAKE_CODE } from '../../native/pairing/fake.ts'
import { FakePeerWire } from '../../native/peers/fake.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'
import { PageElement, showPage } from '../support/api/page.ts'
import { nativeDevice, ORIGIN, obedient } from '../support/peers/peers.ts'
import { until } from '../support/until.ts'

const ui = new URL('../../ui/', import.meta.url)
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.startsWith(ui.href) ? new URL(`.${name}`, ui).href : name, context),
})

const PAIRING = '/v1/peers/pairing'

/** The part of the page where devices are paired, on a service that reaches one that waits to be paired. */
const withPage = async (t: TestContext) => {
  const wire = new FakePeerWire()
  obedient(nativeDevice(wire).device)
  const { app } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  const headers = { host: 'localhost' }
  showPage(t, async (url, { method = 'GET', body } = {}) => {
    const payload = body === undefined ? {} : { payload: JSON.parse(String(body)) }
    const answer = await app.inject({ method: method as 'GET', url, headers, ...payload })
    return new Response(answer.body || null, { status: answer.statusCode })
  })
  const { createService } = await import(new URL('service.js', ui).href)
  const { createPairing } = await import(new URL('pairing.js', ui).href)
  const service = createService(() => {})
  const parts = ['says', 'code', 'left', 'ways'].map((className) => new PageElement('div', { className }))
  const root = new PageElement('section', { hidden: true }).with(...parts)
  const [, , , ways] = parts as [PageElement, PageElement, PageElement, PageElement]
  const page = createPairing(root, service, () => {})
  const look = async () => {
    page.update(await service.ask(PAIRING), { body: { items: [] } }, { body: { items: [] } })
    return root.hidden ? '' : root.text
  }
  const when = (wanted: Pairing['state']) =>
    until(
      wanted,
      async () => (await app.inject({ url: PAIRING, headers })).json(),
      ({ state }) => state === wanted,
    )
  const button = (text: string) => ways.children.find(({ textContent }) => textContent === text) as PageElement
  const line = () => ways.querySelector('input') as PageElement
  const type = (text: string) => Object.assign(line(), { value: text })
  return { root, page, look, when, button, line, type }
}

test('the page calls a device, shows the code, and takes the one that the other device shows', async (t) => {
  const { look, when, button, line, type } = await withPage(t)
  await look()
  type(` ${ORIGIN} `)
  await button('Call it').press()
  await when('comparing')

  const compared = await look()
  type(FAKE_CODE)
  await look()
  const typed = line().value
  await button('It shows this').press()
  await when('confirmed')

  assert.ok(compared.includes('271 828') && compared.includes('Back'), compared)
  assert.equal(typed, FAKE_CODE, 'what is being typed stays')
  assert.match(await look(), /Confirmed here\. Now type this code on Back/)
})

test('the page says why nothing came of it, in the words of the service, and offers to begin again', async (t) => {
  const { look, when, button, type } = await withPage(t)
  await look()
  type(ORIGIN)
  await button('Call it').press()
  await when('comparing')
  await look()
  type('000 000')
  await button('It shows this').press()

  const { fault } = await when('failed')

  assert.ok((await look()).includes(fault.detail))
  assert.ok(button('Call it') && button('Wait to be called'))
})

test('who may not pair devices sees nothing of it', async (t) => {
  const { root, page, look } = await withPage(t)
  await look()
  const before = root.hidden
  page.update({}, {}, {})

  assert.deepEqual([before, root.hidden], [false, true])
})
