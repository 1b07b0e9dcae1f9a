// JSON Patch behind its gate, held against another implementation: that of the RFC's sentences, which changes nothing
// and copies everything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PatchOperation } from '../../../machines/interdevice/graph-patch.ts'
import { patched } from '../../../machines/interdevice/json-patch.ts'
import { isSameJson } from '../../../machines/settings/same-json.ts'

const SEED = 6_902
const RUNS = 3_000

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

class Impossible extends Error {}
const fail = (): never => {
  throw new Impossible()
}

const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const indexOf = (token: string, most: number): number =>
  /^(0|[1-9]\d*)$/.test(token) && Number(token) <= most ? Number(token) : fail()

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: Json, [token, ...rest]: readonly string[]): Json => {
  if (token === undefined) return value
  if (Array.isArray(value)) return at(value[indexOf(token, value.length - 1)] as Json, rest)
  return isObject(value) && Object.hasOwn(value, token) ? at(value[token] as Json, rest) : fail()
}

/** What stands in a list or an object after a change of one of its entries. */
type Change = (value: Json, token: string) => Json

const changed = (value: Json, [token = fail(), ...rest]: readonly string[], change: Change): Json => {
  if (rest.length === 0) return change(value, token)
  const inner = changed(at(value, [token]), rest, change)
  if (Array.isArray(value)) return value.with(indexOf(token, value.length - 1), inner)
  return { ...(value as object), [token]: inner }
}

const without: Change = (value, token) => {
  if (Array.isArray(value)) return value.toSpliced(indexOf(token, value.length - 1), 1)
  if (!isObject(value) || !Object.hasOwn(value, token)) return fail()
  const { [token]: _, ...others } = value
  return others
}

const withNew =
  (put: Json): Change =>
  (value, token) => {
    if (Array.isArray(value))
      return value.toSpliced(token === '-' ? value.length : indexOf(token, value.length), 0, put)
    return isObject(value) ? { ...value, [token]: put } : fail()
  }

const withOther =
  (put: Json): Change =>
  (value, token) => {
    at(value, [token])
    if (Array.isArray(value)) return value.with(Number(token), put)
    return { ...(value as object), [token]: put }
  }

const NOT_HERE = ['__proto__', 'constructor', 'prototype']

const byTheBook = (document: Json, { op, path, from = '', value }: PatchOperation): Json => {
  const [to, source] = [tokensOf(path), tokensOf(from)]
  if ([...to, ...source].some((token) => NOT_HERE.includes(token))) fail()
  const put = value as Json
  switch (op) {
    case 'test':
      return isSameJson(at(document, to), put) ? document : fail()
    case 'remove':
      return changed(document, to, without)
    case 'add':
      return changed(document, to, withNew(put))
    case 'replace':
      return changed(document, to, withOther(put))
    case 'copy':
      if (path.startsWith(`${from}/`)) fail()
      return changed(document, to, withNew(at(document, source)))
    case 'move':
      if (path.startsWith(`${from}/`)) fail()
      return changed(changed(document, source, without), to, withNew(at(document, source)))
  }
}

/** undefined: it cannot be. */
const expectedOf = (document: Json, patch: readonly PatchOperation[]): Json | undefined => {
  try {
    return patch.reduce(byTheBook, document)
  } catch (error) {
    if (error instanceof Impossible) return undefined
    throw error
  }
}

const KEYS = ['a', 'b', 'nodes', '0', '1', '', 'a/b', 'm~n', 'length', 'hasOwnProperty', 'toString']
const ODD_TOKENS = ['-', '01', '1e0', '-1', '2', '+1', ' 0', ...NOT_HERE]

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, 'x', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3 }),
  ),
})).value

const pointer = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...KEYS) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_TOKENS) },
    ),
    {
      maxLength: 4,
    },
  )
  .map((tokens) => tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))

