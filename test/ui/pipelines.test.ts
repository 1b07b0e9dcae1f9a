// The room of pipelines as people have it: the list, and the editor with mouse, keys, and on a phone.
import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { templates } from '../../machines/pipeline/templates.ts'
import { inaccessible, LOOKS, openPage, type PageOptions, SIZES, withTimeToUndo } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const tagGraph = templates.find(({ id }) => id === 'apriltag-2d')?.graph

interface Stored {
  readonly revision: number
  readonly spec: {
    readonly nodes: readonly { readonly id: string; readonly params?: Readonly<Record<string, unknown>> }[]
    readonly edges: readonly { readonly from: string; readonly to: string }[]
  }
}

interface StreamNow {
  readonly revision: number
  readonly spec: {
    readonly active_slot?: number
    readonly slots?: readonly { readonly slot: number; readonly graph_id: string }[]
    readonly pipeline: Stored['spec']
  }
  readonly status: { readonly pipeline: { readonly trial: { readonly graph: Stored['spec'] } | null } }
}

const lifetime = fileLifetime()
let daemon: Daemon
before(async () => {
  daemon = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
})

let count = 0
/** Stores a pipeline that no other test uses. */
const store = async (name: string, graph: object = tagGraph ?? {}): Promise<string> => {
  count += 1
  const id = `graph-${count}`
  const { status } = await daemon.send('POST', '/v1/pipelines/graphs', { ...graph, id, name })
  assert.equal(status, 201)
  return id
}
const stored = (id: string) => daemon.get<Stored>(`/v1/pipelines/graphs/${id}`)
const paramOf = ({ spec }: Stored, node: string, key: string) => spec.nodes.find(({ id }) => id === node)?.params?.[key]

const openEditor = async (t: TestContext, id: string, query = '', options: PageOptions = {}): Promise<Page> => {
  const { page } = await openPage(t, daemon.url, { ...options, path: `/pipelines/${id}${query}` })
  await page
    .getByText('can run')
    .or(page.getByText(/\d errors?/))
    .first()
    .waitFor()
  return page
}
const saved = (page: Page, revision: number) => page.getByText(`revision ${revision}`, { exact: true }).waitFor()

test('a template opens in the editor, stored under its name', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/pipelines' })

  await page.getByRole('button', { name: 'Use AprilTags in the picture' }).click()

  await page.getByRole('heading', { name: 'AprilTags in the picture' }).waitFor()
  await page.getByLabel('node tags', { exact: true }).waitFor()
  await page.getByText('can run').waitFor()
})

