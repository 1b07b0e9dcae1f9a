// What an IMU says beside a recording is there whole or not at all, as the recording itself.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fragment, mp4File, storedFiles } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'

const wish = {
  kind: 'recording',
  origin: 'recording',
  media_type: 'video/mp4',
  stream_id: 'front',
  name: 'match',
} as const
const LINES = '{"pts_us":0,"gyro_rad_s":[0,0,1]}\n{"pts_us":1000,"gyro_rad_s":[0,0,1]}\n'

type Store = Awaited<ReturnType<typeof openStore>>['store']

const besideOf = async (store: Store, name: string) => {
  const file = good(await store.open(name, 'imu'))
  return text(file.stream(0, file.size_bytes - 1))
}

test('a recording is given what the IMU said of it, and is without when it said nothing', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const draft = good(await store.begin(wish))
  writeFileSync(draft.path, mp4File())
  for (const line of LINES.split(/(?<=\n)/)) assert.ok(draft.appendImu(line))
  const silent = good(await store.begin(wish))
  writeFileSync(silent.path, mp4File())

  const item = good(await draft.complete({}))
  const without = good(await silent.complete({}))

  assert.deepEqual(item.side_cars.imu, { media_type: 'application/x-ndjson', size_bytes: LINES.length })
  assert.equal(await besideOf(store, item.name), LINES)
  assert.equal(without.side_cars.imu, null)
  assert.equal(draft.appendImu('late\n'), false)
})

test('when the power goes in the middle of a line, what is whole of them is kept with the recording', async (t) => {
  const dataDir = folderOf(t)
  const { store, close } = await openStore(t, dataDir)
  const draft = good(await store.begin(wish))
  writeFileSync(draft.path, Buffer.concat([mp4File({ durationMs: 0 }), fragment()]))
  draft.appendImu(LINES)
  const coming = join(dataDir, 'media', 'incoming', `${draft.name}.imu`)
  await until('the lines on the disk', () => existsSync(coming) && statSync(coming).size === LINES.length)
  appendFileSync(coming, LINES.slice(0, 20))
  await close()

  const again = await openStore(t, dataDir)

  const item = good(await again.store.get(draft.name))
  assert.deepEqual([item.state, item.flaw], ['ready', 'interrupted'])
  const kept = await besideOf(again.store, item.name)
  assert.equal(item.side_cars.imu?.size_bytes, LINES.length)
  assert.equal(kept, LINES)
})

test('a recording that is given up takes with it what was beside it', async (t) => {
  const dataDir = folderOf(t)
  const { store } = await openStore(t, dataDir)
  const draft = good(await store.begin(wish))
  draft.appendImu(LINES)

  await draft.abandon()

  assert.deepEqual(storedFiles(dataDir), [])
  assert.equal(draft.appendImu(LINES), false)
})
