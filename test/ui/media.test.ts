// What is stored, as people look at it: in a real browser, from a real service.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { MediaItem } from '../../machines/media/item.ts'
import { movieFragment, movieHead } from '../../native/engine/fake/movie.ts'
import { inaccessible, LOOKS, openPage, withTimeToUndo } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { grayPng } from '../support/media/png.ts'
import type { Daemon } from '../support/processes/daemon.ts'
import { site } from '../support/processes/daemon.ts'
import { tagsDaemon } from '../support/processes/tags-daemon.ts'
import { until } from '../support/until.ts'

const lifetime = fileLifetime()
const shared = tagsDaemon(lifetime)

const picture = grayPng(64, 48, (x, y) => x + y)

const store = async (daemon: Daemon, name: string, bytes: Uint8Array = picture): Promise<MediaItem> => {
  const body = Buffer.from(bytes)
  const response = await fetch(`${daemon.url}/v1/media?name=${name}`, { method: 'POST', body })
  assert.equal(response.status, 201)
  return (await response.json()) as MediaItem
}

const storeMany = async (daemon: Daemon, name: string, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await store(daemon, `${name}-${n}`)
}

const isStored = async (daemon: Daemon, name: string): Promise<boolean> =>
  (await daemon.send('GET', `/v1/media/${name}/metadata`)).status === 200

/** A recording of half a second and more, and the times of its pictures with results. */
const record = async (daemon: Daemon, name: string): Promise<MediaItem> => {
  const begun = await daemon.send<MediaItem>('POST', '/v1/streams/front/recording/start', { name })
  await until(
    'pictures in the file',
    () => daemon.stream('front', 'live'),
    ({ status }) => (status.recording?.results ?? 0) > 8,
  )
  await daemon.send('POST', '/v1/streams/front/recording/stop')
  return await until(
    'the recording',
    () => daemon.get<MediaItem>(`/v1/media/${begun.body.name}/metadata`),
    ({ state }) => state === 'ready',
  )
}

const recorded = shared.then(({ daemon }) => record(daemon, 'match'))

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('an item that is deleted while it is read does not come back with the answer', async (t) => {
  const { daemon } = await shared
  const { page, requests } = await openPage(t, daemon.url, { path: '/media' })
  const before = await store(daemon, 'before')
  await row(page, before.name).waitFor() // it hears what happens, or has read all once more as it began to
  await until('all answers', requests, ({ open }) => open === 0)
  const [asked, deleted] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  await page.route(/\/v1\/media\/short-lived[^/]*\/metadata$/, async (route) => {
    asked.resolve(await (await route.fetch()).text())
    await deleted.promise
    await route.fulfill({ body: await asked.promise, contentType: 'application/json' })
  })
  const readAll = () => page.waitForResponse(/\/v1\/media\?limit=1$/) // what follows each change

  const { name } = await store(daemon, 'short-lived')
  await asked.promise
  await Promise.all([readAll(), daemon.send('DELETE', `/v1/media/${name}`)])
  const after = readAll()
  deleted.resolve()
  await after

  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  assert.equal(await row(page, name).count(), 0)
})

test('what is stored is listed with a picture of it, and what others store and delete comes and goes', async (t) => {
  const { daemon } = await shared
  const item = await recorded
  const { page } = await openPage(t, daemon.url, { path: '/media' })
  const thumbnail = row(page, item.name).locator('img')
  await until(
    'the thumbnail',
    () => thumbnail.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth),
    (width) => width === item.width_px,
  )

  await page.getByText(/^\d.* of \d.* free$/).waitFor()

  const late = await store(daemon, 'late')
  await page.getByRole('link', { name: late.name, exact: true }).waitFor()
  await daemon.send('DELETE', `/v1/media/${late.name}`)

  await row(page, late.name).waitFor({ state: 'detached' })
})

test('the list is filtered by kind, stream and day, and its address says so', async (t) => {
  const { daemon } = await shared
  const item = await recorded
  const uploaded = await store(daemon, 'uploaded')
  const { page } = await openPage(t, daemon.url, { path: '/media' })
  await row(page, uploaded.name).waitFor()

  await page.getByRole('button', { name: 'Recordings' }).click()
  await row(page, uploaded.name).waitFor({ state: 'detached' })
  await page.getByLabel('Stream').selectOption('front')
  await row(page, item.name).waitFor()
  assert.equal(new URL(page.url()).search, '?kind=recording&stream=front')
  await page.getByLabel('Day').fill('2020-01-31')
  await page.getByText('Nothing of what is stored').waitFor()
  await page.goBack()

  await row(page, item.name).waitFor()
})

