// A kind of thing that was declared once: what it has by that.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { InjectOptions } from 'fastify'
import { area } from '../../../api/endpoints/endpoint.ts'
import { resource } from '../../../api/endpoints/resource.ts'
import { openApi } from '../../../api/spec/openapi.ts'
import { documentEvent } from '../../../machines/events/kind.ts'
import Type from '../../../machines/schema/type.ts'
import { collection } from '../../../machines/settings/collection.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { branch } from '../../../supervisors/composition/branch.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'

const strict = { additionalProperties: false } as const
const LampId = Type.String({ pattern: '^[a-z]+$', examples: ['left'] })
const Lamp = Type.Object(
  { brightness: Type.Number({ minimum: 0, maximum: 1 }), colour: Type.Optional(Type.String()) },
  { ...strict, title: 'LampSpec' },
)
const LampStatus = Type.Object({ on: Type.Boolean() }, { ...strict, title: 'LampStatus' })

const lampChanged = documentEvent({
  kind: 'lamp_changed',
  about: 'A lamp was changed.',
  of: { field: 'lamp_id', id: LampId, example: 'left' },
})

const lamps = collection({
  name: 'lamps',
  id: LampId,
  schema: Lamp,
  limit: 4,
  changed: lampChanged,
  notFound: (id) => ({ code: 'document.unknown', detail: `there is no lamp ${id}` }),
})

const lamp = resource('/v1/lamps', {
  collection: lamps,
  title: 'Lamp',
  about: 'A lamp.',
  spec: Lamp,
  status: LampStatus,
  example: { id: 'left', spec: { brightness: 0.5 }, status: { on: true } },
  statusOf: (id) => (id === 'ghost' ? undefined : { on: id !== 'broken' }),
})

const lampArea = area('lamps', 'Lamps.', [
  lamp.list({ summary: 'All lamps', order: 'In the order of their creation.' }),
  lamp.create({
    summary: 'Add a lamp',
    body: { schema: Type.Object({ id: LampId }, strict), example: { id: 'left' } },
    send: ({ body: { id } }) => putOrder(lamps, id, { brightness: 0.5, colour: 'red' }, { create_only: true }),
    faults: ['document.exists'],
  }),
  lamp.read({ summary: 'One lamp' }),
  lamp.change('PATCH', '', {
    summary: 'Change a lamp',
    body: { schema: Type.Partial(Lamp, strict), example: { brightness: 1 } },
    patch: ({ body }) => body,
  }),
  lamp.change('DELETE', '/colour', { summary: 'Make a lamp white', patch: () => ({ colour: null }) }),
  lamp.delete({ summary: 'Forget a lamp' }),
])

const withLamps = async (t: TestContext) => {
  const lampBranch = branch({ collections: [lamps], needs: {}, start: () => Effect.void })
  const { app, fake } = await fakeApi(t, { areas: () => [lampArea] }, { added: [lampBranch] })
  const ask = async (method: NonNullable<InjectOptions['method']>, url: string, payload?: object, headers = {}) => {
    const answer = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    const { statusCode: status, body } = answer
    const { etag, 'content-type': contentType } = answer.headers
    return { status, etag, contentType: String(contentType), body, json: () => JSON.parse(body) }
  }
  return { ask, fake }
}

test('a resource is created, listed, read, patched and deleted, with one shape and a revision', async (t) => {
  const { ask } = await withLamps(t)
  const view = (revision: number, spec: object) => ({ id: 'left', revision, spec, status: { on: true } })

  const created = await ask('POST', '/v1/lamps', { id: 'left' })
  assert.deepEqual([created.status, created.etag], [200, '"1"'])
  assert.deepEqual(created.json(), view(1, { brightness: 0.5, colour: 'red' }))
  assert.deepEqual((await ask('GET', '/v1/lamps')).json(), {
    revision: 1,
    items: [created.json()],
    next_cursor: null,
  })

  const changed = await ask('PATCH', '/v1/lamps/left', { brightness: 1 })
  assert.deepEqual([changed.status, changed.etag, changed.body], [204, '"2"', ''])
  await ask('DELETE', '/v1/lamps/left/colour')
  const read = await ask('GET', '/v1/lamps/left')
  assert.deepEqual([read.etag, read.json()], ['"3"', view(3, { brightness: 1 })])

  assert.equal((await ask('DELETE', '/v1/lamps/left')).status, 204)
  assert.deepEqual((await ask('GET', '/v1/lamps')).json(), { revision: 4, items: [], next_cursor: null })
})

