// Which picture of a stream is looked at on the page, from the outputs that the service really tells of.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { templates } from '../../machines/pipeline/templates.ts'
import { fakeApi } from '../support/api/api.ts'
import { PageElement, showPage } from '../support/api/page.ts'

const ui = new URL('../../ui/', import.meta.url)
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.startsWith(ui.href) ? new URL(`.${name}`, ui).href : name, context),
})

test('the page offers the pictures of a pipeline beside that of the camera, and keeps what is looked at', async (t) => {
  const { app, fake } = await fakeApi(t)
  const graph = templates.find(({ id }) => id === 'colour-target')?.graph
  assert.ok(graph)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' }, pipeline: graph })
  await fake.addStream({ id: 'plain', source: { backend: 'synthetic' } })
  const outputsOf = async (id: string) =>
    (await app.inject({ url: `/v1/streams/${id}/pipeline/outputs`, headers: { host: 'localhost' } })).json().outputs
  showPage(t, async () => new Response())
  const { createChoice } = await import(new URL('choice.js', ui).href)
  const select = new PageElement('select', { hidden: true })
  let chosen = 0
  const choice = createChoice(select, () => {
    chosen += 1
  })
  const offered = () => (select.hidden ? [] : select.children.map(({ textContent, value }) => [textContent, value]))

  choice.update(await outputsOf('plain'))
  const withoutAny = offered()
  choice.update(await outputsOf('front'))
  const withSome = offered()
  select.choose('mask')
  choice.update(await outputsOf('plain'))
  const gone = offered()
  const looked = choice.output()
  choice.settle()

  assert.deepEqual(withoutAny, [])
  assert.deepEqual(withSome, [
    ['Camera', ''],
    ['mask', 'mask'],
    ['overlay', 'overlay'],
  ])
  assert.deepEqual(
    [gone, looked, chosen],
    [
      [
        ['Camera', ''],
        ['mask', 'mask'],
      ],
      'mask',
      1,
    ],
  )
  assert.deepEqual([offered(), choice.output()], [[], ''])
})