test('several files are sent at once, each with what becomes of it', async (t) => {
  const { daemon } = await shared
  const { page } = await openPage(t, daemon.url, {
    path: '/media',
    expected: [/422 to POST|400 to POST|415 to POST/, /Failed to load resource/],
  })
  const files = [
    { name: 'goal.png', mimeType: 'image/png', buffer: picture },
    { name: 'tower.png', mimeType: 'image/png', buffer: picture },
    { name: 'letter.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('this is no picture') },
  ]

  await page.getByLabel('Files to upload').setInputFiles(files)

  const uploads = page.getByRole('region').or(page.locator('.media-uploads'))
  await uploads.getByText('stored', { exact: true }).nth(1).waitFor()
  await page.getByText(/no JPEG, PNG, MP4/).waitFor()
  await page.getByText('not stored').waitFor()
  assert.ok(await isStored(daemon, 'goal.png'))
  assert.ok(await isStored(daemon, 'tower.png'))
})

test('an upload that is cancelled leaves nothing', async (t) => {
  const { daemon } = await shared
  const { page } = await openPage(t, daemon.url, { path: '/media' })
  await page.getByRole('heading', { name: 'Media' }).waitFor()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 20_000,
  })
  const noise = randomBytes(900 * 900) // which cannot be packed: it takes 40 s
  const large = grayPng(900, 900, (x, y) => noise[y * 900 + x] ?? 0)

  await page.getByLabel('Files to upload').setInputFiles([{ name: 'slow.png', mimeType: 'image/png', buffer: large }])
  await page.getByRole('progressbar', { name: 'slow.png is sent' }).waitFor()
  await page.getByRole('button', { name: 'Cancel slow.png' }).click()

  await page.getByText('slow.png').waitFor({ state: 'detached' })
  await until(
    'the end of what was stored of it',
    () => isStored(daemon, 'slow.png'),
    (is) => !is,
  )
})

test('a deletion can be undone for some seconds, and is carried out when the page is left', async (t) => {
  const { daemon } = await shared
  const { name } = await store(daemon, 'old')
  const { page } = await openPage(t, daemon.url, { path: '/media', prepare: withTimeToUndo })
  const remove = page.getByRole('button', { name: `Delete ${name}` })

  await remove.click()
  await row(page, name).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, name).waitFor()
  assert.ok(await isStored(daemon, name))
  await remove.click()
  await row(page, name).waitFor({ state: 'detached' })
  await page.goto('about:blank')

  await until(
    'the deletion',
    () => isStored(daemon, name),
    (isThere) => !isThere,
  )
})

test('an item that is still to be written can be deleted, in the list and on its page', async (t) => {
  const { daemon } = await shared
  const asWritten = (text: string) => text.replaceAll('"state":"ready"', '"state":"writing"')
  const prepare = async (page: Page) => {
    await page.route(/\/v1\/media(\?|\/left[^/]*\/metadata)/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: asWritten(await response.text()) })
    })
  }
  const removed = async (name: string, path: string, button: string) => {
    const { page } = await openPage(t, daemon.url, { path, prepare })
    await page.getByText('being written', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.goto('about:blank')
    await until(
      'the deletion',
      () => isStored(daemon, name),
      (isThere) => !isThere,
    )
  }
  const [first, second] = [await store(daemon, 'left'), await store(daemon, 'left')]

  await removed(first.name, '/media', `Delete ${first.name}`)
  await removed(second.name, `/media/${second.name}`, 'Delete')
})

test('an item that a stream plays stays, with the reason', async (t) => {
  const { daemon } = await shared
  const item = await recorded
  const played = { backend: 'file', media: item.name }
  await daemon.send('POST', '/v1/streams', { id: 'player', source: played, enabled: false })
  const { page } = await openPage(t, daemon.url, {
    path: '/media',
    expected: [/409 to DELETE/, /Failed to load resource/],
    prepare: (page) => page.clock.install(),
  })

  await page.getByRole('button', { name: `Delete ${item.name}` }).click()
  await row(page, item.name).waitFor({ state: 'detached' })
  await page.clock.runFor(6100)

  await page.getByText(`${item.name} is still there.`).waitFor()
  await row(page, item.name).waitFor()
  await daemon.send('DELETE', '/v1/streams/player')
})

test('a long list is read page by page, and pictures only as they come into view', async (t) => {
  const daemon = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  const first = await store(daemon, 'first')
  await Promise.all(Array.from({ length: 5 }, (_, lane) => storeMany(daemon, `lane-${lane}`, 25)))
  const last = await store(daemon, 'last')
  let pictures = 0
  const { page, requests } = await openPage(t, daemon.url, {
    path: '/media',
    prepare: async (page) => {
      page.on('request', (request) => {
        if (request.resourceType() === 'image' && request.url().includes('/v1/media/')) pictures += 1
      })
    },
  })
  await row(page, last.name).waitFor()
  await until('pictures', () => pictures > 0)
  await until('all answers', requests, ({ open }) => open === 0)
  assert.ok(pictures < 100, `${pictures} of 127 pictures were asked for`)

  await page.getByRole('listitem').last().scrollIntoViewIfNeeded()

  await row(page, first.name).waitFor()
  assert.equal(await page.getByRole('listitem').count(), 127)
})

