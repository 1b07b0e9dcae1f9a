// Uploading field maps: what is kept, what is refused and with which words, and that nothing is left half. The numbers
// in the names are those of the table of cases; what can be wrong within a file is tested where it is read.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { builtInMaps } from '../../../machines/localization/maps/built-in.ts'
import { exportMap } from '../../../machines/localization/maps/export-map.ts'
import { MAP_FORMS } from '../../../machines/localization/maps/map-draft.ts'
import { fieldMapFiles } from '../../../native/localization/files.ts'
import { USER_MAPS } from '../../../native/localization/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, listeningApi } from '../../support/api/api.ts'
import { fiducial, fmapFile, wpilib2027File, wpilibFile, wpilibTag } from '../../support/localization/map-files.ts'
import { shortOrLong } from '../../support/long.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'

const UPLOAD = '/v1/localization/maps/upload'

interface Shown {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly origin: string
  readonly warnings: readonly string[]
  readonly size_from?: string
  readonly length_m: number
}

/** A device that keeps its maps in a folder that is not there yet. */
const deviceWithMaps = async (t: TestContext) => {
  const folder = join(folderOf(t), 'maps')
  const { fake, url, bugs } = await listeningApi(t, {}, { ports: [value(USER_MAPS, fieldMapFiles(folder))] })
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, init)
    const body = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    return { status: response.status, contentType, body, location: response.headers.get('location') }
  }
  const send = (body: unknown, query = '', type = 'application/json') =>
    ask(UPLOAD + query, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    })
  const kept = async (body: unknown, query = '', type?: string): Promise<Shown> => {
    const answer = await send(body, query, type)
    assert.equal(answer.status, 201, answer.body)
    return JSON.parse(answer.body)
  }
  const list = async (): Promise<readonly Shown[]> => JSON.parse((await ask('/v1/localization/maps')).body).items
  const own = async () => (await list()).filter(({ origin }) => origin !== 'built_in')
  const files = () => {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  }
  return { fake, folder, ask, send, kept, list, own, files, bugs }
}

test('a map is kept in each form, shown by its hash, and had again in every form', async (t) => {
  const { ask, send, kept, own } = await deviceWithMaps(t)
  const [field = assert.fail()] = builtInMaps.slice(1)

  const answers = await Promise.all(
    MAP_FORMS.map((form, n) =>
      kept(exportMap(field, form), `?id=map-${n}`, n % 2 ? 'application/octet-stream' : undefined),
    ),
  )
  const { location } = await send(wpilib2027File())

  assert.deepEqual(
    answers.map(({ id, origin, size_from, warnings }) => [id, origin, size_from, warnings]),
    MAP_FORMS.map((_, n) => [`map-${n}`, 'uploaded', 'file', []]),
  )
  assert.equal(new Set(answers.map(({ hash }) => hash)).size, 1)
  assert.equal(location, '/v1/localization/maps/gym')
  assert.equal((await own()).length, MAP_FORMS.length + 1)
  for (const form of MAP_FORMS) {
    const { status, body } = await ask(`/v1/localization/maps/map-3?format=${form}`)
    assert.equal(status, 200)
    assert.equal((await kept(body, '?id=again&replace=true')).hash, answers[0]?.hash, form)
  }
})

test('what was uploaded is there after a restart, and known as uploaded', async (t) => {
  const { folder, kept, files } = await deviceWithMaps(t)
  const { hash } = await kept(fmapFile([fiducial(3), fiducial(9, 2, 1, { size: 200, family: '16h5' })]), '?id=gym')

  const { maps, about } = await fieldMapFiles(folder).read()

  assert.deepEqual(files(), ['gym.json'])
  assert.deepEqual([about.get('gym')?.hash, about.get('gym')?.origin], [hash, 'uploaded'])
  assert.deepEqual(
    maps.get('gym')?.tags.map(({ family, size_m }) => [family, size_m]),
    [
      [undefined, undefined],
      ['tag16h5', 0.2],
    ],
  )
})

test('length and width come from the query where the file has none, and the answer says so', async (t) => {
  const { kept, send } = await deviceWithMaps(t)
  const bare = fmapFile([fiducial(3)], {})

  const told = await kept(bare, '?id=gym&length_m=9&width_m=5.5')

  assert.deepEqual([told.size_from, told.length_m], ['query', 9])
  assertProblem(await send(bare, '?id=other'), 'map.invalid')
  const both = await kept(fmapFile(), '?id=both&length_m=12')
  assert.match(both.warnings.join(), /what the query says is not used/)
})

test('a map without an id gets one of its name, and a name is what people read', async (t) => {
  const { kept } = await deviceWithMaps(t)

  const named = await kept(wpilibFile(), '?name=Unsere%20Halle')
  const ours = await kept({ ...demoMap, id: 'ours', name: 'Ours' })
  const renamed = await kept({ ...demoMap, id: 'ours' }, '?id=theirs&name=Theirs')
  const unnamed = await kept(wpilibFile([wpilibTag(8)]))

  assert.deepEqual([named.id, named.name], ['unsere-halle', 'Unsere Halle'])
  assert.deepEqual([ours.id, ours.name, renamed.id, renamed.name], ['ours', 'Ours', 'theirs', 'Theirs'])
  assert.equal(unnamed.id, 'map')
})

test('maps whose names have no Latin letter get ids of their own, and the same one again', async (t) => {
  const { kept, list } = await deviceWithMaps(t)
  const named = (name: string) => kept(wpilibFile(), `?replace=true&name=${encodeURIComponent(name)}`)

  const [hall, ground, again] = [await named('体育館'), await named('運動場'), await named('体育館')]

  assert.match(hall.id, /^map-[0-9a-f]{8}$/)
  assert.notEqual(hall.id, ground.id)
  assert.equal(again.id, hall.id)
  const names = (await list()).map(({ name }) => name)
  assert.ok(names.includes('体育館') && names.includes('運動場'))
})

test('1, 2, 3: what is no JSON is refused with the place', async (t) => {
  const { send, files } = await deviceWithMaps(t)

  for (const [body, pattern] of [
    ['', /empty/],
    ['{"tags": [', /line 1, column 11: the text ends/],
    ['{"tags": [],\n "field": {"length": NaN}}', /line 2, column 22/],
  ] as const) {
    const answer = await send(body)
    assertProblem(answer, 'body.malformed')
    assert.match(JSON.parse(answer.body).detail, pattern)
  }
  assert.deepEqual(files(), [])
})

test('4: a byte order mark is read over', async (t) => {
  const { kept } = await deviceWithMaps(t)

  assert.equal((await kept(`\ufeff${JSON.stringify(wpilibFile())}`, '?id=gym')).id, 'gym')
})

test('5: a megabyte is enough, told or not', async (t) => {
  const { ask, send, files } = await deviceWithMaps(t)
  const large = Buffer.alloc(1_048_577, ' ')
  const pieces = function* () {
    for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536)
  }
  const body = Readable.toWeb(Readable.from(pieces())) as never
  const headers = { 'content-type': 'application/json' }

  assertProblem(await send(large), 'body.too_large')
  assertProblem(await ask(UPLOAD, { method: 'POST', headers, body, duplex: 'half' } as RequestInit), 'body.too_large')
  assert.equal((await send(JSON.stringify(wpilibFile()).padEnd(1_048_576))).status, 201)
  assert.equal(files().length, 1)
})

test('flaws are told with their places, and nothing is kept', async (t) => {
  const { send, files } = await deviceWithMaps(t)
  const pointers = async (body: unknown) => {
    const answer = await send(body)
    assertProblem(answer, 'map.invalid')
    return JSON.parse(answer.body).errors.map(({ pointer }: { readonly pointer: string }) => pointer)
  }
  const { pose } = wpilibTag(1)
  const numbered = Array.from({ length: 22 }, (_, n) => wpilibTag(n + 1, n / 2))

  assert.deepEqual(await pointers([]), [''])
  assert.deepEqual(await pointers(wpilibFile([...numbered, { pose }])), ['/tags/22/ID'])
  assert.deepEqual(await pointers(wpilibFile([wpilibTag(587)])), ['/tags/0/ID'])
  assert.deepEqual(await pointers({ ...demoMap, colour: 'red' }), ['/colour'])
  assert.deepEqual(await pointers(JSON.stringify(demoMap).replace('{', '{"__proto__":{"a":1},')), ['/__proto__'])
  assert.deepEqual(await pointers(JSON.stringify(wpilibFile()).replace('"x":1', '"x":1e400')), [
    '/tags/0/pose/translation/x',
  ])
  assert.deepEqual(files(), [])
})

test('31: unknown keys of other forms are passed over, however many', async (t) => {
  const { kept } = await deviceWithMaps(t)
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n]))

  await kept({ ...wpilibFile(), ...many }, '?id=many')
  await kept(JSON.stringify(wpilibFile()).replace('{', '{"__proto__":{"id":"other"},'), '?id=odd')
})

test('32, 33: the same map again is no change, and another replaces it where that is said', async (t) => {
  const { fake, folder, send, kept, own } = await deviceWithMaps(t)
  const told: unknown[] = []
  fake.directory.events.subscribe((event) => {
    if (event.kind === 'field_maps_changed') told.push(event)
  })
  const first = await kept(wpilibFile(), '?id=gym')
  await until('the news', () => told.length === 1)
  const text = readFileSync(join(folder, 'gym.json'), 'utf8')

  const again = await kept(exportMap({ ...demoMap, ...JSON.parse(text) }, 'wpilib-2027'), '?id=gym')
  const other = await send(wpilibFile([wpilibTag(8)]), '?id=gym')
  const unchanged = readFileSync(join(folder, 'gym.json'), 'utf8')
  const replaced = await kept(wpilibFile([wpilibTag(8)]), '?id=gym&replace=true')

  assert.equal(again.hash, first.hash)
  assertProblem(other, 'map.exists')
  const { context } = JSON.parse(other.body)
  assert.deepEqual([context.hash, context.uploaded_hash], [first.hash, replaced.hash])
  assert.equal(unchanged, text)
  await until('the second news', () => told.length === 2)
  assert.deepEqual(
    (await own()).map(({ id, hash }) => [id, hash]),
    [['gym', replaced.hash]],
  )
})

test('33: streams that use a map that is replaced open their camera with the new one', async (t) => {
  const { fake, kept } = await deviceWithMaps(t)
  await kept(wpilibFile(), '?id=gym')
  const source = { backend: 'synthetic' } as const
  const user = await fake.addStream({ id: 'front', source, map_id: 'gym' })
  const other = await fake.addStream({ id: 'back', source })
  const openings: string[] = []
  for (const { id, engine } of [user, other]) engine.opened.subscribe(() => openings.push(id))

  await kept(wpilibFile([wpilibTag(8)]), '?id=gym&replace=true')

  await until('the opening', () => openings.length > 0)
  assert.deepEqual(
    user.engine.map.value?.tags.map(({ id }) => id),
    [8],
  )
  assert.deepEqual(openings, ['front'])
})

test('a built-in map is not replaced, and is there already when it is the same', async (t) => {
  const { send, kept, files } = await deviceWithMaps(t)
  const [, season = assert.fail()] = builtInMaps

  assert.equal((await kept(season)).origin, 'built_in')
  assertProblem(await send({ ...season, length_m: 16 }, '?replace=true'), 'map.exists')
  assert.deepEqual(files(), [])
})

test('a map of a file is replaced in that file, and one that cannot be read is let be', async (t) => {
  const { folder, kept, own, files } = await deviceWithMaps(t)
  mkdirSync(folder)
  writeFileSync(join(folder, 'Our Gym.json'), JSON.stringify(wpilibFile()))
  writeFileSync(join(folder, 'hall.json'), '{')

  await kept(wpilibFile([wpilibTag(8)]), '?id=our-gym&replace=true')
  await kept(wpilibFile([wpilibTag(9)]), '?id=hall')

  assert.deepEqual(files().sort(), ['Our Gym.json', 'hall-2.json', 'hall.json'])
  assert.deepEqual((await own()).map(({ id, origin }) => [id, origin]).sort(), [
    ['hall', 'uploaded'],
    ['our-gym', 'uploaded'],
  ])
  assert.equal(readFileSync(join(folder, 'hall.json'), 'utf8'), '{')
})

test('34: a hundred maps are enough', async (t) => {
  const { folder, send, kept, own } = await deviceWithMaps(t)
  mkdirSync(folder)
  for (let n = 0; n < 99; n++) writeFileSync(join(folder, `map${n}.json`), JSON.stringify(wpilibFile([wpilibTag(n)])))

  await kept(wpilibFile(), '?id=last')
  assertProblem(await send(wpilibFile(), '?id=more'), 'map.too_many')

  await kept(wpilibFile([wpilibTag(8)]), '?id=last&replace=true')
  assert.equal((await own()).length, 100)
})

