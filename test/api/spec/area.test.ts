// The descriptions of the interface: whole, correct, and the same in both places.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from '@asyncapi/parser'
import Type from 'typebox'
import { area } from '../../../api/endpoints/endpoint.ts'
import { read } from '../../../api/endpoints/read.ts'
import { Components } from '../../../api/spec/components.ts'
import { openApi } from '../../../api/spec/openapi.ts'
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

/** The named schemas of both documents. */
const namedSchemas = async (t: Parameters<typeof fakeApi>[0]): Promise<[name: string, schema: Schema][]> => {
  const documents = await Promise.all(['/openapi.json', '/asyncapi.json'].map((url) => documentAt(t, url)))
  return documents.flatMap((document) =>
    Object.entries((document.components as { schemas: Record<string, Schema> }).schemas),
  )
}

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly type?: string
  readonly $ref?: string
}

const UNIT = /_(ms|us|px|m|m_s|deg|s)$/
const CONTRACT = /^(seq|epoch|revision|count|code|detail)$|_revision$/

test('every named schema is described, and each of its fields that has a unit, a contract or may be null', async (t) => {
  const silent: string[] = []
  for (const [name, schema] of await namedSchemas(t)) {
    if (!schema.description) silent.push(name)
    for (const [field, { description, anyOf, $ref }] of Object.entries(schema.properties ?? {})) {
      const mayBeNull = anyOf?.some(({ type }) => type === 'null')
      if ((UNIT.test(field) || CONTRACT.test(field) || mayBeNull) && !description && !$ref)
        silent.push(`${name}.${field}`)
    }
  }

  assert.deepEqual([...new Set(silent)], [])
})

test('an input asks for nothing that has a default, and no schema that is sent has the keyword', async (t) => {
  const { components, paths } = (await documentAt(t, '/openapi.json')) as { components: Json; paths: Json }
  const schemas = components.schemas as Readonly<Record<string, Json>>
  const reached = new Map<string, Json>()
  const reach = (value: unknown): void => {
    for (const { $ref } of objectsIn(value)) {
      const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) as string) : ''
      const schema = schemas[name]
      if (!schema || reached.has(name)) continue
      reached.set(name, schema)
      reach(schema)
    }
  }
  reach(objectsIn(paths).map(({ requestBody }) => requestBody))

  assert.ok(reached.size > 5)
  assert.deepEqual(
    objectsIn([...reached.values()]).filter((schema) => 'default' in schema && schema.type !== undefined),
    [],
  )
})

test('one area may have two meanings of a name in its paths, and each name has a schema', () => {
  const Lamp = Type.Object({}, { title: 'Lamp', description: 'A lamp.' })
  const row = { summary: 'One', answer: Lamp, example: {}, get: () => ({}) }
  const lamps = area('lamps', 'Light.', [
    read('GET', '/v1/lamps/:id', { ...row, params: { id: Type.Integer() } }),
    read('GET', '/v1/lamps/kinds/:id', { ...row, params: { id: Type.String() } }),
  ])
  // @ts-expect-error the id has no schema
  const unsaid = () => read('GET', '/v1/lamps/:id/colour', row)
  // @ts-expect-error there is no colour in the path
  const strange = () => read('GET', '/v1/lamps/:id/watts', { ...row, params: { colour: Type.String() } })

  const { paths } = openApi([lamps], '0') as { paths: Record<string, { get: { parameters: { schema: Json }[] } }> }

  const types = Object.values(paths).map(({ get }) => get.parameters[0]?.schema.type)
  assert.deepEqual(types, ['integer', 'string'])
  assert.deepEqual([typeof unsaid, typeof strange], ['function', 'function']) // judged by the compiler
})

test('a control has one form of its id, in the list, in the path and in what is told of it', async (t) => {
  const { components, paths } = (await documentAt(t, '/openapi.json')) as {
    components: { schemas: Record<string, { properties: Record<string, Json> }> }
    paths: Record<string, { post: { parameters: { name: string; schema: Json }[] } }>
  }
  const { parameters } = paths['/v1/streams/{id}/controls/{control_id}']?.post ?? { parameters: [] }

  const inPath = parameters.find(({ name }) => name === 'control_id')?.schema.type

  assert.deepEqual([components.schemas.CameraControl?.properties.id?.type, inPath], ['integer', 'integer'])
})

test('schemas that differ may not have the same name', () => {
  const { referring } = new Components()
  const lamp = (watts: number) => Type.Object({ watts: Type.Literal(watts) }, { title: 'Lamp' })

  assert.deepEqual(referring(lamp(5)), { $ref: '#/components/schemas/Lamp' })
  assert.deepEqual(referring(lamp(5)), { $ref: '#/components/schemas/Lamp' })
  assert.throws(() => referring(Type.Array(lamp(7))), /two schemas that differ have the title Lamp/)
})

test('a field that is called title names nothing', () => {
  const components = new Components()

  components.referring(Type.Object({ title: Type.String(), lamp: Type.Object({}, { title: 'Lamp' }) }))

  assert.deepEqual(Object.keys(components.schemas), ['Lamp'])
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
