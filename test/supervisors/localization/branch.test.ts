// Maps that the user puts into the data directory while the service runs: those that are left out are told of.
import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { builtInMaps } from '../../../machines/localization/maps/built-in.ts'
import { fieldMapFiles } from '../../../native/localization/files.ts'
import { USER_MAPS } from '../../../native/localization/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'

const deviceWithMaps = async (t: TestContext) => {
  const folder = folderOf(t)
  const { app } = await fakeApi(t, {}, { ports: [value(USER_MAPS, fieldMapFiles(folder))] })
  const get = async (url: string) => (await app.inject({ url, headers: { host: 'localhost' } })).json()
  /** At one go, as whoever is careful does. */
  const put = (name: string, content: string) => {
    writeFileSync(join(folder, 'new'), content)
    renameSync(join(folder, 'new'), join(folder, name))
  }
  const errors = async () => (await get('/v1/errors')).items as { resource: string; detail: string; count: number }[]
  return { get, put, errors }
}

test('a file that is left out shows at once in the list and in the error history, with the reason, once', async (t) => {
  const { get, put, errors } = await deviceWithMaps(t)
  assert.deepEqual((await get('/v1/localization/maps')).left_out, [])

  put('field.json', '{')
  const first = (await get('/v1/localization/maps')).left_out
  await get('/v1/localization/maps')
  const recorded = await errors()
  put('field.json', JSON.stringify({ ...demoMap, id: 'field', length_m: -1 }))
  const second = (await get('/v1/localization/maps')).left_out
  put('field.json', JSON.stringify({ ...demoMap, id: 'field' }))
  const mended = await get('/v1/localization/maps')

  assert.equal(first[0].file, 'field.json')
  assert.match(first[0].detail, /^The field map field\.json is left out: .*JSON/)
  assert.deepEqual(
    recorded.map(({ resource, detail, count }) => ({ resource, detail, count })),
    [{ resource: 'maps/field.json', detail: first[0].detail, count: 1 }],
  )
  assert.match(second[0].detail, /\/length_m/)
  assert.deepEqual((await errors())[0]?.count, 2)
  assert.deepEqual(mended.left_out, [])
  assert.deepEqual(
    mended.items.map(({ id, origin }: { id: string; origin: string }) => [id, origin]),
    [...builtInMaps.map(({ id }) => [id, 'built_in']), ['field', 'file']],
  )
})

test('a file that nobody asks for is in the error history a moment after it changed', async (t) => {
  const { put, errors } = await deviceWithMaps(t)

  put('field.json', '[]')

  const [entry] = await until('the fault', errors, ({ length }) => length === 1)
  assert.equal(entry?.resource, 'maps/field.json')
})
