// What a copy of the settings asks of the disk: where a sync takes a second, a start waits for each of them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { beginDiskLog, MEMORY } from '../../support/processes/disk-log.ts'
import { killedAfter } from '../../support/processes/killed.ts'

const [WRITER, COPIER] = ['sqlite-writer.ts', 'sqlite-copier.ts'].map((name) => join(import.meta.dirname, name)) as [
  string,
  string,
]

test('a copy of the settings is synced once, whole, before it counts', async () => {
  const [dataDir, at] = [temporaryFolder(MEMORY), temporaryFolder()]
  await killedAfter(20, [WRITER, dataDir])
  const log = beginDiskLog(dataDir, at)
  await promisify(execFile)(process.execPath, [COPIER, dataDir], { env: { ...process.env, ...log.env } })
  const records = log.read()
  log.close()

  const ofCopy = records.filter(({ path }) => path.includes('.copy.next')).map(({ kind }) => kind)

  assert.ok(ofCopy.includes('write'), 'one is made')
  assert.equal(ofCopy.filter((kind) => kind === 'sync').length, 1)
  assert.ok(ofCopy.lastIndexOf('sync') > ofCopy.lastIndexOf('write'))
})
