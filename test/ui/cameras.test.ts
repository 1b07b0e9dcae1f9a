// What the page says of the cameras that no stream uses, from what the service really answers. The document is as much
// of one as the scripts of the page take.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { type TestContext, test } from 'node:test'
import type { Camera } from '../../api/cameras/wire.ts'
import { FakeCameras } from '../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../native/cameras/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'
import { PageElement, showPage } from '../support/api/page.ts'
import { until } from '../support/until.ts'

const ui = new URL('../../ui/', import.meta.url)
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.startsWith(ui.href) ? new URL(`.${name}`, ui).href : name, context),
})

/** The part of the page that shows such cameras, on a service with cameras. */
const withPage = async (t: TestContext) => {
  const port = new FakeCameras()
  const { app } = await fakeApi(t, {}, { ports: [value(CAMERAS_PORT, port)] })
  const ask = (url: string) => app.inject({ url, headers: { host: 'localhost' } })
  showPage(t, async (url) => {
    const { statusCode, body } = await ask(url)
    return new Response(body, { status: statusCode })
  })
  const { createService } = await import(new URL('service.js', ui).href)
  const { createCameras } = await import(new URL('cameras.js', ui).href)
  const service = createService(() => {})
  const root = new PageElement('section').with(
    new PageElement('p', { className: 'fault', hidden: true }),
    new PageElement('ul'),
  )
  const cameras = createCameras(root, service, () => {})
  const listed = (isGood: (cameras: readonly Camera[]) => unknown) =>
    until('the cameras', async () => (await ask('/v1/peripherals/cameras')).json().items ?? [], isGood)
  const look = async () => {
    cameras.update(await service.ask('/v1/peripherals/cameras'))
    return root.hidden ? '' : root.text
  }
  return { port, listed, look }
}

test('the page says what is wrong with a camera, in the words of the service', async (t) => {
  const { port, listed, look } = await withPage(t)
  port.plug({ number: 0, answer: { ok: false, detail: 'it says nothing' } })
  const [camera] = await listed(([first]) => first?.trouble)

  assert.ok((await look()).includes(camera?.trouble as string))
})

test('the page offers a camera for a stream that has lost its own, and for no other', async (t) => {
  const { port, listed, look } = await withPage(t)
  port.unplug(port.plug({ number: 0, port: '1' }))
  const device = port.plug({ number: 1, port: '1' })
  await listed(([first]) => first?.present)
  port.unplug(device)
  port.plug({ number: 2, port: '2' })
  await listed((all) => all.some(({ candidates }) => candidates.some(({ stream_id }) => stream_id === null)))

  const text = await look()

  assert.match(text, /Start it/)
  assert.doesNotMatch(text, /It is the camera of/)
})

test('while the cameras cannot be listed the page says why, and shows none of before', async (t) => {
  const { port, listed, look } = await withPage(t)
  const device = port.plug({ number: 0 })
  await listed(({ length }) => length === 1)
  assert.match(await look(), /HD Cam/)

  port.fault = { code: 'device.failed', detail: 'the cameras of this device cannot be listed: EIO' }
  port.unplug(device)
  const failing = await until('the fault', look, (text) => text.includes('EIO'))
  assert.equal(failing, 'the cameras of this device cannot be listed: EIO')

  port.fault = undefined
  port.plug({ number: 0 })
  const again = await until('the camera', look, (text) => text.includes('HD Cam'))
  assert.doesNotMatch(again, /EIO/)
})
