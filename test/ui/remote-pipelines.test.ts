// Pipelines of streams of another device, opened and changed on this one's page: two real services, a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const FAKE = { VEDETTE_ENGINE: 'fake' }

interface StreamNow {
  readonly revision: number
  readonly spec: {
    readonly pipeline: {
      readonly nodes: readonly { readonly id: string; readonly params?: Readonly<Record<string, unknown>> }[]
    }
  }
}

const lifetime = fileLifetime()
let back: Daemon
let front: Daemon
before(async () => {
  const made = await Promise.all([site(lifetime, undefined, FAKE).start(), site(lifetime, undefined, FAKE).start()])
  back = made[0]
  front = made[1]
  for (const [id, alias] of [
    ['tower', 'Tower'],
    ['gate', 'Gate'],
  ])
    await back.addStream({ id: id ?? '', alias: alias ?? '', source: SOURCE })
  await front.send('POST', '/v1/peers', { base_url: back.url, name: 'back' })
  await until(
    'the link',
    () => front.get<PeerRecord>('/v1/peers/back'),
    ({ status, streams }) => status === 'linked' && streams.length === 2,
  )
})

const towerNow = () => back.get<StreamNow>('/v1/streams/tower')
const decimateIn = ({ spec }: StreamNow) => spec.pipeline.nodes.find(({ id }) => id === 'tags')?.params?.decimate
const decimateOn = (page: Page) => page.getByRole('textbox', { name: /^Decimate/ })

/** Somebody sets it there. */
const setThere = async (decimate: number): Promise<void> => {
  const { revision, spec } = await towerNow()
  const nodes = spec.pipeline.nodes.map((node) =>
    node.id === 'tags' ? { ...node, params: { ...node.params, decimate } } : node,
  )
  const graph = { ...spec.pipeline, nodes }
  const order = { graph, expected_revision: revision }
  const { status } = await back.send('POST', '/v1/streams/tower/pipeline/graph', order)
  assert.equal(status, 204)
}

test('the list has what streams of other devices run, as theirs, and leads to the editor', async (t) => {
  const { page } = await openPage(t, front.url, { path: '/pipelines' })
  const list = page.getByRole('list', { name: 'Pipelines of streams of other devices' })
  const tower = list.getByRole('listitem').filter({ hasText: 'Tower' })

  await tower.getByText('remote native stream on back').waitFor()
  await tower.getByText('proxy').waitFor()
  await tower.getByRole('link', { name: 'Tower' }).click()

  await page.getByRole('heading', { name: 'Pipeline of Tower on back' }).waitFor()
  await page.getByText('back decides').waitFor()
  await page.getByRole('img', { name: 'Tower', exact: true }).waitFor()
})

test('what is saved is in force there, and the page says where and under which revision', async (t) => {
  const { page } = await openPage(t, front.url, { path: '/pipelines/of/back:tower?node=tags' })
  const before = await towerNow()
  await page.getByText(`revision ${before.revision} on back`).waitFor()

  await decimateOn(page).fill('3')
  await decimateOn(page).press('Enter')
  await page.getByText(`changed since revision ${before.revision} on back`).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`applied on back, revision ${before.revision + 1}`).waitFor()

  const after = await towerNow()
  assert.deepEqual([decimateIn(after), after.revision], [3, before.revision + 1])
  await page.getByText(`revision ${after.revision} on back`, { exact: true }).waitFor()
})

test('what somebody changes there stands here at once, or beside what was changed here', async (t) => {
  const { page } = await openPage(t, front.url, { path: '/pipelines/of/back:tower?node=tags' })
  await decimateOn(page).waitFor()

  await setThere(2)
  await until(
    'their value',
    () => decimateOn(page).inputValue(),
    (value) => value === '2',
  )
  await decimateOn(page).fill('5')
  await decimateOn(page).press('Enter')
  await setThere(4)
  const theirs = page.getByRole('status', { name: 'Changed by somebody else' })
  await theirs.getByRole('row', { name: 'tags, decimate 4 5' }).waitFor()
  await theirs.getByRole('button', { name: 'Set mine' }).click()

  await until('mine', async () => decimateIn(await towerNow()) === 5)
})

test('what that device refuses is said in its words, and nothing is changed', async (t) => {
  const { page } = await openPage(t, front.url, {
    path: '/pipelines/of/back:tower?node=tags',
    expected: [/status of 4\d\d|answer: 4\d\d to POST .*patch/],
  })
  const { revision } = await towerNow()
  await page.getByRole('button', { name: 'Delete tags' }).click()
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText(/nothing is changed/).waitFor()
  assert.equal((await towerNow()).revision, revision)
})

test('a pipeline that is stored there is shown, is not saved from here, and can be copied', async (t) => {
  const { spec } = await back.get<StreamNow>('/v1/streams/gate')
  await back.send('POST', '/v1/pipelines/graphs', { ...spec.pipeline, id: 'shared', name: 'Shared tags' })
  await back.send('POST', '/v1/streams/gate/pipeline/graph', { graph_id: 'shared' })
  const { page } = await openPage(t, front.url, { path: '/pipelines/of/back:gate?node=tags' })

  const link = page.getByRole('link', { name: 'the editor of back' })
  assert.equal(await link.getAttribute('href'), `${back.url}/pipelines/shared`)
  await decimateOn(page).fill('3')
  await decimateOn(page).press('Enter')
  await page.getByText(/changed since revision/).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Store a copy here' }).click()

  await page.getByRole('heading', { name: 'Shared tags' }).waitFor()
  assert.match(new URL(page.url()).pathname, /^\/pipelines\/[a-z0-9_-]+$/)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the editor of another device's pipeline can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, front.url, { path: '/pipelines/of/back:tower', viewport, colorScheme })
    await page.getByText('back decides').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
