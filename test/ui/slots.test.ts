// The slots of a stream on the page, which the real service carries out.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { fakeApi } from '../support/api/api.ts'
import { PageElement, showPage } from '../support/api/page.ts'
import { tagsAs } from '../support/engine/graphs.ts'
import { until } from '../support/until.ts'

const ui = new URL('../../ui/', import.meta.url)
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.startsWith(ui.href) ? new URL(`.${name}`, ui).href : name, context),
})

test('the page switches a stream between its slots, and says why where it cannot', async (t) => {
  const { app, fake } = await fakeApi(t)
  const headers = { host: 'localhost' }
  const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const { statusCode, body } = await app.inject({ method, url, headers, payload })
    return statusCode < 300 ? '' : JSON.parse(body).detail
  }
  for (const id of ['near', 'far']) await send('POST', '/v1/pipelines/graphs', { id, ...tagsAs(id) })
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const change = (body: object) => send('POST', '/v1/streams/front/pipeline/graph', body)
  showPage(t, async () => new Response())
  const { createSlots } = await import(new URL('slots.js', ui).href)
  const [select, answer] = [new PageElement('select', { hidden: true }), new PageElement('p', { hidden: true })]
  const slots = createSlots(select, answer, change)
  const update = () => slots.update(stream.manifest)

  update()
  const without = select.hidden
  await change({ graph_id: 'near', slot: 1 })
  await change({ graph_id: 'far', slot: 4, activate: false })
  update()
  const offered = select.children.map(({ value, textContent }) => [value, textContent])
  const first = select.value
  select.choose('4')
  await until('the other slot', () => stream.manifest.active_slot === 4)
  await send('PUT', '/v1/pipelines/graphs/near', { nodes: [], edges: [], outputs: [] })
  select.choose('1')
  await until('an answer', () => answer.hidden === false)

  assert.equal(without, true)
  assert.deepEqual(offered, [
    ['own', 'Pipeline of its own'],
    ['1', 'Slot 1: near'],
    ['4', 'Slot 4: far'],
  ])
  assert.deepEqual([first, select.value, stream.manifest.active_slot], ['1', '4', 4])
  assert.match(answer.textContent, /the stored pipeline near cannot run/)
  select.choose('own')
  await until('its own', () => stream.manifest.active_slot === undefined)
})
