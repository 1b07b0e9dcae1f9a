// What a page that is not of this device can make a browser ask for.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { allEndpoints } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'

const LISTED = 'https://dash.example:8080'

/** The code of the refusal, or `ok`, of a read with the headers that a browser adds. */
const reader = async (t: TestContext) => {
  const { app } = await busyApi(t, { origins: [LISTED] })
  return async (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET'): Promise<string> => {
    const response = await app.inject({ method, url, headers: { host: 'localhost', ...headers } })
    return response.headers['content-type']?.startsWith('application/problem+json') ? response.json().code : 'ok'
  }
}

const from = (site: string, dest: string, mode = 'no-cors') => ({
  'sec-fetch-site': site,
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
})

test('pictures can be embedded by every page', async (t) => {
  const read = await reader(t)

  for (const site of ['cross-site', 'same-site', 'same-origin'])
    for (const dest of ['image', 'iframe'])
      assert.equal(await read('/v1/streams/front/frame?quality=50', from(site, dest)), 'ok')
  assert.equal(await read('/v1/streams/front/preview', from('cross-site', 'image'), 'HEAD'), 'ok')
})

test('a foreign page makes a browser ask for nothing else', async (t) => {
  const read = await reader(t)
  const rows = allEndpoints().filter(({ method, path }) => method === 'GET' && !path.endsWith('/preview'))
  const urls = rows.map(({ path, kind }) => ({
    url: path.replace(':id', path.includes('/maps/') ? 'demo' : 'front').replace(':port', 'tags'),
    refusal: kind === 'panel' ? 'route.not_found' : 'origin.foreign', // a panel is nobody's page, and has a ticket
  }))

  for (const { url, refusal } of urls)
    for (const headers of [
      from('cross-site', 'script'),
      from('cross-site', 'empty'),
      from('same-site', 'style'),
      { ...from('cross-site', 'empty', 'cors'), origin: 'https://evil.example' },
    ])
      assert.equal(await read(url, headers), refusal, url)
  assert.equal(await read('/v1/streams', from('cross-site', 'image')), 'origin.foreign')
})

test('links lead here, our own page reads everything, and so do pages that are listed', async (t) => {
  const read = await reader(t)

  assert.equal(await read('/', from('cross-site', 'document', 'navigate')), 'ok')
  assert.equal(await read('/v1/streams', from('same-origin', 'empty', 'cors')), 'ok')
  assert.equal(await read('/v1/streams', from('none', 'document', 'navigate')), 'ok')
  assert.equal(await read('/v1/streams', { ...from('cross-site', 'empty', 'cors'), origin: LISTED }), 'ok')
  assert.equal(await read('/v1/streams', {}), 'ok')
})
