// Other devices on the page: two real services, each with its page in a real browser.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { inaccessible, LOOKS, openPage, withTimeToUndo } from '../support/api/browser.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { visionProduct } from '../support/peers/vision-product.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const SOURCE = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const FAKE = { VEDETTE_ENGINE: 'fake' }

const linked = (daemon: Daemon): Promise<PeerRecord> =>
  until(
    'the link',
    () => daemon.get<PeerRecord>('/v1/peers/back'),
    ({ status, streams }) => status === 'linked' && streams.length > 0,
  )

/** A device with a stream, and one that knows it. */
const twoDevices = async (t: Lifetime) => {
  const there = site(t, undefined, FAKE)
  const [back, front] = await Promise.all([there.start(), site(t, undefined, FAKE).start()])
  await back.addStream({ id: 'tower', alias: 'Tower', source: SOURCE })
  await front.send('POST', '/v1/peers', { base_url: back.url, name: 'back' })
  await linked(front)
  return {
    back,
    front,
    startAgain: () => there.start({ http: new URL(back.url).host }),
  }
}

const lifetime = fileLifetime()
const shared = twoDevices(lifetime)

const theirs = (page: Page) => page.getByRole('region', { name: 'Streams of back' })

/** Changes the name of the stream there. */
const rename = async (daemon: Daemon, alias: string): Promise<void> => {
  const { status } = await daemon.send('PATCH', '/v1/streams/tower', { patch: { alias } })
  assert.equal(status, 204)
}

test('a device that is known stands there with its link, what it is and what it may', async (t) => {
  const { back, front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers' })

  const known = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'back', exact: true }) })

  await known.getByText('linked', { exact: true }).waitFor()
  const text = String(await known.textContent())
  assert.match(text, new RegExp(`Vedette device at ${back.url}, 1 stream`))
  assert.match(text, /This device may watch its streams, set its cameras/)
})

test('what its streams find comes on the socket that has what those of this device find', async (t) => {
  const { front } = await shared
  await front.addStream({ id: 'bow', alias: 'Bow', source: SOURCE })
  const opened: string[] = []
  const heard = new Set<string>()
  const { page } = await openPage(t, front.url, {
    path: '/field?stream=bow,back:tower',
    prepare: async (page) => {
      page.on('websocket', (socket) => {
        if (!/\/(results|frames)\b/.test(socket.url())) return
        opened.push(decodeURIComponent(new URL(socket.url()).search))
        socket.on('framereceived', ({ payload }) => heard.add(JSON.parse(String(payload)).stream_id))
      })
    },
  })

  await page.getByRole('link', { name: 'Tower on back' }).waitFor()
  await until('both', () => heard.size === 2)
  await front.send('DELETE', '/v1/streams/bow')

  assert.deepEqual([...heard].toSorted(), ['back:tower', 'bow'])
  assert.match(opened.join('\n'), /^\?streams=back:tower,bow&rate=10$/)
})

