// The power is cut while documents are written: whatever the disk makes of what nobody has synced, each write that was
// acknowledged is there.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { seeded } from '../../support/engine/random-graphs.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { beginDiskLog, type DiskRecord, MEMORY, ReplayedDisk } from '../../support/processes/disk-log.ts'
import { using } from '../../support/processes/documents.ts'
import { killedAfter } from '../../support/processes/killed.ts'

const WRITER = join(import.meta.dirname, 'sqlite-writer.ts')
const WRITES = 400 // the log of SQLite is written back into its file once meanwhile
const CUTS = 15 // `npm run bench -- power-cuts` has 300, of a whole service

/** The last write that was acknowledged, and the last that is there after each of some cuts. */
const afterCuts = async (records: readonly DiskRecord[], disk: ReplayedDisk): Promise<readonly [number, number][]> => {
  const random = seeded(1)
  const found: [number, number][] = []
  let acknowledged = 0
  for (const [n, record] of records.entries()) {
    disk.apply(record)
    if (record.kind === 'note') acknowledged = Number(record.path)
    if ((n + 1) % Math.floor(records.length / CUTS) > 0) continue
    const dataDir = temporaryFolder(MEMORY)
    disk.leave(dataDir, random)
    const { documents } = await using(dataDir, ({ load }) => load)
    found.push([acknowledged, documents[0]?.revision ?? 0])
  }
  return found
}

const lost = ([acknowledged, kept]: [number, number]): boolean => kept < acknowledged

test('a write that was acknowledged survives a power cut at any moment', async () => {
  const [dataDir, at] = [temporaryFolder(MEMORY), temporaryFolder()]
  const log = beginDiskLog(dataDir, at)
  await killedAfter(WRITES, [WRITER, dataDir], { env: log.env, heard: log.note })
  const records = log.read()
  log.close()

  const found = await afterCuts(records, new ReplayedDisk())
  const withoutSyncs = await afterCuts(records, new ReplayedDisk({ doesSync: false }))

  assert.ok(records.some(({ kind, path }) => kind === 'write' && path.endsWith('.db')))
  assert.ok(withoutSyncs.some(lost), 'a disk that syncs nothing loses nothing: these are no cuts')
  assert.deepEqual(found.filter(lost), [])
})