/** The time that the player shows a picture of. */
const shownMs = (page: Page) => page.locator('canvas').getAttribute('data-at-ms').then(Number)

test('a recording is gone through picture by picture, with what was found in each', async (t) => {
  const { daemon } = await shared
  const item = await recorded
  const results = await (await fetch(`${daemon.url}/v1/media/${item.name}?as=results`)).text()
  const [first = 0] = [...results.matchAll(/"pts_us":(\d+)/g)].map(([, us]) => Number(us) / 1000)
  const { page } = await openPage(t, daemon.url, { path: `/media/${item.name}?at=${Math.floor(first)}` })
  const stands = (what: string, isWanted: (ms: number) => boolean) => until(what, () => shownMs(page), isWanted)

  await page.getByRole('img', { name: /^found: \d/ }).waitFor()
  const at = await stands('the first picture with results', (ms) => Math.abs(ms - first) < 2)
  await page.getByRole('button', { name: 'One picture on' }).click()
  const next = await stands('the next picture', (ms) => ms > at)
  await page.getByRole('button', { name: 'One picture back' }).click()
  await stands('the picture before', (ms) => ms === at)
  await page.getByLabel('Results').uncheck()
  await page.getByRole('img', { name: /^found/ }).waitFor({ state: 'detached' })
  await page.getByLabel('Go to').fill(`0:0${(next / 1000).toFixed(3)}`)
  await page.getByLabel('Go to').press('Enter')
  await stands('the time that was wanted', (ms) => Math.abs(ms - next) < 40)

  await until(
    'the address',
    () => new URL(page.url()).searchParams.get('at'),
    (text) => Math.abs(Number(text) - next) < 40,
  )
  await page.getByLabel('Speed').selectOption('8')
  await page.getByRole('button', { name: 'Play' }).click()
  const end = (item.duration_ms ?? 0) - 400
  await stands('the end', (ms) => ms > end)
  await page.getByRole('button', { name: 'Play' }).waitFor()
})

test('a video that the browser does not play is shown by the device', async (t) => {
  const { daemon, jpeg } = await shared
  const film = [movieHead(640, 480), movieFragment(1, 0, jpeg), movieFragment(2, 500_000, jpeg)]
  const { name } = await store(daemon, 'sent', Buffer.concat(film))
  const { page } = await openPage(t, daemon.url, { path: `/media/${name}?at=400` })

  await until(
    'the second picture',
    () => shownMs(page),
    (ms) => ms === 500,
  )
})

test('a label is kept beside its picture', async (t) => {
  const { daemon } = await shared
  const { name } = await store(daemon, 'labelled')
  const { page } = await openPage(t, daemon.url, { path: `/media/${name}` })

  await page.getByLabel('What is to be seen').fill('0 0.5 0.5 0.25 0.25\n')
  await page.getByRole('button', { name: 'Save label' }).click()
  await page.getByText(/^applied/).waitFor()

  assert.equal(await (await fetch(`${daemon.url}/v1/media/${name}/label`)).text(), '0 0.5 0.5 0.25 0.25\n')
})

test('a recording runs through a pipeline as a stream of its own', async (t) => {
  const { daemon } = await shared
  const item = await recorded
  const { page } = await openPage(t, daemon.url, { path: `/media/${item.name}` })

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('link', { name: 'Look at the stream' }).click()

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { spec } = await daemon.stream(id, 'live')
  assert.deepEqual(spec.source, { backend: 'file', media: item.name, pace: 'native', loop: true })
  await daemon.send('DELETE', `/v1/streams/${id}`)
})

test('a note is kept with its revision, and one that comes too late can be chosen', async (t) => {
  const { daemon } = await shared
  const { name, revision } = await store(daemon, 'noted')
  const { page } = await openPage(t, daemon.url, {
    path: `/media/${name}`,
    expected: [/409 to PATCH|412 to PATCH/, /Failed to load resource/],
  })
  const note = page.getByLabel('Note')
  const path = `/v1/media/${name}/metadata`

  await note.fill('by the red goal')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText(`applied, revision ${revision + 1}`).waitFor()
  await note.fill('mine')
  await daemon.send('PATCH', path, { metadata: { note: 'theirs' } })
  await until(
    'what others wrote',
    () => daemon.get<MediaItem>(path),
    (item) => item.revision === revision + 2,
  )
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText('Somebody else changed it. Theirs: theirs. Yours: mine.').waitFor()
  await page.getByRole('button', { name: 'Set mine' }).click()

  await page.getByText(`applied, revision ${revision + 3}`).waitFor()
  assert.deepEqual((await daemon.get<MediaItem>(path)).metadata, { note: 'mine' })
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the media can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { daemon } = await shared
    const item = await recorded
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/media' })
    await page.getByRole('link', { name: item.name, exact: true }).click()
    await page.getByRole('group', { name: 'Player' }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
    await page.goBack()
    await row(page, item.name).waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })
