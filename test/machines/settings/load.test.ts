// What was kept, parted into what is used and what is set aside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { withDefault } from '../../../machines/schema/defaults.ts'
import { collection, collectionsByName, misfits } from '../../../machines/settings/collection.ts'
import { MAX_REVISION, type Stored, type StoredDocument, sift } from '../../../machines/settings/load.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest } from '../../../machines/stream/manifest.ts'
import { collectionsOf } from '../../../supervisors/composition/compose.ts'
import { tree } from '../../../supervisors/tree.ts'
import { unsaid } from '../../support/api/any-documents.ts'

const storedCollections = collectionsOf(tree)

const lamps = collection({
  ...unsaid,
  name: 'lamps',
  id: Type.String({ pattern: '^[a-z_]+$' }),
  schema: Type.Object({ watts: Type.Number() }, { additionalProperties: false }),
  limit: 3,
  check: ({ watts }) => (watts > 100 ? [{ pointer: '/watts', message: 'is too bright' }] : []),
})
const collections = collectionsByName([lamps])

let place = 0n
const stored = (id: string, value: unknown, more: Partial<StoredDocument> = {}): StoredDocument => ({
  place: ++place,
  collection: 'lamps',
  id,
  revision: 1,
  value,
  ...more,
})
const kept = (documents: readonly StoredDocument[], more: Partial<Stored> = {}): Stored => ({
  documents,
  unreadable: [],
  aside: [],
  collections: { lamps: { revision: 9, base: 4 } },
  ...more,
})

test('a document of an older version gets the defaults of the fields that it does not know', () => {
  const dimmable = collection({
    ...unsaid,
    name: 'lamps',
    id: Type.String(),
    schema: Type.Object(
      { watts: Type.Number(), dimmer: withDefault(Type.Object({ steps: Type.Integer() }), { steps: 8 }) },
      { additionalProperties: false },
    ),
    limit: 3,
  })

  const { settings, aside } = sift(collectionsByName([dimmable]), kept([stored('desk', { watts: 5 })]))

  assert.deepEqual(settings.documents.lamps?.desk?.value, { watts: 5, dimmer: { steps: 8 } })
  assert.equal(aside, null)
})

test('documents that fit are used in their order, and nothing is set aside', () => {
  const sifted = sift(collections, kept([stored('desk', { watts: 5 }), stored('attic', { watts: 7 }, { revision: 3 })]))

  assert.deepEqual(sifted, {
    settings: {
      documents: { lamps: { desk: { revision: 1, value: { watts: 5 } }, attic: { revision: 3, value: { watts: 7 } } } },
      revisions: { lamps: 9 },
      bases: { lamps: 4 },
    },
    aside: null,
    faults: [],
  })
  assert.deepEqual(Object.keys(sifted.settings.documents.lamps ?? {}), ['desk', 'attic'])
})

const nested = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
const misfit: readonly (readonly [string, StoredDocument, RegExp])[] = [
  ['a value of another kind', stored('desk', 5), /does not fit: it .*object/],
  ['a field of another kind', stored('desk', { watts: {} }), /\/watts/],
  [
    'more unknown keys than anybody would explain',
    stored('desk', { watts: 1, ...Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])) }),
    /does not fit/,
  ],
  ['what only the check sees', stored('desk', { watts: 101 }), /\/watts is too bright/],
  ['a depth that no stack has room for', stored('desk', { watts: nested }), /does not fit/],
  ['an id that cannot be', stored('../../x', { watts: 1 }), /\/id is not possible/],
  ['no revision', stored('desk', { watts: 1 }, { revision: Number.NaN }), /has an impossible revision/],
  ['a revision below zero', stored('desk', { watts: 1 }, { revision: -1 }), /has an impossible revision/],
  ['a revision beyond counting', stored('desk', { watts: 1 }, { revision: 2 ** 62 }), /has an impossible revision/],
]
for (const [what, document, reason] of misfit) {
  test(`${what} is set aside alone`, () => {
    const good = stored('attic', { watts: 7 })

    const { settings, aside, faults } = sift(collections, kept([document, good]))

    assert.deepEqual(settings.documents, { lamps: { attic: { revision: 1, value: { watts: 7 } } } })
    assert.equal(aside?.rows.length, 1)
    assert.equal(aside?.rows[0]?.place, document.place)
    assert.match(aside?.rows[0]?.reason ?? '', reason)
    assert.deepEqual(
      faults.map(({ code, resource }) => [code, resource]),
      [['storage.document_invalid', `lamps/${document.id}`]],
    )
    assert.match(faults[0]?.detail ?? '', /set aside/)
  })
}

test('an id that objects have a meaning for is an id like any other', () => {
  const { documents } = sift(
    collections,
    kept([stored('__proto__', { watts: 1 }), stored('constructor', { watts: 2 })]),
  ).settings

  assert.deepEqual(Object.keys(documents.lamps ?? {}), ['__proto__', 'constructor'])
})

test('a second one of the same id and those beyond the limit are set aside', () => {
  const { settings, aside } = sift(collections, kept(['a', 'a', 'b', 'c', 'd'].map((id) => stored(id, { watts: 1 }))))

  assert.deepEqual(Object.keys(settings.documents.lamps ?? {}), ['a', 'b', 'c'])
  assert.deepEqual(
    aside?.rows.map(({ id, reason }) => `${id} ${reason}`),
    ['a is there twice', 'd is one too many: there may be 3'],
  )
})

test('documents of a collection that nobody declared are left alone, whatever they are', () => {
  const { settings, aside, faults } = sift(collections, {
    documents: [stored('bowler', 5, { collection: 'hats', revision: -4 })],
    unreadable: [{ place: 99n, collection: 'hats', id: 'top', revision: 1, reason: 'has no text' }],
    aside: [stored('fez', 5, { collection: 'hats' })],
    collections: { hats: { revision: Number.NaN, base: 0 } },
  })

  assert.deepEqual(settings, { documents: { lamps: {} }, revisions: { lamps: 0 }, bases: { lamps: 0 } })
  assert.equal(aside, null)
  assert.deepEqual(faults, [])
})

test('a new document in the place of one set aside begins above every revision that it can have had', () => {
  const bases = [
    kept([stored('desk', 5, { revision: 7 })]),
    kept([stored('desk', 5, { revision: 30 })]),
    kept([stored('desk', 5, { revision: Number.NaN })]),
    kept([], {
      unreadable: [{ place: 1n, collection: 'lamps', id: 'desk', revision: 12, reason: 'is not well-formed JSON' }],
    }),
  ].map((each) => sift(collections, each))

  assert.deepEqual(
    bases.map(({ settings, aside }) => [settings.bases.lamps, aside?.collections]),
    [9, 30, 9, 12].map((base) => [base, { lamps: { revision: base + 1, base } }]),
  )
})

test('numbers of a collection that cannot be read are made up so that no revision comes twice', () => {
  const [none, half, wild] = [
    kept([stored('desk', { watts: 1 }, { revision: 8 })], { collections: {} }),
    kept([stored('desk', { watts: 1 }, { revision: 8 })], {
      collections: { lamps: { revision: 11, base: Number.NaN } },
    }),
    kept([], { collections: { lamps: { revision: MAX_REVISION * 2, base: 3 } } }),
  ].map((each) => sift(collections, each).settings)

  assert.deepEqual([none?.revisions.lamps, none?.bases.lamps], [8, 8])
  assert.deepEqual([half?.revisions.lamps, half?.bases.lamps], [11, 11])
  assert.deepEqual([wild?.revisions.lamps, wild?.bases.lamps], [3, 3])
})

test('a document set aside that is valid by now is used again, last, with a new revision, and reported', () => {
  const again = stored('attic', { watts: 7 }, { revision: 2 })

  const { settings, aside, faults } = sift(collections, kept([stored('desk', { watts: 5 })], { aside: [again] }))

  assert.deepEqual(Object.entries(settings.documents.lamps ?? {}), [
    ['desk', { revision: 1, value: { watts: 5 } }],
    ['attic', { revision: 5, value: { watts: 7 } }],
  ])
  assert.deepEqual([settings.revisions.lamps, settings.bases.lamps], [10, 4])
  assert.deepEqual(aside, {
    rows: [],
    back: [{ place: again.place, collection: 'lamps', id: 'attic', revision: 5 }],
    collections: { lamps: { revision: 10, base: 4 } },
  })
  assert.deepEqual(
    faults.map(({ code, resource }) => [code, resource]),
    [['storage.document_restored', 'lamps/attic']],
  )
})

test('what was set aside stays so while it does not fit or its place is taken, and nobody is told again', () => {
  const attempts = [
    stored('attic', { watts: 101 }),
    stored('attic', { watts: 7 }, { revision: Number.NaN }),
    stored('../x', { watts: 7 }),
    stored('desk', { watts: 7 }),
  ].map((each) => sift(collections, kept([stored('desk', { watts: 5 })], { aside: [each] })))
  const full = sift(
    collections,
    kept(
      ['a', 'b', 'c'].map((id) => stored(id, { watts: 1 })),
      { aside: [stored('d', { watts: 1 })] },
    ),
  )

  for (const { aside, faults } of [...attempts, full]) assert.deepEqual([aside, faults], [null, []])
})

test('of several set aside the latest valid one is used, and none in place of one set aside now', () => {
  const [older, newer, misfits] = [stored('a', { watts: 1 }), stored('a', { watts: 2 }), stored('a', { watts: 101 })]

  const several = sift(collections, kept([], { aside: [older, newer, misfits] }))
  const now = sift(collections, kept([stored('a', 5)], { aside: [older] }))

  assert.deepEqual(several.settings.documents.lamps?.a?.value, { watts: 2 })
  assert.deepEqual(
    several.aside?.back.map(({ place }) => place),
    [newer.place],
  )
  assert.deepEqual([now.settings.documents.lamps, now.aside?.back], [{}, []])
})

test('a thousand bad documents do not fill the error history, and bad names do not deface it', () => {
  const { faults, aside } = sift(
    collections,
    kept(Array.from({ length: 1000 }, (_, n) => stored(`\u0007\u202e${'x'.repeat(n)}`, 5))),
  )

  assert.equal(aside?.rows.length, 1000)
  assert.equal(faults.length, 21)
  assert.match(faults.at(-1)?.detail ?? '', /^980 more stored documents/)
  for (const { resource = '', detail } of faults) {
    assert.doesNotMatch(resource + detail, /\p{C}/u)
    assert.ok(resource.length < 150)
  }
})

const manifest = (): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'front', source: { backend: 'synthetic' } })
  assert.ok(canonical.ok)
  return canonical.manifest
}

test('a stored stream must be a whole manifest under its own id, with a pipeline that can be planned', () => {
  const streams = storedCollections.get('streams')
  assert.ok(streams)
  const { pipeline, ...bare } = manifest()
  const [first, ...others] = pipeline.nodes

  const findings = [
    misfits(streams, 'front', manifest()),
    misfits(streams, 'back', manifest()),
    misfits(streams, 'front', bare),
    misfits(streams, 'front', { ...manifest(), alias: { a: 1 } }),
    misfits(streams, 'front', { ...manifest(), pipeline: { ...pipeline, nodes: others } }),
    misfits(streams, 'front', {
      ...manifest(),
      pipeline: { ...pipeline, nodes: [{ ...first, type: 'tea' }, ...others] },
    }),
  ].map((errors) => errors[0]?.pointer)

  assert.deepEqual(findings.slice(0, 4), [undefined, '/id', '/pipeline', '/alias'])
  assert.match(findings[4] ?? '', /^\/pipeline\//)
  assert.match(findings[5] ?? '', /^\/pipeline\//)
  const padding = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]))
  const padded = { ...manifest(), source: { ...manifest().source, ...padding } }
  assert.notDeepEqual(misfits(streams, 'front', padded), [], 'what cannot be explained does not fit all the same')
})

test('stored NT4 settings are those that were changed, and their target can be read', () => {
  const nt4 = storedCollections.get('nt4')
  assert.ok(nt4)

  assert.deepEqual(misfits(nt4, 'nt4', { target: 'team:1234' }), [])
  assert.deepEqual(misfits(nt4, 'nt4', {}), [])
  assert.equal(misfits(nt4, 'nt4', { target: 'team:0' })[0]?.pointer, '/target')
  assert.equal(misfits(nt4, 'other', {})[0]?.pointer, '/id')
  assert.equal(misfits(nt4, 'nt4', { colour: 'red' }).length > 0, true)
})
