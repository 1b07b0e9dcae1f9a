// Field maps from a folder that a user fills by hand.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { exportMap } from '../../../machines/localization/maps/export-map.ts'
import { fieldMapFiles } from '../../../native/localization/files.ts'
import { mapHash } from '../../../native/localization/map-hash.ts'
import { until } from '../../support/until.ts'

const wpilib = {
  field: { length: 17.5, width: 8 },
  tags: [
    {
      ID: 7,
      pose: { translation: { x: 1, y: 2, z: 0.5 }, rotation: { quaternion: { W: 0, X: 0, Y: 0, Z: 1 } } },
    },
  ],
}

const folderOf = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-maps-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const put = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return { folder, put, maps: fieldMapFiles(folder) }
}

test('maps in both forms are read; a WPILib map is named after its file', async (t) => {
  const { put, maps } = folderOf(t)
  put('mine.json', { ...demoMap, id: 'garage' })
  put('2026 Reefscape (Welded).json', wpilib)
  put('notes.txt', 'not a map')

  const { maps: read, faults } = await maps.read()

  assert.deepEqual([[...read.keys()], faults], [['2026-reefscape-welded', 'garage'], []])
  const [tag] = read.get('2026-reefscape-welded')?.tags ?? []
  assert.deepEqual([tag?.id, tag?.pose.x_m, Math.abs(tag?.pose.yaw_deg ?? 0)], [7, 1, 180])
})

test('the other forms are read, too, and a map keeps its hash in all of them', async (t) => {
  const { put, maps } = folderOf(t)
  put('own.json', demoMap)
  put('2027.json', exportMap(demoMap, 'wpilib-2027'))
  put('Vendor.FMAP', exportMap(demoMap, 'fmap'))
  put('wpilib.json', exportMap(demoMap, 'wpilib'))

  const { maps: read, about, faults } = await maps.read()

  assert.deepEqual([[...read.keys()].sort(), faults], [['2027', 'demo', 'vendor', 'wpilib'], []])
  assert.deepEqual([...about.keys()].sort(), [...read.keys()].sort())
  assert.deepEqual([...new Set([...about.values()].map(({ hash }) => hash))], [mapHash(demoMap)])
  assert.deepEqual([...new Set([...about.values()].map(({ origin }) => origin))], ['file'])
})

test('a map that was uploaded is known as such until somebody changes its file', async (t) => {
  const { put, maps } = folderOf(t)
  const uploaded = { ...demoMap, hash: mapHash(demoMap), origin: 'uploaded' }
  put('kept.json', { ...uploaded, id: 'kept', name: 'Renamed' })
  put('changed.json', { ...uploaded, id: 'changed', length_m: 17 })

  const { about } = await maps.read()

  assert.deepEqual([about.get('kept')?.origin, about.get('changed')?.origin], ['uploaded', 'file'])
})

test('a file that cannot be used is left out and named, the others are read', async (t) => {
  const { folder, put, maps } = folderOf(t)
  put('good.json', wpilib)
  put('broken.json', '{"field":')
  put('long.json', ' '.repeat(1_048_577))
  put('twice.json', { ...demoMap, tags: [demoMap.tags[0], demoMap.tags[0]] })
  put('wrong.json', { ...demoMap, length_m: -1 })
  mkdirSync(join(folder, 'folder.json'))

  const { maps: read, faults } = await maps.read()

  assert.deepEqual([...read.keys()], ['good'])
  assert.deepEqual(
    faults.map(({ resource }) => resource),
    ['broken', 'folder', 'long', 'twice', 'wrong'].map((name) => `maps/${name}.json`),
  )
  assert.match(faults[2]?.detail ?? '', /it has 1048577 bytes; at most 1048576 are read/)
  assert.match(faults[3]?.detail ?? '', /tag 1 stands in it twice/)
  assert.match(faults[4]?.detail ?? '', /\/length_m/)
})

test('a byte order mark before a map is read over', async (t) => {
  const { put, maps } = folderOf(t)
  put('field.json', `\uFEFF${JSON.stringify(wpilib)}`)

  const { maps: read, faults } = await maps.read()

  assert.deepEqual([[...read.keys()], faults], [['field'], []])
})