test('a disk that takes nothing is told of, and leaves nothing half', async (t) => {
  const { folder, send, own } = await deviceWithMaps(t)
  writeFileSync(folder, 'no folder')

  assertProblem(await send(wpilibFile(), '?id=gym'), 'storage.failed')
  assert.deepEqual(await own(), [])
})

const UPLOADS = shortOrLong(600, 25_000)
const MAX_ANSWER_MS = 60_000 // a wedge would take for ever

/** A field file of each form, spoilt: a character of its text, or a place of its document. */
const spoiltFile = () => {
  const file = fc.constantFrom<() => unknown>(wpilibFile, wpilib2027File, fmapFile, () => demoMap)
  const byText = fc.tuple(file, fc.nat(), fc.string({ maxLength: 3 })).map(([make, at, other]) => {
    const text = JSON.stringify(make())
    return text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1)
  })
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(-1, 0, 1e308, 2 ** 53, '7', '', null, [], {}))
  const byPlace = fc.tuple(file, fc.nat(), odd).map(([make, at, other]) => {
    const text = JSON.stringify(make())
    const places = [...text.matchAll(/(?<=[:[,])(-?[\d.]+|"[^"]*"(?!:)|\{\}|null)/g)]
    const place = places[at % places.length]
    if (!place) return text
    return text.slice(0, place.index) + JSON.stringify(other) + text.slice(place.index + place[0].length)
  })
  const cutShort = fc.tuple(file, fc.nat()).map(([make, at]) => {
    const text = JSON.stringify(make())
    return text.slice(0, at % text.length)
  })
  const withMark = file.map((make) => `\uFEFF${JSON.stringify(make())}`)
  const whole = file.map((make) => JSON.stringify(make()))
  return fc.oneof(whole, byText, byPlace, byPlace, cutShort, withMark)
}

const TYPES = [
  'application/json',
  'application/octet-stream',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'image/png',
  'nonsense',
  '',
]

const anyHeaders = () =>
  fc
    .tuple(
      fc.oneof(fc.constant('application/json'), fc.constantFrom(...TYPES)),
      fc.constantFrom('', '', '', '', '', '', 'gzip', 'identity', 'br', 'nonsense'),
    )
    .map(([type, encoding]) => ({
      ...(type && { 'content-type': type }),
      ...(encoding && { 'content-encoding': encoding }),
    }))

const anyQuery = () => {
  const length = fc.oneof(fc.constantFrom('16.5', '0', '-1', '1e9', 'NaN', ''), fc.double().map(String))
  const some = fc.record(
    {
      id: fc.constantFrom('one', 'two', 'three', 'demo', '2024', 'Z', '../x', ''),
      name: fc.oneof(fc.string(), fc.constantFrom('Unsere Halle', '体育館', '٣٤')),
      length_m: length,
      width_m: length,
      family: fc.constantFrom('tag36h11', 'tag16h5', 'nonsense', ''),
      tag_size_m: length,
      replace: fc.constantFrom('true', 'false', 'yes', ''),
      nonsense: fc.constant('1'),
    },
    { requiredKeys: [] },
  )
  const usual = fc.constantFrom('one', 'two', 'three').map((id) => ({ id, replace: 'true' }))
  return fc.oneof(usual, some).map((query) => `?${new URLSearchParams(query as Record<string, string>)}`)
}

test(`whatever is uploaded ${UPLOADS} times, it is answered as declared, and whole maps only are kept`, async (t) => {
  const { ask, send, own, files, bugs } = await deviceWithMaps(t)
  const anything = fc.oneof(fc.json(), fc.string(), spoiltFile(), spoiltFile(), fc.uint8Array({ maxLength: 40 }))
  const statuses = new Map<number, number>()

  await fc.assert(
    fc.asyncProperty(anything, anyQuery(), anyHeaders(), async (body, query, headers) => {
      const signal = AbortSignal.timeout(MAX_ANSWER_MS)
      const answer = await ask(UPLOAD + query, { method: 'POST', headers, body: body as string, signal })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      assert.ok([201, 400, 415, 422].includes(answer.status), answer.body)
    }),
    { seed: 36, numRuns: UPLOADS },
  )

  t.diagnostic(`answered ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.deepEqual(bugs, [])
  assert.ok((statuses.get(201) ?? 0) > 0 && (statuses.get(422) ?? 0) > 0)
  assert.equal((await own()).length, files().length)
  assert.equal((await send(wpilibFile(), '?id=afterwards&replace=true')).status, 201)
})