test('every write of a thing that is there heeds the revision', async (t) => {
  const { ask } = await withLamps(t)
  await ask('POST', '/v1/lamps', { id: 'left' })
  const writes = [
    ['PATCH', '/v1/lamps/left', { brightness: 1 }],
    ['DELETE', '/v1/lamps/left/colour', {}],
    ['DELETE', '/v1/lamps/left', {}],
  ] as const

  for (const [method, url, body] of writes) {
    const stale = await ask(method, url, { ...body, expected_revision: 9 })
    assert.deepEqual(assertProblem(stale, 'revision.stale').context, { revision: 1 })
    assertProblem(await ask(method, url, { ...body }, { 'if-match': '"9"' }), 'revision.stale')
  }
  assert.equal((await ask('DELETE', '/v1/lamps/left', undefined, { 'if-match': '"1"' })).status, 204)
})

test("what is not there has the collection's own fault, wherever it is asked for", async (t) => {
  const { ask } = await withLamps(t)
  await ask('POST', '/v1/lamps', { id: 'ghost' }) // it is stored, but has gone from what is

  for (const id of ['right', 'ghost']) assertProblem(await ask('GET', `/v1/lamps/${id}`), 'document.unknown')
  assert.deepEqual((await ask('GET', '/v1/lamps')).json().items, [])
  assertProblem(await ask('PATCH', '/v1/lamps/right', { brightness: 1 }), 'document.unknown')
  assertProblem(await ask('DELETE', '/v1/lamps/right/colour'), 'document.unknown')
  assertProblem(await ask('DELETE', '/v1/lamps/right'), 'document.unknown')
})

test('each write is told as the event of the collection', async (t) => {
  const { ask, fake } = await withLamps(t)
  const told: unknown[] = []
  t.after(
    fake.directory.events.subscribe(({ kind, resource_ref, revision, data }) =>
      told.push([kind, resource_ref, revision, data]),
    ),
  )

  await ask('POST', '/v1/lamps', { id: 'left' })
  await ask('PATCH', '/v1/lamps/left', { brightness: 1 })
  await ask('PATCH', '/v1/lamps/left', { brightness: 1 }) // which it has
  await ask('DELETE', '/v1/lamps/left')

  const ref = { lamp_id: 'left' }
  assert.deepEqual(told, [
    ['lamp_changed', ref, 1, { deleted: false }],
    ['lamp_changed', ref, 2, { deleted: false }],
    ['lamp_changed', ref, 3, { deleted: true }],
  ])
})

test('the documents name the thing, its list, its faults and its event', () => {
  const { paths, components } = openApi([lampArea], '0.0.0') as {
    readonly paths: Record<string, Record<string, { readonly 'x-publishes'?: unknown; readonly responses: object }>>
    readonly components: { readonly schemas: object }
  }

  assert.deepEqual(
    ['Lamp', 'LampList', 'LampSpec', 'LampStatus'].filter((name) => !(name in components.schemas)),
    [],
  )
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods))
  assert.equal(operations.length, 6)
  for (const [method, operation] of operations)
    assert.deepEqual(operation['x-publishes'], method === 'get' ? undefined : ['lamp_changed'])
  for (const method of ['get', 'patch', 'delete'])
    assert.match(JSON.stringify(paths['/v1/lamps/{id}']?.[method]?.responses), /document\.unknown/)
})

test('a single resource stands under its path, with its blank document until it is written', async (t) => {
  const horn = collection({
    name: 'horn',
    id: Type.Literal('horn'),
    schema: Type.Object({ loud: Type.Optional(Type.Boolean()) }, strict),
    limit: 1,
    changed: documentEvent({ kind: 'horn_changed', about: 'The horn was changed.', of: null }),
    notFound: () => ({ code: 'document.unknown', detail: 'there is no horn' }),
    blank: {},
  })
  const only = resource('/v1/horn', {
    collection: horn,
    only: 'horn',
    title: 'Horn',
    about: 'The horn.',
    spec: Type.Object({ loud: Type.Boolean() }, strict),
    status: Type.Object({}, strict),
    example: { id: 'horn', spec: { loud: false }, status: {} },
    specOf: ({ loud = false }) => ({ loud }),
    statusOf: () => ({}),
  })
  const table = area('horn', 'The horn.', [
    only.read({ summary: 'The horn' }),
    only.change('POST', '', {
      summary: 'Change the horn',
      body: { schema: Type.Object({ loud: Type.Boolean() }, strict), example: { loud: true } },
      patch: ({ body }) => body,
    }),
  ])
  const added = [branch({ collections: [horn], needs: {}, start: () => Effect.void })]
  const { app } = await fakeApi(t, { areas: () => [table] }, { added })
  const headers = { host: 'localhost' }
  const read = async () => (await app.inject({ url: '/v1/horn', headers })).json()

  assert.deepEqual(await read(), { id: 'horn', revision: 0, spec: { loud: false }, status: {} })
  await app.inject({ method: 'POST', url: '/v1/horn', headers, payload: { loud: true, expected_revision: 0 } })
  assert.deepEqual(await read(), { id: 'horn', revision: 1, spec: { loud: true }, status: {} })
})