test('maps with names in other scripts are shown by their names, each under an id that stays', async (t) => {
  const { put, maps, folder } = folderOf(t)
  const names = ['場地', '场地', 'поле', 'Reefscape', 'Reefscape поле', 'Reefscape 场地']
  for (const name of names) put(`${name}.json`, wpilib)

  const { maps: read, faults } = await maps.read()

  assert.deepEqual(faults, [])
  assert.deepEqual([...read.values()].map(({ name }) => name).sort(), names.sort())
  for (const [id, map] of read) {
    assert.match(id, /^(map|reefscape)(-[0-9a-f]{8})?$/)
    assert.equal(map.id, id)
  }
  assert.deepEqual([...(await fieldMapFiles(folder).read()).maps.keys()], [...read.keys()])
})

test('a folder that cannot be read, and files that are too many, are faults', async (t) => {
  const { folder, put, maps } = folderOf(t)
  writeFileSync(join(folder, 'maps'), '')
  for (let n = 0; n < 102; n++) put(`${String(n).padStart(3, '0')}.json`, wpilib)

  const noFolder = await fieldMapFiles(join(folder, 'maps')).read()
  const tooMany = await maps.read()

  assert.deepEqual(
    noFolder.faults.map(({ resource, detail }) => [resource, /ENOTDIR/.test(detail)]),
    [['maps', true]],
  )
  assert.equal(tooMany.maps.size, 100)
  assert.deepEqual(
    tooMany.faults.map(({ resource }) => resource),
    ['maps/100.json', 'maps/101.json'],
  )
})

test('the stamp is another one when a file came, changed or went, and else the same', async (t) => {
  const { folder, put, maps } = folderOf(t)
  const changes = [
    () => put('field.json', wpilib),
    () => put('field.json', { ...wpilib, tags: [] }),
    () => rmSync(join(folder, 'field.json')),
  ]

  for (const change of changes) {
    const before = await maps.stamp()
    assert.equal(await maps.stamp(), before)
    change()
    assert.notEqual(await maps.stamp(), before)
  }
})

test('a pipe is not waited for', async (t) => {
  const { folder, put, maps } = folderOf(t)
  put('good.json', wpilib)
  execFileSync('mkfifo', [join(folder, 'pipe.json')])

  const { maps: read, faults } = await maps.read()

  assert.deepEqual([[...read.keys()], faults.map(({ resource }) => resource)], [['good'], ['maps/pipe.json']])
  assert.match(faults[0]?.detail ?? '', /it is not a file/)
})

test('of two files with maps of one id the first is used and the second named', async (t) => {
  const { put, maps } = folderOf(t)
  put('a.json', { ...demoMap, id: 'garage', name: 'first' })
  put('b.json', { ...demoMap, id: 'garage', name: 'second' })

  const { maps: read, faults } = await maps.read()

  assert.equal(read.get('garage')?.name, 'first')
  assert.deepEqual(
    faults.map(({ resource }) => resource),
    ['maps/b.json'],
  )
  assert.match(faults[0]?.detail ?? '', /garage/)
})

test("a tag that stands twice in a map of WPILib's form is named, too", async (t) => {
  const { put, maps } = folderOf(t)
  put('twice.json', { ...wpilib, tags: [wpilib.tags[0], wpilib.tags[0]] })

  const { maps: read, faults } = await maps.read()

  assert.equal(read.size, 0)
  assert.match(faults[0]?.detail ?? '', /tag 7 stands in it twice/)
})

test('a file is read again when it has changed, and only then', async (t) => {
  const { folder, put, maps } = folderOf(t)
  put('field.json', wpilib)
  const first = (await maps.read()).maps.get('field')
  assert.equal((await maps.read()).maps.get('field'), first)

  put('field.json', { ...wpilib, field: { length: 16.5, width: 8 } })
  utimesSync(join(folder, 'field.json'), 1, 1)

  assert.equal((await maps.read()).maps.get('field')?.length_m, 16.5)
})

test('a folder that is not there holds no maps and is no fault', async (t) => {
  const { folder } = folderOf(t)

  const { maps, faults } = await fieldMapFiles(join(folder, 'maps')).read()

  assert.deepEqual([maps.size, faults], [0, []])
})

test('who watches the folder is told soon after a change, also when the folder comes later or again', async (t) => {
  const { folder } = folderOf(t)
  const inside = join(folder, 'maps')
  const maps = fieldMapFiles(inside)
  let told = 0
  t.after(maps.watch(() => (told += 1)))

  for (const round of [1, 2]) {
    mkdirSync(inside)
    if (round === 2) await maps.stamp() // else it is noticed without
    writeFileSync(join(inside, 'field.json'), JSON.stringify(wpilib))
    await until('the word', () => told >= round)
    rmSync(inside, { recursive: true })
    await until('the word of the end', () => told > round)
    told = round
  }
})
