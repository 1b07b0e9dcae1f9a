// Lists: one shape, and pages for who wants them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEndpoints, assertProblem, fakeApi } from '../../support/api/api.ts'

/** A log is gone through in both ways, so its pages have two cursors. */
const BOTH_WAYS = '/v1/device/logs'

const lists = allEndpoints().filter(({ path, query }) => 'cursor' in query.properties && path !== BOTH_WAYS)

test('every list has one shape', async (t) => {
  const { app } = await fakeApi(t)

  assert.ok(lists.length >= 4)
  for (const { path } of lists) {
    const { items, next_cursor } = (await app.inject({ url: path, headers: { host: 'localhost' } })).json()
    assert.ok(Array.isArray(items))
    assert.equal(next_cursor, null)
  }
})

test('pages follow one another until all was given, each item once', async (t) => {
  const { app, fake } = await fakeApi(t)
  for (const id of ['a', 'b', 'c', 'd', 'e']) await fake.put({ id, enabled: false, source: { backend: 'synthetic' } })
  const get = async (query: string) =>
    (await app.inject({ url: `/v1/streams${query}`, headers: { host: 'localhost' } })).json()

  const seen: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages += 1) {
    const page: { items: { id: string }[]; next_cursor: string | null } = await get(
      cursor ? `?limit=2&cursor=${cursor}` : '?limit=2',
    )
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
    assert.ok(pages < 3, 'there are three pages')
  }

  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e'])
  assert.equal((await get('?limit=5')).next_cursor, null)
})

test('nothing is found out about items that are not on the page', async (t) => {
  const { app, fake } = await fakeApi(t)
  for (const id of ['a', 'b', 'c']) await fake.put({ id, enabled: false, source: { backend: 'synthetic' } })
  const asked: string[] = []
  for (const stream of fake.streams.all()) {
    const status = stream.status.bind(stream)
    t.mock.method(stream, 'status', () => {
      asked.push(stream.id)
      return status()
    })
  }

  await app.inject({ url: '/v1/streams?limit=1', headers: { host: 'localhost' } })

  assert.deepEqual(asked, ['a'])
})

test('a cursor whose item has gone is refused, and so is one that never was', async (t) => {
  const { app, fake } = await fakeApi(t)
  for (const id of ['a', 'b']) await fake.put({ id, enabled: false, source: { backend: 'synthetic' } })
  const get = (query: string) => app.inject({ url: `/v1/streams${query}`, headers: { host: 'localhost' } })
  const { next_cursor } = (await get('?limit=1')).json()
  await fake.drop('a')

  for (const cursor of [next_cursor, 'x']) {
    const { statusCode: status, headers, body } = await get(`?cursor=${cursor}`)
    assertProblem({ status, contentType: String(headers['content-type']), body }, 'cursor.unknown')
  }
})