/** The pointers of a document, so that chance hits something. */
const pointersIn = (value: Json, here = ''): readonly string[] =>
  typeof value !== 'object' || value === null
    ? [here]
    : [
        here,
        ...Object.entries(value).flatMap(([key, each]) =>
          pointersIn(each as Json, `${here}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
        ),
      ]

const operationOn = (document: Json): fc.Arbitrary<PatchOperation> => {
  const place = fc.oneof(fc.constantFrom(...pointersIn(document)), pointer)
  const base = { path: place }
  return fc.oneof(
    fc.record({ op: fc.constant('test' as const), ...base, value: json }),
    fc.constantFrom(...pointersIn(document)).map((path) => ({
      op: 'test' as const,
      path,
      value: at(document, tokensOf(path)),
    })),
    fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), ...base, value: json }),
    fc.record({ op: fc.constant('remove' as const), ...base }),
    fc.record({ op: fc.constantFrom('copy' as const, 'move' as const), ...base, from: place }),
  )
}

const inherited = () => Object.getOwnPropertyNames(Object.prototype).concat(Object.getOwnPropertyNames(Array.prototype))

test('any patch gives what the RFC says, all of it or nothing, and leaves other objects alone', () => {
  const before = inherited()
  const sizes = { applied: 0, refused: 0 }
  const property = fc.property(
    json.chain((document) =>
      fc
        .tuple(fc.constant(document), fc.array(operationOn(document), { minLength: 1, maxLength: 4 }))
        .map((sent) => JSON.parse(JSON.stringify(sent)) as [Json, PatchOperation[]]),
    ),
    ([document, patch]) => {
      const sent = structuredClone({ document, patch })
      const expected = expectedOf(document, patch)

      const outcome = patched(document, patch)

      assert.deepEqual({ document, patch }, sent)
      assert.equal(outcome.ok, expected !== undefined, JSON.stringify({ document, patch, outcome }))
      if (outcome.ok) assert.deepEqual(JSON.parse(JSON.stringify(outcome.document)), expected)
      sizes[outcome.ok ? 'applied' : 'refused'] += 1
    },
  )

  fc.assert(property, { seed: SEED, numRuns: RUNS })
  assert.deepEqual(inherited(), before)
  assert.ok(sizes.applied > RUNS / 10 && sizes.refused > RUNS / 10, JSON.stringify(sizes))
})

const graph = { nodes: [{ id: 'source' }, { id: 'tags', params: { decimate: 2 } }], edges: [] }

const refusalOf = (patch: readonly PatchOperation[], document: unknown = graph) => {
  const outcome = patched(document, patch)
  assert.equal(outcome.ok, false)
  return outcome.ok ? undefined : outcome.error
}

for (const [why, operation, pointer] of [
  ['a token that every object has', { op: 'add', path: '/__proto__/polluted', value: 1 }, '/0/path'],
  ['the constructor of the document', { op: 'add', path: '/constructor/prototype/polluted', value: 1 }, '/0/path'],
  [
    'the same in a value',
    { op: 'add', path: '/x', value: JSON.parse('{"a": [{"__proto__": {"polluted": 1}}]}') },
    '/0/value',
  ],
  ['the length of a list', { op: 'replace', path: '/nodes/length', value: 0 }, '/0/path'],
  ['an index with a zero in front', { op: 'remove', path: '/nodes/01' }, '/0/path'],
  ['an index like a number', { op: 'remove', path: '/nodes/1e0' }, '/0/path'],
  ['an index beyond the end', { op: 'add', path: '/nodes/3', value: {} }, '/0/path'],
  ['the end where there has to be something', { op: 'remove', path: '/nodes/-' }, '/0/path'],
  ['an escape that is none', { op: 'remove', path: '/~2' }, '/0/path'],
  ['a pointer that begins with nothing', { op: 'remove', path: 'nodes' }, '/0/path'],
  ['a way that leads through a number', { op: 'add', path: '/nodes/1/params/decimate/x', value: 1 }, '/0/path'],
  ['a list into one of its entries', { op: 'move', from: '/nodes', path: '/nodes/0/x' }, '/0/from'],
  ['everything into itself', { op: 'copy', from: '', path: '/x' }, '/0/from'],
  ['the whole document', { op: 'replace', path: '', value: {} }, '/0/path'],
  ['no value', { op: 'add', path: '/x' }, '/0/value'],
  ['no source', { op: 'move', path: '/x' }, '/0/from'],
  ['a source that is not there', { op: 'copy', from: '/tea', path: '/x' }, '/0/from'],
  ['a test that fails', { op: 'test', path: '/nodes/0/id', value: 'tags' }, '/0/value'],
  ['seventeen tokens', { op: 'remove', path: '/a'.repeat(17) }, '/0/path'],
] as const)
  test(`${why} is refused with the place`, () => {
    assert.equal(refusalOf([operation])?.pointer, pointer)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

test('the operation that cannot be carried out is named by its number, and nothing of those before it stays', () => {
  const first: PatchOperation = { op: 'replace', path: '/nodes/1/params/decimate', value: 1 }

  const { pointer, message } = refusalOf([first, { op: 'test', path: '/nodes/1/id', value: 'tea' }]) ?? {}

  assert.deepEqual([pointer, message], ['/1/value', 'is "tea", but /nodes/1/id is "tags"'])
  assert.equal(graph.nodes[1]?.params?.decimate, 2)
})

test('copies of copies end before they are large', () => {
  const bomb: PatchOperation[] = Array.from({ length: 40 }, (_, n) => ({
    op: 'copy',
    from: n === 0 ? '/nodes' : `/x${n - 1}`,
    path: `/x${n}`,
  }))
  const doubling: PatchOperation[] = [
    { op: 'add', path: '/x', value: { a: 'y'.repeat(1000) } },
    ...Array.from({ length: 60 }, (_, n) => [
      { op: 'copy', from: '/x', path: '/y' } as const,
      { op: 'move', from: '/y', path: `/x/${n}` } as const,
    ]).flat(),
  ]

  assert.ok(patched(graph, bomb).ok)
  assert.match(refusalOf(doubling)?.message ?? '', /copies too much/)
})

test('what is nested too deep is refused before anybody follows it', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)

  assert.match(refusalOf([{ op: 'add', path: '/x', value: deep }])?.message ?? '', /nested/)
  assert.match(refusalOf([{ op: 'test', path: '/nodes', value: deep }])?.message ?? '', /nested/)
})

test('two long lists are compared at once', () => {
  const list = (odd: number) => Array.from({ length: 2048 }, (_, n) => ({ from: `a${n + odd}`, to: `b${n}` }))

  assert.ok(refusalOf([{ op: 'test', path: '/edges', value: list(1) }], { edges: list(0) }))
})
