// Disks that take no more, or nothing in time: what a recording makes of them, and that nobody else notices.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import { isFault } from '../../../../machines/errors/fault.ts'
import { loadAddon } from '../../../../native/engine/process/addon.ts'
import { loadLibav, type RecorderEvent } from '../../../../native/engine/process/libav.ts'
import { engineTask, smallCamera, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { boxesOf, complaintsAbout, jpegsOf, noFfmpeg } from '../../../support/media/boxes.ts'
import { failingFile, failSync } from '../../../support/processes/failing-sync.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { smallDisk } from '../../../support/processes/small-disk.ts'
import { arrival, until } from '../../../support/until.ts'

test('a full disk ends a recording behind its last whole fragment, says so, and the camera goes on', async (t) => {
  const disk = smallDisk(t)
  if (!disk) return t.skip('this needs a disk of its own, which only root may mount')
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 30 } })
  await camera.nextResult()
  const path = join(disk, 'front.mp4')
  const elsewhere = join(folderOf(t), 'front.jsonl')
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(100_000)) // not at the end of a page

  const ended = camera.nextEvent('record-ended')
  await Effect.runPromise(camera.engine.startRecording({ path, sidecar_path: elsewhere, stream: 'front' }))
  const event = await ended

  assert.ok(event.type === 'record-ended')
  assert.equal(event.fault.code, 'storage.full')
  assert.match(event.fault.detail, /the storage is full; delete recordings/)
  assert.equal(statSync(path).size, event.progress.bytes)
  const boxes = boxesOf(path)
  const last = boxes.at(-1)
  assert.ok(last && last.start + last.bytes === statSync(path).size, 'no box is cut off')
  assert.ok(jpegsOf(path).length > 0)
  if (!noFfmpeg) assert.equal(complaintsAbout(path), '')
  await camera.nextResult()
  const again = { path: join(folderOf(t), 'again.mp4'), sidecar_path: elsewhere, stream: 'front' }
  await Effect.runPromise(camera.engine.startRecording(again))
  await Effect.runPromise(camera.engine.stopRecording)
})

test('a disk that takes nothing costs recorded pictures, which are counted, and no live one', async (t) => {
  const folder = folderOf(t)
  const pipe = join(folder, 'slow.mp4') // whoever writes to it waits for who reads, who does not
  execFileSync('mkfifo', [pipe])
  const { path: picture } = await tagsFile(t, folder)
  const libav = loadLibav()
  if (isFault(libav)) return t.skip(libav.detail)
  let live = 0
  const stream = new (loadAddon().Stream)((type: string) => {
    if (type === 'result') live += 1
  })
  t.after(() => stream.close())
  const { width_px, height_px } = await stream.open(
    engineTask({ source: { backend: 'images', path: picture, fps: 120 } }),
  )
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const ended = Promise.withResolvers<RecorderEvent>()
  const jpegs = { fps: 120, library: null, max_bits_per_s: 0 }
  const options = { path: pipe, width_px, height_px, fragment_ms: 500, max_queued_bytes: 400_000, ...jpegs }
  const recorder = new libav.Recorder(options, (event) => {
    if (event.type === 'opened') stream.record(recorder.sink)
    else ended.resolve(event)
  })

  await until(
    'pictures without room',
    () => recorder.counts(),
    ({ lost }) => lost > 20,
  )
  const [{ lost, pictures }, liveThen] = [recorder.counts(), live]
  await until(
    'live pictures',
    () => live,
    (now) => now > liveThen + 30,
  )
  const later = recorder.counts()

  assert.ok(later.lost > lost)
  assert.equal(later.pictures, pictures, 'nothing was taken in the meantime')
  stream.record(null)
  closeSync(reader)
  const { type, fault } = await arrival('the end of the recording', ended.promise)
  assert.deepEqual([type, fault?.code], ['failed', 'recording.failed'])
})

test('a disk that loses data ends a recording with what is on it and a fault, and the camera goes on', async (t) => {
  failSync(t)
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const folder = folderOf(t)
  const path = join(folder, failingFile(4))

  const ended = camera.nextEvent('record-ended')
  await Effect.runPromise(
    camera.engine.startRecording({ path, sidecar_path: join(folder, 'front.jsonl'), stream: 'front' }),
  )
  const event = await ended

  assert.ok(event.type === 'record-ended')
  assert.equal(event.fault.code, 'recording.failed')
  assert.match(event.fault.detail, /cannot be written: Input\/output error/)
  assert.equal(statSync(path).size, event.progress.bytes)
  const boxes = boxesOf(path)
  assert.deepEqual(
    boxes.map(({ type }) => type),
    ['ftyp', 'moov', 'moof', 'mdat', 'moof', 'mdat'],
    'the header and the two fragments that had reached it',
  )
  if (!noFfmpeg) assert.equal(complaintsAbout(path), '')
  await camera.nextResult()
})

test('nor is a recording called whole whose loss the disk tells at its very end', async (t) => {
  failSync(t)
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const folder = folderOf(t)
  const path = join(folder, failingFile(1, 1_500)) // long enough for the order to end it to come meanwhile

  await Effect.runPromise(
    camera.engine.startRecording({ path, sidecar_path: join(folder, 'front.jsonl'), stream: 'front' }),
  )
  const fault = await Effect.runPromise(Effect.flip(camera.engine.stopRecording))

  assert.equal(fault.code, 'recording.failed')
  assert.match(fault.detail, /Input\/output error/)
})

test('what records ends though the disk has not yet told how its recordings ended', async (t) => {
  failSync(t)
  const folder = folderOf(t)
  const program = fileURLToPath(new URL('../../../support/engine/worker-that-records.ts', import.meta.url))
  // the first one to be synced takes its time
  const paths = [1, 2, 3].map((n) => join(folder, String(n), failingFile(1, 1_500)))
  for (const path of paths) mkdirSync(dirname(path))

  const said = execFileSync(process.execPath, [program, ...paths], { encoding: 'utf8', timeout: 15_000 })

  assert.equal(said, 'ended\n')
})

test('results that a full disk does not take are counted, and the pictures are recorded all the same', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const path = join(folderOf(t), 'front.mp4')

  await Effect.runPromise(camera.engine.startRecording({ path, sidecar_path: '/dev/full', stream: 'front' }))
  for (let n = 0; n < 20; n++) await camera.nextResult()
  const progress = await Effect.runPromise(camera.engine.stopRecording)

  assert.equal(progress.results, 0)
  assert.ok(progress.results_lost >= 15 && progress.pictures >= 15, JSON.stringify(progress))
})
