// Whatever is sent, the answer is one of those that are declared, and nothing breaks. Chance has a seed, so a failure
// comes again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { allEndpoints, assertDeclared, fakeApi } from '../support/api/api.ts'
import { mulberry32 } from '../support/mulberry32.ts'

const SEED = 20_250
const REQUESTS = 1500

const random = mulberry32(SEED)
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  '',
  'x',
  '7',
  'synthetic',
  '\u0000',
  'é'.repeat(200),
  [],
  [[]],
  {},
  { a: 1 },
]
const ODD_WORDS = [
  'front',
  'demo',
  'tags',
  'nobody',
  '-',
  '%20',
  'constructor',
  '__proto__',
  'a'.repeat(300),
  '0',
  "'; --",
  '%F0%9F%98%80',
]
const QUERIES = [
  '',
  '',
  '',
  '?quality=50',
  '?quality=0',
  '?max_width=1e3',
  '?overlay=true',
  '?overlay=yes',
  '?fps=5',
  '?since=0',
  '?=',
  '?&&',
  '?a[b]=1',
  '?quality=%zz',
]
const IF_MATCHES = ['"1"', '"0"', '*', '1', '""', '"99999999999999999999"', '"1", "2"']

/** A value with one thing in it changed, removed or added. */
const mutated = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.15) return oneOf(ODD_VALUES)
  const copy = structuredClone(value) as Record<string, unknown>
  const key = oneOf(Object.keys(copy))
  const dice = random()
  if (dice < 0.15) copy[oneOf(ODD_WORDS)] = oneOf(ODD_VALUES)
  else if (key === undefined) return copy
  else if (dice < 0.3) delete copy[key]
  else copy[key] = mutated(copy[key])
  return copy
}

const bodyFor = ({ body, path }: Endpoint): unknown => {
  let value = body?.example
  if (path === '/v1/streams') value = { ...(value as object), id: oneOf(['front', 'rear', 'left']) }
  for (let times = Math.floor(random() * 3); times > 0; times--) value = mutated(value)
  return value
}

test(`${REQUESTS} odd requests are all answered as declared`, async (t) => {
  const { app, fake, bugs } = await fakeApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const endpoints = allEndpoints().filter(
    ({ hidden, feed, path, answer }) => !hidden && !feed && !answer.endless && !path.endsWith('/frame'),
  )
  const statuses = new Map<number, number>()

  for (let n = 0; n < REQUESTS; n++) {
    const endpoint = oneOf(endpoints)
    const url =
      endpoint.path.replace(/:\w+/g, () => (random() < 0.7 ? oneOf(['front', 'demo', 'tags']) : oneOf(ODD_WORDS))) +
      oneOf(QUERIES)
    const response = await app.inject({
      method: endpoint.method,
      url,
      headers: {
        host: 'localhost',
        ...(random() < 0.3 && { 'if-match': oneOf(IF_MATCHES) }),
        ...(endpoint.body && { 'content-type': random() < 0.95 ? 'application/json' : 'text/plain' }),
      },
      ...(endpoint.body && { payload: JSON.stringify(bodyFor(endpoint)) ?? '' }),
    })
    assertDeclared(endpoint, {
      status: response.statusCode,
      contentType: response.headers['content-type'] ?? '',
      body: response.body,
    })
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
  }

  assert.deepEqual(bugs, [])
  assert.ok(statuses.size >= 7, `only ${[...statuses.keys()]} were met`)
})
