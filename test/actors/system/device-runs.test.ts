// Whether the device went off while the service ran.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { noteRuns } from '../../../actors/system/device-runs.ts'
import { Latest } from '../../../machines/latest.ts'
import type { DeviceRuns } from '../../../machines/system/release.ts'
import { FakeRunRecord } from '../../../native/system/fake.ts'
import type { RunRecordPort } from '../../../native/system/port.ts'
import { fileRunRecord } from '../../../native/system/run-record.ts'

const folderOf = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'runs-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** Runs a service on one start of the device. during: what happens meanwhile. */
const service = async (port: RunRecordPort, bootId: string, during: (runs: DeviceRuns) => Promise<void> | void) => {
  const runs = new Latest<DeviceRuns>()
  const said: string[] = []
  const parts = { port, system: { bootId: async () => bootId }, log: (_: string, text: string) => said.push(text) }
  await Effect.runPromise(
    Effect.scoped(
      Effect.andThen(
        noteRuns(parts, runs),
        Effect.promise(async () => during(runs.value as DeviceRuns)),
      ),
    ),
  )
  return said
}

test('a file says at the next start whether the device went off in the middle', async (t) => {
  const folder = await folderOf(t)
  const path = join(folder, 'runs.json')
  let whileRunning: Awaited<ReturnType<RunRecordPort['read']>> = null
  await service(fileRunRecord(path), 'boot-1', async () => {
    whileRunning = await fileRunRecord(path).read()
  })
  await service(fileRunRecord(path), 'boot-2', ({ unsafe_shutdowns }) => assert.equal(unsafe_shutdowns, 0))

  await fileRunRecord(path).write(whileRunning as never) // as a power cut leaves it
  await service(fileRunRecord(path), 'boot-2', ({ unsafe_shutdowns, last_was_unsafe }) =>
    assert.deepEqual([unsafe_shutdowns, last_was_unsafe], [1, true]),
  )
})

test('a data folder that takes nothing is said, and ends nothing', async () => {
  const port = new FakeRunRecord()
  port.failure = new Error('EROFS')

  const said = await service(port, 'boot-1', ({ starts }) => assert.equal(starts, 1))

  assert.match(said[0] ?? '', /cannot be noted: EROFS/)
})
