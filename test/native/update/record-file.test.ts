// The record of an update on the disk.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { UpdateRecord } from '../../../machines/update/record.ts'
import { recordFile } from '../../../native/update/record-file.ts'
import { folderOf } from '../../support/processes/folder.ts'

const record: UpdateRecord = {
  format: 1,
  state: 'trial',
  since_ms: 1,
  offered: null,
  when: null,
  allow_downgrade: false,
  target: '1.5.0-abc',
  before: { streams: ['front'], parts: ['http'], robot_link: true },
  restarts: 1,
  failure: null,
  seen_failed: null,
}

const file = (t: TestContext) => {
  const path = join(folderOf(t), 'update.json')
  const faults: Fault[] = []
  const { load, save } = recordFile(path, (fault) => faults.push(fault))
  return {
    path,
    faults,
    load: () => Effect.runPromise(load),
    save: (each: UpdateRecord) => Effect.runPromise(Effect.result(save(each))),
  }
}

test('a record is read as it was written, and there is none before', async (t) => {
  const { path, faults, load, save } = file(t)

  const none = await load()
  await Promise.all([save({ ...record, state: 'restarting' }), save(record)]) // one after the other

  assert.deepEqual([none, await load(), faults], [null, record, []])
  assert.deepEqual(readdirSync(join(path, '..')), ['update.json'])
})

test('a record of a newer version is read, and one that makes no sense counts as none, with a fault', async (t) => {
  const { path, faults, load } = file(t)

  writeFileSync(path, JSON.stringify({ ...record, mood: 'good' }))
  const newer = await load()
  for (const text of ['{"format":1', '{}', '', JSON.stringify({ ...record, state: 'asleep' })]) {
    writeFileSync(path, text)
    assert.equal(await load(), null)
  }

  assert.equal(newer?.target, '1.5.0-abc')
  assert.deepEqual(
    faults.map(({ code }) => code),
    Array(4).fill('update.interrupted'),
  )
})

test('a record that cannot be written is a fault', async (t) => {
  const { path, save } = file(t)
  mkdirSync(join(path, 'in-the-way'), { recursive: true })

  const saved = await save(record)

  assert.equal(saved._tag, 'Failure')
})
