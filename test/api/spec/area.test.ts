// The descriptions of the interface: whole, correct, and the same in both places.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from '@asyncapi/parser'
import { fakeApi } from '../../support/api.ts'

type Json = Readonly<Record<string, unknown>>

const documentAt = async (t: Parameters<typeof fakeApi>[0], url: string): Promise<Json> =>
  (await (await fakeApi(t)).app.inject({ url, headers: { host: 'localhost' } })).json()

/** Every object in a document. */
const objectsIn = (value: unknown): Json[] =>
  typeof value !== 'object' || value === null ? [] : [value as Json, ...Object.values(value).flatMap(objectsIn)]

test('both places give the same documents', async (t) => {
  for (const name of ['openapi', 'asyncapi'])
    assert.deepEqual(await documentAt(t, `/${name}.json`), await documentAt(t, `/v1/${name}.json`))
})

test('every reference of the OpenAPI document leads somewhere, and every schema is one', async (t) => {
  const document = await documentAt(t, '/openapi.json')

  for (const { $ref } of objectsIn(document)) {
    if (typeof $ref !== 'string') continue
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], document)
    assert.ok(found, $ref)
  }
  for (const schema of objectsIn((document.components as Json).schemas)) assert.ok(!('~kind' in schema))
})

test('every operation of the OpenAPI document has a name of its own, parameters for its path, and problems', async (t) => {
  const { paths } = (await documentAt(t, '/openapi.json')) as { paths: Record<string, Record<string, Json>> }
  const operations = Object.entries(paths).flatMap(([path, each]) =>
    Object.values(each).map((operation) => ({ path, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)

  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.includes('getStreamsByIdFrame') && ids.includes('getRootOpenapiJson'), String(ids))
  for (const { path, operation } of operations) {
    const named = (operation.parameters as Json[])
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => `{${name}}`)
    assert.deepEqual(named, path.match(/\{\w+\}/g) ?? [], path)
    assert.ok(
      (operation.parameters as Json[]).every(({ schema }) => schema),
      path,
    )
    const statuses = Object.keys(operation.responses as Json)
    assert.ok(statuses.includes('421') && statuses.some((status) => status.startsWith('2')), path)
  }
})

test('the OpenAPI document knows the token and both cookies of a browser that is signed in', async (t) => {
  const { components, security } = await documentAt(t, '/openapi.json')
  const schemes = (components as Json).securitySchemes as Record<string, Json>

  assert.deepEqual(security, [{}, { token: [] }, { session: [] }, { session_over_tls: [] }])
  assert.deepEqual(
    Object.values(schemes).map(({ type, in: where, name }) => [type, where, name]),
    [
      ['http', undefined, undefined],
      ['apiKey', 'cookie', 'vedette_session'],
      ['apiKey', 'cookie', '__Host-vedette_session'],
    ],
  )
})

test('the AsyncAPI document is accepted by its reference parser without a word', async (t) => {
  const document = await documentAt(t, '/asyncapi.json')

  const { diagnostics } = await new Parser().parse(JSON.stringify(document))

  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => `${path.join('/')}: ${message}`),
    [],
  )
})