test('a pipeline that somebody else stores is in the list at once, and a deleted one comes back by Undo', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/pipelines', prepare: withTimeToUndo })
  await page.getByRole('list', { name: 'Templates' }).getByText('Pictures for the driver').waitFor()

  const id = await store('Far tags')
  await page.getByRole('link', { name: 'Far tags', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete Far tags' }).click()
  await page.getByRole('link', { name: 'Far tags', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByRole('link', { name: 'Far tags', exact: true }).waitFor()
  assert.equal((await stored(id)).revision, 1)
})

test('a file of a pipeline is taken, and what is none is refused in words', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/pipelines' })
  const input = page.locator('input[type=file]')
  const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

  await input.setInputFiles(file('notes.json', '{"a": 1}'))
  await page.getByRole('alert').getByText('notes.json is no pipeline').waitFor()
  await input.setInputFiles(file('brought.json', JSON.stringify({ ...tagGraph, id: 'brought', name: 'Brought along' })))

  await page.getByRole('heading', { name: 'Brought along' }).waitFor()
  assert.equal((await stored('brought')).revision, 1)
})

test('a parameter is set in the form, undone, done again and saved', async (t) => {
  const id = await store('Form')
  const page = await openEditor(t, id, '?node=tags')
  const decimate = page.getByRole('textbox', { name: /^Decimate/ })

  await decimate.fill('12')
  await decimate.press('Enter')
  await page.getByText('It takes 1 to 8.').waitFor()
  await decimate.fill('2')
  await decimate.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await decimate.inputValue(), '1')
  await page.getByRole('button', { name: 'Redo' }).click()
  assert.equal(await decimate.inputValue(), '2')
  await page.getByRole('button', { name: 'Save' }).click()

  await saved(page, 2)
  assert.equal(paramOf(await stored(id), 'tags', 'decimate'), 2)
})

test('what somebody else saves is shown at once, or beside what was changed here', async (t) => {
  const id = await store('Two at once')
  const page = await openEditor(t, id, '?node=tags')
  const decimate = page.getByRole('textbox', { name: /^Decimate/ })
  const change = async (value: number) => {
    const { spec } = await stored(id)
    const nodes = spec.nodes.map((node) => (node.id === 'tags' ? { ...node, params: { decimate: value } } : node))
    await daemon.send('PUT', `/v1/pipelines/graphs/${id}`, { ...spec, nodes })
  }

  await change(3)
  await until(
    'their value',
    () => decimate.inputValue(),
    (value) => value === '3',
  )
  await decimate.fill('2')
  await decimate.press('Enter')
  await change(4)

  const theirs = page.getByRole('status', { name: 'Changed by somebody else' })
  await theirs.getByRole('row', { name: 'tags, decimate 4 2' }).waitFor()
  await theirs.getByRole('button', { name: 'Set mine' }).click()
  await saved(page, 4)
  assert.equal(paramOf(await stored(id), 'tags', 'decimate'), 2)
})

test('everything is done by keys: a node chosen, moved, opened, connected, and taken away', async (t) => {
  const id = await store('Keys')
  const page = await openEditor(t, id)
  const node = page.getByLabel('node tags', { exact: true })
  const transformOf = () => node.evaluate((element) => element.style.transform)
  await node.focus()
  const place = await transformOf()

  await page.keyboard.press('ArrowDown')
  await until('another place', transformOf, (now) => now !== place)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Form of tags' }).locator(':focus').waitFor()
  await node.focus()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Connect tags to' })
  await dialog.getByText(/that do not fit/).click()
  await dialog
    .getByText(/gives detections, but .* takes/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'source.colour to tags.image' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('source.colour is connected to tags.image.').waitFor()
  await node.focus()
  await page.keyboard.press('Delete')
  await node.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await node.waitFor()
  await page.keyboard.press('Control+Shift+Z')
  await node.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+s')

  await saved(page, 2)
  const { spec } = await stored(id)
  assert.ok(spec.edges.some(({ from, to }) => from === 'source.colour' && to === 'tags.image'))
})

/** Where a node stands in the drawing. */
const standsAt = (page: Page, id: string) =>
  page.getByLabel(`node ${id}`, { exact: true }).evaluate((element) => element.style.transform)
const chosenNodes = (page: Page) => page.getByRole('region', { name: 'Chosen nodes' })
const idsIn = (page: Page) =>
  page.locator('.react-flow__node').evaluateAll((all) => all.map((each) => each.getAttribute('data-id')).toSorted())

test('several nodes are chosen by mouse, moved as one, and taken away as one step', async (t) => {
  const id = await store('Several')
  const page = await openEditor(t, id)
  const ids = await idsIn(page)
  const [source, tags] = ['source', 'tags'].map((id) => page.getByLabel(`node ${id}`, { exact: true }))
  const heads = [source, tags].map((node) => node?.locator('.node-head'))
  const before = await Promise.all([standsAt(page, 'source'), standsAt(page, 'tags')])

  await heads[0]?.click()
  await heads[1]?.click({ modifiers: ['Shift'] })
  await chosenNodes(page).getByRole('heading', { name: '2 nodes' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('node'), 'source,tags')
  const box = await heads[0]?.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 12]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y + 40, { steps: 4 })
  await page.mouse.up()
  await until('both elsewhere', async () => {
    const now = await Promise.all([standsAt(page, 'source'), standsAt(page, 'tags')])
    return now.every((place, n) => place !== before[n])
  })
  await chosenNodes(page).waitFor()
  await page.keyboard.press('Control+z')
  await until('both where they were', async () => {
    const now = await Promise.all([standsAt(page, 'source'), standsAt(page, 'tags')])
    return now.every((place, n) => place === before[n])
  })
  await page.keyboard.press('Delete')
  await source?.waitFor({ state: 'detached' })
  assert.deepEqual(
    await idsIn(page),
    ids.filter((id) => id !== 'source' && id !== 'tags'),
  )
  await page.keyboard.press('Control+z')

  await tags?.waitFor()
  assert.deepEqual(await idsIn(page), ids)
})

test('nodes in a box that is drawn with Shift are chosen, until Escape', async (t) => {
  const id = await store('Box')
  const page = await openEditor(t, id)
  const all = await idsIn(page)
  const pane = await page.locator('.react-flow__pane').boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = pane ?? {}

  await page.keyboard.down('Shift')
  await page.mouse.move(x + 4, y + 4)
  await page.mouse.down()
  await page.mouse.move(x + width - 60, y + height - 8, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Shift')

  await chosenNodes(page)
    .getByRole('heading', { name: `${all.length} nodes` })
    .waitFor()
  await page.keyboard.press('Escape')
  await chosenNodes(page).waitFor({ state: 'detached' })
})

test('several nodes are gathered, moved, copied, pasted into another pipeline and deleted by keys', async (t) => {
  const [id, other] = [await store('Gathered'), await store('Pasted into')]
  const page = await openEditor(t, id)
  const source = page.getByLabel('node source', { exact: true })
  await page.getByRole('textbox', { name: 'Find a node' }).or(page.getByRole('searchbox')).first().focus()
  await source.focus()
  await page.keyboard.press('Space')
  await page.getByLabel('node tags', { exact: true }).focus()
  await page.keyboard.press('Space')
  await chosenNodes(page).getByRole('heading', { name: '2 nodes' }).waitFor()
  const before = await Promise.all([standsAt(page, 'source'), standsAt(page, 'tags')])

  await page.keyboard.press('ArrowDown')
  await until('both elsewhere', async () => {
    const now = await Promise.all([standsAt(page, 'source'), standsAt(page, 'tags')])
    return now.every((place, n) => place !== before[n])
  })
  await page.keyboard.press('Control+c')
  await page.getByText('2 nodes copied.').waitFor()
  await page.keyboard.press('Control+v')
  await page.getByText('2 nodes added: source_2, tags_2.').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByLabel('node tags_2', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Pipelines', exact: true }).first().click()
  await page.getByRole('link', { name: 'Pasted into', exact: true }).click()
  await page.getByRole('heading', { name: 'Pasted into' }).waitFor()
  await source.waitFor()
  await page.keyboard.press('Control+v')
  await page.getByText('2 nodes added: source_2, tags_2.').waitFor()
  await page.keyboard.press('Control+s')
  await saved(page, 2)
  const { spec } = await stored(other)
  assert.ok(spec.edges.some(({ from, to }) => from.startsWith('source_2.') && to.startsWith('tags_2.')))
  const count = spec.nodes.length

  await page.keyboard.press('Control+a')
  await chosenNodes(page)
    .getByRole('heading', { name: `${count} nodes` })
    .waitFor()
  await page.keyboard.press('Delete')
  await source.waitFor({ state: 'detached' })
  assert.deepEqual(await idsIn(page), [])
  await page.keyboard.press('Control+z')
  await source.waitFor()
  assert.equal((await idsIn(page)).length, count)
})

test('several chosen nodes are duplicated by a button, and what is copied is a text', async (t) => {
  const id = await store('Buttons')
  const page = await openEditor(t, id, '?node=source,tags')

  await chosenNodes(page).getByRole('button', { name: 'Copy' }).click()
  await page.getByText('2 nodes copied.').waitFor()
  await chosenNodes(page).getByRole('button', { name: 'Duplicate' }).click()
  await page.getByText('2 nodes added: source_2, tags_2.').waitFor()

  assert.equal(new URL(page.url()).searchParams.get('node'), 'source_2,tags_2')
  assert.deepEqual(await inaccessible(page), [])
})

test('a wire is drawn by mouse where it fits, and refused with the reason where it does not', async (t) => {
  const id = await store('Mouse', {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'tags', type: 'apriltag' },
      { id: 'points', type: 'undistort-points' },
    ],
    edges: [{ from: 'source.image', to: 'tags.image' }],
    outputs: [{ port: 'points', from: 'points.points' }],
  })
  const page = await openEditor(t, id)
  const handle = (node: string, port: string) =>
    page.getByLabel(`node ${node}`, { exact: true }).locator(`[data-handleid="${port}"]`)
  await page.getByRole('button', { name: 'Lay out' }).click()

  await handle('source', 'colour').dragTo(handle('points', 'detections'))
  await page.getByText('source.colour gives colour picture, but points.detections takes detections.').waitFor()
  await handle('tags', 'detections').dragTo(handle('points', 'detections'))

  await page.getByRole('button', { name: 'Apply fix' }).waitFor({ state: 'detached' })
  await page.getByText('can run').waitFor()
})

test('what the planner says stands at the node, and its fix is applied there', async (t) => {
  const graph = { ...tagGraph, edges: tagGraph?.edges.filter(({ to }) => to !== 'tags.image') }
  const page = await openEditor(t, await store('Broken', graph))
  const node = page.getByLabel('node tags', { exact: true })

  await node.getByText(/input image that is not connected/).waitFor()
  await node.getByRole('button', { name: 'Apply fix' }).click()

  await page.getByText('can run').waitFor()
})

test('a stored pipeline is put into a slot of a stream, and run', async (t) => {
  const id = await store('Slotted')
  const page = await openEditor(t, id, '?on=front&tab=slots')

  await page.getByRole('button', { name: 'Put this pipeline into slot 3' }).click()
  await page.getByRole('button', { name: 'Run slot 3' }).click()
  await page.getByText('Front runs slot 3.').waitFor()

  const { spec } = await daemon.get<StreamNow>('/v1/streams/front')
  assert.equal(spec.active_slot, 3)
  assert.deepEqual(spec.slots, [{ slot: 3, graph_id: id }])
  await page.getByRole('button', { name: 'Run the pipeline of the stream alone' }).click()
  await page.getByText('Front runs a pipeline of its own.').waitFor()
})

test('what is tried on a stream runs there with each change, is not stored, and ends when one stops', async (t) => {
  const before = await daemon.get<StreamNow>('/v1/streams/front')
  const page = await openEditor(t, await store('Tried'), '?on=front&node=tags')
  const tried = async () => (await daemon.get<StreamNow>('/v1/streams/front')).status.pipeline.trial
  const triedDecimate = async () => {
    const trial = await tried()
    return trial && paramOf({ revision: 0, spec: trial.graph }, 'tags', 'decimate')
  }

  await page.getByRole('button', { name: 'Try on it' }).click()
  await page.getByText('Front runs what is on this page').waitFor()
  const slider = page.getByRole('slider', { name: 'Decimate, slider' })
  await slider.focus()
  await page.keyboard.press('End')
  await until('the parameter in the stream', triedDecimate, (now) => now === 8)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until('the parameter of before', triedDecimate, (now) => now === 1)
  await page.getByRole('button', { name: 'Stop trying' }).click()

  await until('the end of the trial', tried, (now) => now === null)
  const { revision, spec } = await daemon.get<StreamNow>('/v1/streams/front')
  assert.deepEqual([revision, spec], [before.revision, before.spec])
})

test('a trial that somebody else ends is shown as ended', async (t) => {
  const page = await openEditor(t, await store('Taken over'), '?on=front&node=tags')
  await page.getByRole('button', { name: 'Try on it' }).click()
  await until('the trial', async () => {
    const { status } = await daemon.get<StreamNow>('/v1/streams/front')
    return status.pipeline.trial
  })

  await daemon.send('POST', '/v1/streams/front/pipeline/graph', { trial_s: null })

  await page.getByText('The trial has ended.').waitFor()
  await page.getByRole('button', { name: 'Try on it' }).waitFor()
})

test('the pipeline of a stream that runs is refused with the words of the service', async (t) => {
  const { page } = await openPage(t, daemon.url, {
    path: '/pipelines/of/front?node=tags',
    expected: [/\b400\b/],
  })
  await page.getByRole('button', { name: 'Delete tags' }).click()
  await page
    .getByText(/\d errors?/)
    .first()
    .waitFor()

  await page.getByRole('button', { name: 'Save' }).click()

  await page
    .getByRole('alert')
    .getByText(/the pipeline cannot run/)
    .waitFor()
})

test('a phone has the nodes in order, each with its form', async (t) => {
  const id = await store('Phone')
  const { page } = await openPage(t, daemon.url, { path: `/pipelines/${id}`, viewport: SIZES.phone })

  await page.getByRole('button', { name: /^tags/ }).click()
  await page.getByRole('checkbox', { name: 'Refine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()

  await saved(page, 2)
  assert.equal(paramOf(await stored(id), 'tags', 'refine'), false)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the room can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const title = `Looked at, ${colorScheme} on a ${name}`
    const broken = await store(title, { ...tagGraph, edges: tagGraph?.edges.slice(1) })
    const { page } = await openPage(t, daemon.url, { colorScheme, viewport, path: '/pipelines' })
    await page.getByRole('link', { name: title, exact: true }).waitFor()
    assert.deepEqual(await inaccessible(page), [], 'the list')

    await page.getByRole('link', { name: title, exact: true }).click()
    await page
      .getByText(/\d errors?/)
      .first()
      .waitFor()
    assert.deepEqual(await inaccessible(page), [], 'the editor')

    await page.goto(`/pipelines/${broken}?on=front&node=tags`)
    await page.getByRole('region', { name: 'Form of tags' }).waitFor()
    assert.deepEqual(await inaccessible(page), [], 'a form')
  })
