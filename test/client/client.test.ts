// A client that is made from the document which the service serves compiles, with no options but `--strict`.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { SUCCESS } from '../../api/problems/faults.ts'
import { bracedPath } from '../../api/spec/openapi.ts'
import { allEndpoints, listeningApi } from '../support/api/api.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { folderOf } from '../support/processes/folder.ts'

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const run = promisify(execFile)
const MAX_BYTES = 16 * 2 ** 20

/** Of the document that a service serves. */
const typesOfInterface = async (lifetime: Lifetime): Promise<string> => {
  const { url } = await listeningApi(lifetime)
  const generator = join(modules, 'client-generator/node_modules/openapi-typescript/bin/cli.js')
  const { stdout } = await run(process.execPath, [generator, `${url}/openapi.json`], { maxBuffer: MAX_BYTES })
  return stdout
}

const types = typesOfInterface(fileLifetime())

/** What the compiler says of some files, the types of the interface (`vedette`) among them; empty: nothing. */
const complaints = async (t: TestContext, files: Readonly<Record<string, string>>): Promise<string> => {
  const place = folderOf(t)
  writeFileSync(join(place, 'vedette.d.ts'), await types)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const compiled = run(join(modules, '.bin/tsc'), ['--strict', '--noEmit', ...Object.keys(files), 'vedette.d.ts'], {
    cwd: place,
  })
  return compiled.then(
    () => '',
    ({ stdout }) => stdout as string,
  )
}

/** The types of a body and of an answer. */
const HEAD = `import type { paths } from './vedette'
type Of<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method]
type Content<T> = T extends { readonly content: infer C } ? C[keyof C] : never
type Body<T> = T extends { readonly requestBody?: infer B } ? Content<NonNullable<B>> : never
type Made<T> = T extends { readonly responses: { readonly ${SUCCESS.created}: infer R } } ? Content<R> : never
type Answer<T> = T extends { readonly responses: { readonly ${SUCCESS.ok}: infer R } } ? Content<R> : Made<T>
`

const described = allEndpoints().filter(({ hidden, feed }) => !hidden && !feed)

/** Whether a schema says anything of what it describes; it need not of what a plugin answers. */
const isTold = (schema: object): boolean => Object.keys(schema).some((word) => !/^(~|title|description)/.test(word))

/** One statement for the example of a body or an answer: it has the type, and its fields can be read. */
const typed = (type: string, method: string, path: string, example: unknown, schema: object = { type }): string => {
  const place = Array.isArray(example) ? (key: string) => `example[${key}]` : (key: string) => `example.${key}`
  const keys = typeof example === 'object' && isTold(schema) ? Object.keys(example as object).map(place) : []
  const typeName = `${type}<Of<'${bracedPath(path)}', '${method.toLowerCase()}'>>`
  return `{ const example: ${typeName} = ${JSON.stringify(example)}; void [${keys}] }`
}

const examples = described.flatMap(({ method, path, body, upload, answer }) => [
  ...Object.values(upload?.described ?? {}).map(({ example }) => typed('Body', method, path, example)),
  ...(body ? [typed('Body', method, path, body.example)] : []),
  ...(answer.mediaType === 'application/json' ? [typed('Answer', method, path, answer.example, answer.schema)] : []),
])

/** The path of the row that a request reaches. */
const declared = (method: string, path: string): string => {
  const reached = (row: string) => new RegExp(`^${row.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  return described.find((row) => row.method === method && reached(row.path))?.path ?? path
}

/** The pages that show requests with `curl` and the address of the demo. */
const PAGES_WITH_REQUESTS = ['README.md', 'docs/how-to/start-a-stream.md']

/** The bodies of a page's requests, as its reader sends them. */
const bodiesOf = (page: string): string[] => {
  const requests = readFileSync(join(root, page), 'utf8').matchAll(/curl http:\/\/[^/]+(\S+) --json '(\{[\s\S]*?\})'/g)
  return [...requests].map(([, path = '', body = '']) =>
    typed('Body', 'POST', declared('POST', path), JSON.parse(body.replaceAll(`'"$HOME"'`, '/home/robot'))),
  )
}

test('a generated client takes the bodies of the pages and every example, and reads every answer', async (t) => {
  const bodies = PAGES_WITH_REQUESTS.map(bodiesOf)
  assert.ok(bodies.every(({ length }) => length > 0) && examples.length > 20)

  const said = await complaints(t, { 'examples.ts': [HEAD, ...bodies.flat(), ...examples].join('\n') })

  assert.equal(said, '')
})

test('a generated client sends a label as JSON or as lines, and nothing else', async (t) => {
  const [path, method] = ['/v1/media/:name/label', 'POST']
  const rows = [typed('Body', method, path, { objects: [] }), typed('Body', method, path, 5)]
  const body = `Of<'${bracedPath(path)}', 'post'>['requestBody']['content']`
  const json = `{ const sent: ${body}['application/json'] = 'text' }`

  const text = [HEAD, ...rows, json].join('\n')
  const said = await complaints(t, { 'label.ts': text })

  const last = text.split('\n').length
  const wrong = [...said.matchAll(/^label\.ts\((\d+),/gm)].map(([, line]) => Number(line))
  assert.deepEqual(wrong, [last - 1, last])
})

test('no order that answers with a document is one that may answer with nothing; each has a name', async (t) => {
  const orders = described.filter(({ method, answer }) => method !== 'GET' && answer.mediaType === 'application/json')
  assert.ok(orders.length > 20)
  const checks = orders.map(({ method, path }) => {
    const responses = `Of<'${bracedPath(path)}', '${method.toLowerCase()}'>['responses']`
    const isNever = `Extract<keyof ${responses}, ${SUCCESS.empty}> extends never ? true : false`
    return `{ const none: ${isNever} = true; void none }`
  })
  const names = `import type { operations } from './vedette'
export type Named = operations['createStream'] | operations['setStreamControl'] | operations['beginPairing']`

  const said = await complaints(t, { 'orders.ts': [HEAD, ...checks].join('\n'), 'names.ts': names })

  assert.equal(said, '')
})

test('a dashboard compiles that reads streams, figures, samples of each kind, faults and errors', async (t) => {
  const said = await complaints(t, { 'dashboard.ts': readFileSync(join(import.meta.dirname, 'dashboard.ts'), 'utf8') })

  assert.equal(said, '')
})

test('a generated client refuses what the service would refuse', async (t) => {
  const wrong = {
    'a misspelt field': { source: { backend: 'synthetic', colour: 'red' } },
    'text for a number': { source: { backend: 'synthetic', fps: '30' } },
    'a backend that there is not': { source: { backend: 'webcam' } },
  }
  const lines = Object.values(wrong).map((body) => typed('Body', 'POST', '/v1/streams', body))

  const text = [HEAD, ...lines].join('\n')
  const said = await complaints(t, { 'wrong.ts': text })

  const firstLine = text.split('\n').length - lines.length + 1
  for (const [n, what] of Object.keys(wrong).entries())
    assert.match(said, new RegExp(`^wrong\\.ts\\(${firstLine + n},`, 'm'), what)
})