test('what somebody changes on another device stands here without loading again', async (t) => {
  const { back, front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers/back' })
  const stream = theirs(page).getByRole('article')
  await stream.getByText('remote native stream on back').waitFor()
  await stream.getByText('proxy', { exact: true }).waitFor()

  await rename(back, 'Renamed there')

  await theirs(page).getByRole('heading', { name: 'Renamed there' }).waitFor()
  await rename(back, 'Tower')
  await theirs(page).getByRole('heading', { name: 'Tower' }).waitFor()
})

test('the pictures of a stream there are worked on here, and left to that device again', async (t) => {
  const { back, front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers/back' })
  const { streams } = await linked(front)
  const revision = streams[0]?.revision
  const { page: other } = await openPage(t, front.url, { path: '/peers/back' })
  await theirs(other).getByText('proxy', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Work on it here: Tower' }).click()

  await page.getByText(`applied on back, revision ${revision}`).waitFor()
  await theirs(page).getByText('worked on here', { exact: true }).waitFor()
  await theirs(page).getByText('this device decides').waitFor()
  await theirs(other).getByText('worked on here', { exact: true }).waitFor() // without loading again
  const own = page.getByRole('region', { name: 'Streams of this device' })
  await own.getByRole('article').waitFor()
  const { page: overview } = await openPage(t, front.url)
  await overview.getByText('remote native stream on back, this device decides').waitFor()
  assert.equal(await overview.getByRole('article').count(), 1) // and not also as a stream of that device
  await page.getByRole('button', { name: 'Leave it to back: Tower' }).click()
  for (const each of [page, other]) await theirs(each).getByText('proxy', { exact: true }).waitFor()
  await own.getByRole('article').waitFor({ state: 'detached' })
  assert.equal((await back.get<{ revision: number }>('/v1/streams/tower')).revision, revision)
})

test('what a device has beside its streams is listed as it lists it', async (t) => {
  const { front } = await shared
  const { pipelines } = await linked(front)
  const outputs = pipelines[0]?.outputs.map(({ id }) => id).join('.*')
  const { page } = await openPage(t, front.url, { path: '/peers/back' })

  await page.getByRole('row', { name: new RegExp(`stream-tower.*Tower.*${outputs}`) }).waitFor()
  await page.getByRole('row', { name: /stream-tower.*Tower.*not set yet/ }).waitFor()
})

test('a device that dies is greyed with its age, and comes back by itself', async (t) => {
  const { front, back, startAgain } = await twoDevices(t)
  const { page } = await openPage(t, front.url, { path: '/peers/back', expected: [/WebSocket/, /50\d/] })
  const stream = theirs(page).getByRole('article')
  await stream.getByText('live', { exact: true }).waitFor()
  await stream.getByRole('img').or(stream.locator('canvas')).first().waitFor()

  await back.end('SIGKILL')
  await page
    .locator('.page-head')
    .getByText(/as it was \d+ s ago/)
    .waitFor()
  const wasGrey = await stream.evaluate((element) => (element as unknown as { className: string }).className)
  await startAgain()

  assert.match(wasGrey, /is-old/)
  await page.locator('.page-head').getByText('linked', { exact: true }).waitFor()
  await page
    .locator('.page-head')
    .getByText(/as it was/)
    .waitFor({ state: 'detached' })
  await stream.getByText('live', { exact: true }).waitFor()
})

const withTls = async (t: TestContext) => {
  const tls = `127.0.0.1:${await freePort()}`
  const daemon = await site(t, undefined, FAKE).start({ tls })
  await until(
    'https',
    () => daemon.get<{ parts: readonly { name: string; state: string }[] }>('/v1/health'),
    ({ parts }) => parts.some(({ name, state }) => name === 'https' && state === 'listening'),
  )
  return { daemon, origin: `https://${tls}` }
}

const trustsOf = async (daemon: Daemon): Promise<number> =>
  (await daemon.get<{ items: readonly unknown[] }>('/v1/peers/trust')).items.length

test('two people pair their devices on their pages by comparing a code, and one revokes it', async (t) => {
  const [there, here] = await Promise.all([withTls(t), withTls(t)])
  const [{ page: back }, { page: front }] = await Promise.all([
    openPage(t, there.daemon.url, { path: '/peers' }),
    openPage(t, here.daemon.url, { path: '/peers' }),
  ])

  await back.getByRole('button', { name: 'Wait to be called' }).click()
  await back.getByText('Now call this device from the page of the other one.').waitFor()
  await back.getByText(/^[12]:\d\d left$/).waitFor()
  await front.getByLabel('Or call the device at').fill(there.origin)
  await front.getByRole('button', { name: 'Call it' }).click()
  const [codeThere, codeHere] = await Promise.all(
    [back, front].map((page) => page.getByRole('status', { name: /^The code is/ }).textContent()),
  )
  assert.match(String(codeHere), /^\d{3} \d{3}$/)
  assert.equal(codeHere, codeThere)
  await back.getByText('Called by').waitFor()

  await front.getByRole('button', { name: 'The same code' }).click()
  await front.getByText('Confirmed here.').waitFor()
  assert.deepEqual([await trustsOf(there.daemon), await trustsOf(here.daemon)], [0, 0])
  await back.getByRole('button', { name: 'The same code' }).click()

  await Promise.all([back, front].map((page) => page.getByText('trust each other').waitFor()))
  await front.getByText('linked', { exact: true }).waitFor()
  await back.getByText('by its certificate, until it is revoked').waitFor()
  await back.getByRole('button', { name: /^Revoke the trust in/ }).click()
  await back.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await back.getByText('No device is trusted yet.').waitFor()
  assert.equal(await trustsOf(there.daemon), 0)
})

test('a device is trusted by the fingerprint that its own page shows, or by a token that is told once', async (t) => {
  const { back, front } = await shared
  const [{ page: there }, { page: here }] = await Promise.all([
    openPage(t, back.url, { path: '/peers' }),
    openPage(t, front.url, { path: '/peers', expected: [/\b4\d\d\b/] }),
  ])
  const shown = String(await there.getByText(/^certificate of this device/).textContent())
  const fingerprint = shown.replace('certificate of this device', '').trim()
  assert.match(fingerprint, /^([0-9a-f]{4} ){15}[0-9a-f]{4}$/)

  await here.getByRole('button', { name: 'Trust by fingerprint' }).click()
  const form = here.getByRole('dialog')
  await form.getByLabel('Its name').fill('Back')
  await form.getByLabel('Fingerprint of its certificate').fill('5f3a')
  await form.getByRole('button', { name: 'Trust it' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Fingerprint of its certificate').fill(fingerprint.toUpperCase())
  await form.getByRole('button', { name: 'Trust it' }).click()
  await here.getByText('by its certificate, until it is revoked').waitFor()

  await here.getByRole('button', { name: 'Trust by fingerprint' }).click()
  await form.getByLabel('Its name').fill('Old one')
  await form.getByRole('button', { name: 'Make a token' }).click()
  const token = String(await form.getByRole('status', { name: 'The token' }).textContent())
  await form.getByRole('button', { name: 'I have it' }).click()
  await here.getByText('by its token, until it is revoked').waitFor()

  const { items } = await front.get<{ items: { id: string; spec: { fingerprint: string | null } }[] }>(
    '/v1/peers/trust',
  )
  assert.deepEqual(
    items.map(({ spec }) => spec.fingerprint),
    [fingerprint.replaceAll(' ', ''), null],
  )
  assert.ok(token.length >= 32, token)
  for (const { id } of items) await front.send('DELETE', `/v1/peers/trust/${id}`)
})

test('another code ends pairing, and nobody is trusted', async (t) => {
  const [there, here] = await Promise.all([withTls(t), withTls(t)])
  await there.daemon.send('POST', '/v1/peers/pairing', {})
  const { page } = await openPage(t, here.daemon.url, { path: '/peers' })
  await here.daemon.send('POST', '/v1/peers/pairing', { base_url: there.origin })

  await page.getByRole('button', { name: 'Another code' }).click()

  await page.getByRole('button', { name: 'Wait to be called' }).waitFor()
  assert.deepEqual([await trustsOf(there.daemon), await trustsOf(here.daemon)], [0, 0])
})

test('a device is registered by its address, one that is this device itself is refused in its words', async (t) => {
  const { back } = await shared
  const { page } = await openPage(t, back.url, {
    path: '/peers',
    expected: [/\b4\d\d\b/],
    prepare: withTimeToUndo,
  })
  const product = await visionProduct(t)

  await page.getByRole('button', { name: 'Register by address' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Address').fill(back.url)
  await form.getByRole('button', { name: 'Register it' }).click()
  await form
    .getByRole('alert')
    .getByText(/this device itself/)
    .waitFor()
  await form.getByLabel('Address').fill(product.origin)
  await form.getByLabel('Name', { exact: true }).fill('Product')
  await form.getByRole('button', { name: 'Register it' }).click()

  await page.getByRole('heading', { name: 'Product', exact: true }).waitFor()
  await page.getByText('It is no device of this kind').waitFor()
  await page.getByRole('button', { name: 'Forget' }).click()
  await page.getByRole('complementary', { name: 'Going on' }).getByText('Product is forgotten').waitFor()
  await page.getByText('No other device is known yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Product' }).waitFor()
})

test('a look at an address says who is there, or why nobody is', async (t) => {
  const { back, front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers' })
  const nobody = `http://127.0.0.1:${await freePort()}`

  await page.getByLabel('Look at an address').fill(`${back.url} ${nobody}`)
  await page.getByRole('button', { name: 'Look', exact: true }).click()

  await page.getByText(`at ${back.url}: Vedette device, protocol 1.0`).waitFor()
  await page.getByRole('alert').getByText(`Nobody is at ${nobody}.`).waitFor()
})

test('many addresses are looked at a few at a time', async (t) => {
  const { front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers' })
  const under = { now: 0, most: 0 }
  await page.route('**/v1/peers/probe', async (route) => {
    under.now += 1
    under.most = Math.max(under.most, under.now)
    const response = await route.fetch()
    under.now -= 1
    await route.fulfill({ response })
  })
  const addresses = Array.from({ length: 12 }, (_, n) => `127.0.0.1:${n + 1}`)

  await page.getByLabel('Look at an address').fill(addresses.join(' '))
  await page.getByRole('button', { name: 'Look', exact: true }).click()

  for (const at of addresses) await page.getByText(`Nobody is at http://${at}.`).waitFor()
  assert.equal(under.most, 4)
})

test('a device that is found by somebody else shows without loading again', async (t) => {
  const { back, front } = await shared
  const { page } = await openPage(t, front.url, { path: '/peers' })
  await page.getByRole('heading', { name: 'Found' }).waitFor()
  await page
    .getByText('Devices that announce themselves')
    .or(page.getByText('Nobody is listened for'))
    .first()
    .waitFor()

  await front.send('POST', '/v1/peers/discover', { base_urls: [back.url] })

  await page.getByText('known as back').waitFor()
})

test('a device that has another address now is linked there with one press, and stays the same peer', async (t) => {
  const there = site(t, undefined, FAKE)
  const [before, front] = await Promise.all([there.start(), site(t, undefined, FAKE).start()])
  await front.send('POST', '/v1/peers', { base_url: before.url, name: 'Tower' })
  const record = () => front.get<PeerRecord>('/v1/peers/tower')
  await until('the link', record, ({ status }) => status === 'linked')
  await before.end('SIGKILL')
  const now = await there.start({ http: `127.0.0.1:${await freePort()}` })
  await until('that it is away', record, ({ status }) => status !== 'linked')
  const { page } = await openPage(t, front.url, { path: '/peers', expected: [/WebSocket/, /50\d/] })
  const press = page.getByRole('button', { name: `Use this address for Tower: ${now.url}` })
  await page.getByRole('heading', { name: 'Found' }).waitFor()
  assert.equal(await press.count(), 0)

  await front.send('POST', '/v1/peers/discover', { base_urls: [now.url] })
  await page.getByText('known as Tower').waitFor()
  await press.click()

  await page.getByText('linked', { exact: true }).waitFor()
  await press.waitFor({ state: 'detached' })
  const { id, base_url, name } = await record()
  assert.deepEqual([id, base_url, name], ['tower', now.url, 'Tower'])
  assert.equal((await front.get<{ items: readonly unknown[] }>('/v1/peers')).items.length, 1)
})

test('the streams of another vision product are asked for, and one is made a stream of this device', async (t) => {
  const { front } = await shared
  const settings = {
    cameraSettings: [
      {
        nickname: 'Left',
        outputStreamPort: 1182,
        inputStreamPort: 1181,
        uniqueName: 'b6d1c3a0',
        currentPipelineIndex: 0,
        isConnected: true,
      },
    ],
  }
  const product = await visionProduct(t, { messages: [settings] })
  const { page } = await openPage(t, front.url, { path: '/peers' })

  await page.getByLabel('Look at an address').fill(product.origin)
  await page.getByRole('button', { name: 'Look', exact: true }).click()
  await page.getByRole('button', { name: /^Ask .* for its streams$/ }).click()
  await page
    .getByRole('button', { name: /^Make a stream of it: Left/ })
    .first()
    .click()

  await page.getByRole('link', { name: /^Open Left/ }).waitFor()
  const { items } = await front.get<{ items: readonly { id: string; spec: { source: object } }[] }>('/v1/streams')
  const made = items.find(({ spec }) => 'url' in spec.source)
  assert.match(JSON.stringify(made?.spec.source), /"url":"http:\/\/127\.0\.0\.1:118\d\/stream\.mjpg"/)
  await front.send('DELETE', `/v1/streams/${made?.id}`)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the pages of other devices can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { front } = await shared
    const { page } = await openPage(t, front.url, { path: '/peers', viewport, colorScheme })
    await page.getByRole('link', { name: 'back', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Wait to be called' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])

    await page.getByRole('link', { name: 'back', exact: true }).click()
    await page.getByText('remote native stream on back').waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })
