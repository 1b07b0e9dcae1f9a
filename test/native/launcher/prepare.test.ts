// What a start does where something is in its way: something runs, whatever happens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PACKAGED } from '../../../machines/update/release.ts'
import { activate, type SlotState } from '../../../machines/update/slots.ts'
import { prepareStart, type StartParts } from '../../../native/launcher/prepare.ts'
import type { Disk } from '../../../native/update/disk.ts'
import { readSlotFile, writeSlotFile } from '../../../native/update/slot-file.ts'
import { writeVersion } from '../../../native/update/versions.ts'
import { ModelDisk } from '../../support/update/model-disk.ts'
import { releaseOf } from '../../support/update/power-cuts.ts'

const [SYSTEM, DATA] = ['/system', '/data']

/** A device on which a version was chosen and has not been started. */
const chosenDevice = async (more: Partial<StartParts> = {}) => {
  const disk = new ModelDisk()
  await disk.makeFolder(`${DATA}/settings/${PACKAGED}`)
  await disk.write(`${DATA}/settings/${PACKAGED}/vedette.db`, Buffer.from('settings'))
  const warnings: string[] = []
  const parts: StartParts = {
    system: SYSTEM,
    packaged: '/packaged',
    dataDir: DATA,
    disk,
    settings: {
      copy: (_, to) => disk.write(`${to}/vedette.db`, Buffer.from('copy')),
      differing: () => ['streams/rear'],
    },
    nowMs: () => 5,
    warn: (sentence) => void warnings.push(sentence),
    ...more,
  }
  await prepareStart({ ...parts, disk })
  const name = await writeVersion({ disk, system: SYSTEM }, releaseOf('1.1.0', 1).bundle, () => {})
  const state = (await readSlotFile(disk, SYSTEM)) as SlotState
  await writeSlotFile(disk, SYSTEM, activate(state, name, 4))
  return { parts, disk, name, warnings, read: async () => (await readSlotFile(disk, SYSTEM)) as SlotState }
}

const noSpace = (): never => {
  throw new Error('no space left on device')
}

/** A disk that cannot write some files. */
const full = (disk: Disk, isFull: (path: string) => boolean): Disk => ({
  read: (path) => disk.read(path),
  list: (path) => disk.list(path),
  makeFolder: (path) => disk.makeFolder(path),
  write: async (path, content) => (isFull(path) ? noSpace() : disk.write(path, content)),
  sync: (path) => disk.sync(path),
  rename: (from, to) => disk.rename(from, to),
  remove: (path) => disk.remove(path),
  free: (path) => disk.free(path),
})

test('a new version runs with a copy of the settings, and its try is counted', async () => {
  const { parts, disk, name, read } = await chosenDevice()

  const start = await prepareStart(parts)

  assert.deepEqual([start.name, start.settings], [name, `${DATA}/settings/${name}`])
  assert.equal((await disk.read(`${start.settings}/vedette.db`))?.toString(), 'copy')
  assert.equal((await read()).tries, 1)
})

test('a new version whose settings cannot be copied is given up without a start', async () => {
  const { parts, name, read } = await chosenDevice({ settings: { copy: noSpace, differing: () => [] } })

  const start = await prepareStart(parts)

  assert.equal(start.name, PACKAGED)
  const { failed, tries } = await read()
  assert.deepEqual([failed?.version, tries], [name, null])
  assert.match(failed?.reason ?? '', /^its settings could not be copied from .*: no space left on device$/)
})

test('a trial that cannot be counted is none: the previous version runs', async () => {
  const { parts, disk, name, warnings, read } = await chosenDevice()

  const start = await prepareStart({ ...parts, disk: full(disk, (path) => path.startsWith(`${SYSTEM}/state`)) })

  assert.deepEqual([start.name, start.settings], [PACKAGED, `${DATA}/settings/${PACKAGED}`])
  assert.deepEqual(warnings, ['what runs now could not be noted: no space left on device'])
  assert.deepEqual([(await read()).current, (await read()).tries], [name, 2])
})

test('a version that stays runs also on a disk that takes nothing', async () => {
  const { parts, disk, name, read } = await chosenDevice()
  await prepareStart(parts)
  await writeSlotFile(disk, SYSTEM, { ...(await read()), tries: null })

  assert.equal((await prepareStart({ ...parts, disk: full(disk, () => true) })).name, name)
})

test('settings of a start without a launcher are taken along, or used where they lie', async () => {
  const disk = new ModelDisk()
  await disk.makeFolder(DATA)
  await disk.write(`${DATA}/vedette.db`, Buffer.from('settings'))
  const { parts } = await chosenDevice()
  const copied: string[] = []
  const settings = { copy: (from: string, to: string) => void copied.push(from, to), differing: () => [] }

  const refused = await prepareStart({ ...parts, disk, settings: { copy: noSpace, differing: () => [] } })
  const start = await prepareStart({ ...parts, disk, settings })

  assert.deepEqual([refused.name, refused.settings], [PACKAGED, DATA])
  assert.equal(start.settings, `${DATA}/settings/${PACKAGED}`)
  assert.deepEqual(copied, [DATA, `${DATA}/settings/${PACKAGED}.part`])
})

test('what is left behind is named when it is gone back', async () => {
  const { parts, disk, read } = await chosenDevice()
  await prepareStart(parts)
  await writeSlotFile(disk, SYSTEM, { ...(await read()), give_up: 'it sees nothing' })

  await prepareStart(parts)

  assert.deepEqual((await read()).failed?.left_behind, ['streams/rear'])
})

test('how a run ended, and what it said, is told once', async () => {
  const { parts, disk, read } = await chosenDevice()
  await prepareStart(parts)
  await disk.write(`${SYSTEM}/last-exit`, Buffer.from('exit-code exited 78\n'))
  await disk.write(`${SYSTEM}/last-words`, Buffer.from('the settings have schema 99'))

  await prepareStart(parts)
  await prepareStart(parts)

  const [first, second] = (await read()).failed?.exits ?? []
  assert.equal(first, 'it ended with code 78: the settings have schema 99')
  assert.match(second ?? '', /nobody could note how/)
})

test('another package gets a copy of the settings of what ran until then, and not those that it once had', async () => {
  const { parts, disk, name, read } = await chosenDevice()
  await prepareStart(parts)
  await writeSlotFile(disk, SYSTEM, { ...(await read()), tries: null, packaged: '0.9.0-0123456789ab' })
  await disk.makeFolder('/packaged')
  await disk.write('/packaged/release.json', releaseOf('1.2.0', 2).bundle.manifestBytes)
  const copied: string[] = []
  const copy = (from: string, to: string) => void copied.push(from, to)

  const start = await prepareStart({ ...parts, settings: { ...parts.settings, copy } })

  assert.equal(start.name, PACKAGED)
  assert.deepEqual(copied, [`${DATA}/settings/${name}`, `${DATA}/settings/${PACKAGED}.part`])
})

test('another package whose settings cannot be copied is not run, and nobody elses are changed', async () => {
  const { parts, disk, name, read } = await chosenDevice()
  await prepareStart(parts)
  await writeSlotFile(disk, SYSTEM, { ...(await read()), tries: null, packaged: '0.9.0-0123456789ab' })
  await disk.makeFolder('/packaged')
  await disk.write('/packaged/release.json', releaseOf('1.2.0', 2).bundle.manifestBytes)

  const start = await prepareStart({ ...parts, settings: { ...parts.settings, copy: noSpace } })

  assert.deepEqual([start.name, start.settings], [name, `${DATA}/settings/${name}`])
  assert.equal((await read()).failed?.version, PACKAGED)
})
