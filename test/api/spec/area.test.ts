// The descriptions of the interface: whole, correct, and the same in both places.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Parser } from '@asyncapi/parser'
import Type from 'typebox'
import { area } from '../../../api/endpoints/endpoint.ts'
import { read } from '../../../api/endpoints/read.ts'
import { Components } from '../../../api/spec/components.ts'
import { openApi } from '../../../api/spec/openapi.ts'
import { fakeApi } from '../../support/api/api.ts'

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

test('every named schema is described, and each field with a unit or a contract or that may be null', async (t) => {
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

/** A path that is kept to say where to go instead. */
const GONE = 410

test('every OpenAPI operation has a name of its own, parameters for its path, and problems', async (t) => {
  const { paths } = (await documentAt(t, '/openapi.json')) as { paths: Record<string, Record<string, Json>> }
  const operations = Object.entries(paths).flatMap(([path, each]) =>
    Object.values(each).map((operation) => ({ path, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)

  assert.equal(new Set(ids).size, ids.length)
  const wanted = ['listStreams', 'createStream', 'getStreamFrame', 'setStreamControl', 'startStreamRecording']
  for (const id of [...wanted, 'deletePeer', 'getRootOpenApi', 'createPeer'])
    assert.ok(ids.includes(id), `${id}: ${ids}`)
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
    const hasAnswer = statuses.some((status) => status.startsWith('2')) || statuses.includes(String(GONE))
    assert.ok(statuses.includes('421') && hasAnswer, path)
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

/** The named schemas of the OpenAPI document. */
const schemasOf = (document: Json): Readonly<Record<string, Json>> =>
  (document.components as { readonly schemas: Readonly<Record<string, Json>> }).schemas

test('every tag of the OpenAPI document stands there once, and is that of an operation', async (t) => {
  const { tags, paths } = (await documentAt(t, '/openapi.json')) as {
    tags: { name: string; description: string }[]
    paths: Record<string, Record<string, { tags: string[] }>>
  }
  const used = Object.values(paths).flatMap((each) => Object.values(each).flatMap((operation) => operation.tags))

  assert.deepEqual(
    tags.map(({ name }) => name),
    [...new Set(tags.map(({ name }) => name))],
  )
  assert.deepEqual([...new Set(used)].sort(), tags.map(({ name }) => name).sort())
})

/** What a schema says, whatever it is called and what it is for. */
const saysOf = ({ title, description, ...rest }: Json): string => JSON.stringify(rest)

test('no object with several fields is described twice under two names, or without one', async (t) => {
  const document = await documentAt(t, '/openapi.json')
  const places = new Map<string, Set<string>>()
  const look = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { type, properties = {} } = schema as Json
    const isLarge = type === 'object' && Object.keys(properties as Json).length > 2
    if (isLarge) places.set(saysOf(schema as Json), (places.get(saysOf(schema as Json)) ?? new Set()).add(place))
    for (const [key, each] of Object.entries(schema)) look(each, `${place}.${key}`)
  }
  for (const [name, schema] of Object.entries(schemasOf(document))) look(schema, name)

  const twice = [...places.values()].filter(({ size }) => size > 1).map((each) => [...each])

  assert.deepEqual(twice, [])
})

/** What has a meaning beyond this interface, or is explained where it is met: kinds by samples, codes by titles. */
const KNOWN_ELSEWHERE = new Set([
  ...['Barcode.symbology', 'CodecName', 'MediaType', 'PixelFormat', 'TagFamily', 'RotateEdit.degrees'],
  ...['DiagnosticCode', 'FaultCode', 'ProblemCode', 'PatchOp', 'GraphPatchOp', 'OutputKind', 'PortKind'],
])

test('every enumeration says what each of its values means', async (t) => {
  const documents = await Promise.all(['/openapi.json', '/asyncapi.json'].map((url) => documentAt(t, url)))
  const silent = new Set<string>()
  const look = (schema: unknown, place: string, about: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { description = '', enum: values = [] } = schema as { description?: string; enum?: unknown[] }
    const text = `${about} ${description}`
    const isSilent = values.length > 1 && values.some((value) => !text.includes(String(value)))
    if (isSilent && !KNOWN_ELSEWHERE.has(place)) silent.add(place)
    for (const [key, each] of Object.entries(schema)) {
      const isInside = ['items', 'anyOf'].includes(key) || Array.isArray(schema)
      if (key !== 'examples')
        look(each, isInside || key === 'properties' ? place : `${place}.${key}`, isInside ? text : '')
    }
  }
  for (const document of documents)
    for (const [name, schema] of Object.entries(schemasOf(document))) look(schema, name, '')

  assert.deepEqual([...silent], [])
})

test('a union of named objects says by which field they are told apart', async (t) => {
  const document = await documentAt(t, '/openapi.json')
  const schemas = schemasOf(document)
  const unions = objectsIn(schemas).filter(({ anyOf }) => {
    const named = ((anyOf ?? []) as Json[]).filter(({ $ref }) => String($ref).startsWith('#/components/schemas/'))
    return named.length > 1 && named.length === (anyOf as Json[]).length
  })
  const inList = (schemas.StreamList as { properties: { items: { items: Json } } }).properties.items.items

  assert.ok(unions.length > 3)
  for (const union of unions) {
    const { propertyName, mapping } = (union.discriminator ?? {}) as { propertyName: string; mapping: object }
    if (union === inList) continue // those of peers have an `origin`, which the others have not
    assert.ok(propertyName, JSON.stringify(union).slice(0, 200))
    assert.equal(Object.keys(mapping).length, (union.anyOf as Json[]).length)
    for (const [value, $ref] of Object.entries(mapping)) {
      const { properties, required } = schemas[$ref.split('/').at(-1)] as { properties: Json; required: string[] }
      assert.equal((properties[propertyName] as Json).const, value)
      assert.ok(required.includes(propertyName))
    }
  }
})

test('no order that is answered with a document is described as answered without one, but for repeats', async (t) => {
  const { paths } = (await documentAt(t, '/openapi.json')) as {
    paths: Record<string, Record<string, { responses: Record<string, { content?: object }>; 'x-repeated'?: object }>>
  }
  const operations = Object.values(paths).flatMap((each) => Object.values(each))

  for (const { responses } of operations) {
    const good = Object.keys(responses).filter((status) => status.startsWith('2'))
    const withDocument = good.filter((status) => responses[status]?.content)
    assert.ok(withDocument.length === 0 || withDocument.length === good.length, String(good))
  }
  const repeated = operations.filter((operation) => operation['x-repeated'])
  assert.ok(repeated.length > 8)
  for (const operation of repeated) assert.deepEqual(Object.keys(operation['x-repeated'] ?? {}), ['204'])
})

test('every example stands once, under a name', async (t) => {
  const document = await documentAt(t, '/openapi.json')
  const { examples } = document.components as { readonly examples: Readonly<Record<string, Json>> }
  const used = new Set(objectsIn(document.paths).map(({ $ref }) => String($ref)))

  assert.ok(Object.keys(examples).length > 50)
  for (const name of Object.keys(examples)) assert.ok(used.has(`#/components/examples/${name}`), name)
  for (const { example } of objectsIn(document.paths).filter((each) => 'schema' in each && 'example' in each))
    assert.fail(`an example without a name: ${JSON.stringify(example)}`)
})

test('what an order is called says that once', async (t) => {
  const names = Object.keys(schemasOf(await documentAt(t, '/openapi.json')))

  assert.deepEqual(
    names.filter((name) => /(Order|Request)(Order|Request)$/.test(name)),
    [],
  )
})

test('every address with names in it says what they are', async (t) => {
  const { channels } = (await documentAt(t, '/asyncapi.json')) as {
    channels: Record<string, { address: string; parameters?: Record<string, { description?: string }> }>
  }
  const addressed = Object.values(channels).filter(({ address }) => address.includes('{'))

  assert.ok(addressed.length >= 2)
  for (const { address, parameters = {} } of Object.values(channels)) {
    const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(Object.keys(parameters), names, address)
    for (const { description } of Object.values(parameters)) assert.match(String(description), /^[A-Z0-9].+\.$/s)
  }
})

test('both descriptions are sent packed to who takes that, and not at all to who has them', async (t) => {
  const { app } = await fakeApi(t)
  const ask = (url: string, headers: object = {}) => app.inject({ url, headers: { host: 'localhost', ...headers } })

  for (const url of ['/openapi.json', '/v1/openapi.json', '/asyncapi.json', '/v1/asyncapi.json']) {
    const plain = await ask(url)
    const packed = await ask(url, { 'accept-encoding': 'zstd, gzip;q=0.5' })
    const refused = await ask(url, { 'accept-encoding': 'gzip;q=0, zstd' })
    const etag = String(plain.headers.etag)
    const again = await ask(url, { 'if-none-match': `"other", ${etag}` })
    const other = await ask(url, { 'if-none-match': '"other"' })

    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
    assert.ok(packed.rawPayload.length * 4 < plain.rawPayload.length, `${packed.rawPayload.length} bytes`)
    for (const { headers } of [plain, refused]) assert.equal(headers['content-encoding'], undefined)
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag])
    assert.deepEqual([other.statusCode, packed.headers.etag, packed.headers.vary], [200, etag, 'accept-encoding'])
  }
})
