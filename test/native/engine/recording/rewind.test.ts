// What an engine keeps of its last pictures: how much, for how long, and what becomes of it.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header, type Result } from '../../../../machines/engine/result.ts'
import type { SidecarHead, SidecarRecord } from '../../../../machines/recording/sidecar.ts'
import { monotonicUs } from '../../../../native/clock/system.ts'
import type { RewindKept } from '../../../../native/engine/port.ts'
import { type EngineProbe, smallCamera, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { complaintsAbout, jpegsOf, noFfmpeg } from '../../../support/media/boxes.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { until } from '../../../support/until.ts'

const MEBIBYTE = 1024 * 1024

/** Orders a clip and ends it. meanwhile: what is waited for before its end. */
const clipOf = async (t: TestContext, { engine }: EngineProbe, meanwhile = async () => {}) => {
  const folder = folderOf(t)
  const order = { path: join(folder, 'clip.mp4'), sidecar_path: join(folder, 'clip.jsonl'), stream: 'front' }
  await Effect.runPromise(engine.startRecording({ ...order, rewinds: true }))
  await meanwhile()
  const progress = await Effect.runPromise(engine.stopRecording)
  const lines = readFileSync(order.sidecar_path, 'utf8').trimEnd().split('\n')
  const [head, ...records] = lines.map((line) => JSON.parse(line) as unknown)
  return {
    path: order.path,
    progress,
    jpegs: jpegsOf(order.path),
    head: head as SidecarHead,
    records: records as SidecarRecord[],
  }
}

const moreResults = async (camera: EngineProbe, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await camera.nextResult()
}

/**
 * Waits for results of pictures that were taken after afterUs (CLOCK_MONOTONIC); those that were on their way before do
 * not count.
 */
const resultsSince = async (camera: EngineProbe, afterUs: number, count: number): Promise<void> => {
  for (let seen = 0; seen < count; ) if (header(await camera.nextResult(), 'captured_us') > afterUs) seen++
}

/** CLOCK_MONOTONIC, us. */
const capturedOfLast = ({ results }: EngineProbe): number => header(results.at(-1) as Result, 'captured_us')

/** Addresses that a process has for its data, bytes. */
const dataOf = ({ engine }: EngineProbe): number =>
  1024 * Number(/^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1])

test('a clip holds the pictures from before it was ordered, byte for byte, with their results', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 30 } })
  camera.engine.setRewind(16 * MEBIBYTE) // on a busy machine most pictures have no result
  await moreResults(camera, 30)
  const seen = camera.results.slice(-20).map((result) => header(result, 'captured_us'))

  const { path: clip, progress, jpegs, head, records } = await clipOf(t, camera)

  const file = readFileSync(path)
  assert.ok(jpegs.length >= 20 && jpegs.every((each) => each.equals(file)), `${jpegs.length} pictures`)
  assert.deepEqual([progress.pictures, progress.pictures_lost, progress.results_lost], [jpegs.length, 0, 0])
  const recorded = records.map(({ pts_us }) => head.monotonic_us_of_pts_0 + pts_us)
  assert.deepEqual(
    seen.filter((captured) => !recorded.includes(captured)),
    [],
    'what was seen before the order is in the clip',
  )
  assert.ok(records.every(({ outputs }) => outputs.tags?.length))
  assert.ok(records.every(({ pts_us }, n) => pts_us > (records[n - 1]?.pts_us ?? -1)))
  if (!noFfmpeg) assert.equal(complaintsAbout(clip), '')
})

test('what is kept takes no more than it may, and what is oldest goes first', async (t) => {
  const { path, jpeg } = await tagsFile(t)
  const camera = await startEngine(t)
  const fps = 120
  await camera.open({ source: { backend: 'images', path, fps } })
  camera.engine.setRewind(MEBIBYTE)
  await moreResults(camera, Math.ceil((1.5 * MEBIBYTE) / jpeg.length))

  const orderedUs = monotonicUs()
  const { jpegs, head } = await clipOf(t, camera)

  const kept = jpegs.length * jpeg.length
  const came = 4 + Math.ceil(((monotonicUs() - orderedUs) / 1e6) * fps) // while the file was begun
  assert.ok(kept <= MEBIBYTE + came * jpeg.length && kept >= 0.8 * MEBIBYTE, `${kept} bytes`)
  assert.ok(head.monotonic_us_of_pts_0 > header(camera.results[5] as Result, 'captured_us'))
})

test('the memory is taken when it is wanted, and given back when it is not', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await moreResults(camera, 5)
  const before = dataOf(camera)

  camera.engine.setRewind(64 * MEBIBYTE)
  await moreResults(camera, 5)
  const during = dataOf(camera)
  camera.engine.setRewind(0)
  await moreResults(camera, 5)
  const after = dataOf(camera)

  // Less a little that the engine takes or gives back meanwhile for other things.
  assert.ok(during - before >= 60 * MEBIBYTE, `${during - before} bytes more`)
  assert.ok(during - after >= 60 * MEBIBYTE, `${during - after} bytes less`)
})

test('what was kept outlives an opening of the camera, but not one with pictures of another size', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  camera.engine.setRewind(16 * MEBIBYTE)
  await moreResults(camera, 20)
  await camera.open(smallCamera)
  await moreResults(camera, 2)
  const same = await clipOf(t, camera)
  const seen = capturedOfLast(camera)
  await camera.open({ source: { ...smallCamera.source, backend: 'synthetic', width_px: 320, height_px: 240 } })
  await moreResults(camera, 2)
  const other = await clipOf(t, camera)

  assert.ok(same.jpegs.length >= 20, `${same.jpegs.length} pictures`)
  assert.ok(same.records.length >= 20)
  assert.ok(other.head.monotonic_us_of_pts_0 > seen, `${seen - other.head.monotonic_us_of_pts_0} us before`)
  assert.ok(other.records.every(({ width_px }) => width_px === 320))
})

test('what is kept stays while nothing more is, and is saved, with its results; then it goes on', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  camera.engine.setRewind(16 * MEBIBYTE)
  await moreResults(camera, 30) // the first of them may be on their way already

  camera.engine.setRewind(16 * MEBIBYTE, true)
  await Effect.runPromise(camera.engine.ping)
  await resultsSince(camera, monotonicUs(), 5)
  const pausedUs = capturedOfLast(camera)
  await moreResults(camera, 20)
  const goesOnUs = capturedOfLast(camera)
  const paused = await clipOf(t, camera)
  camera.engine.setRewind(16 * MEBIBYTE)
  await Effect.runPromise(camera.engine.ping)
  await resultsSince(camera, monotonicUs(), 10) // many of before are waiting after a clip was read
  const after = await clipOf(t, camera)

  const timesOf = ({ head, records }: typeof paused) => records.map(({ pts_us }) => head.monotonic_us_of_pts_0 + pts_us)
  for (const clip of [paused, after]) {
    assert.ok(clip.jpegs.length >= 20, `${clip.jpegs.length} pictures`)
    assert.ok(timesOf(clip).filter((us) => us <= pausedUs).length >= 20, 'what was kept before is there')
    assert.deepEqual(
      timesOf(clip).filter((us) => us > pausedUs && us < goesOnUs),
      [],
    )
  }
  assert.ok(timesOf(after).filter((us) => us > goesOnUs).length >= 10)
})

test('a stream that keeps nothing begins with the picture that comes', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await moreResults(camera, 20)
  const seen = capturedOfLast(camera)

  const { jpegs, head } = await clipOf(t, camera, () => moreResults(camera, 3))

  assert.ok(jpegs.length > 0)
  assert.ok(head.monotonic_us_of_pts_0 >= seen, `${seen - head.monotonic_us_of_pts_0} us before the order`)
})

test('an engine tells each second what it keeps, and that it is to keep nothing any more', async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  const told: (RewindKept | null)[] = []
  camera.engine.subscribe((event) => {
    if (event.type === 'rewind') told.push(event.kept)
  })
  await camera.open({ source: { backend: 'images', path, fps: 30 } })
  const sinceUs = monotonicUs()
  camera.engine.setRewind(MEBIBYTE)

  const last = await until(
    'as much as there is room for',
    () => told.at(-1),
    (kept) => (kept?.bytes ?? 0) > 0.8 * MEBIBYTE,
  )
  const toldUs = monotonicUs()
  const { length } = told
  await until('the next', () => told.length > length)
  camera.engine.setRewind(0)
  await until('nothing', () => told.at(-1) === null)

  const { pictures = 0, span_us = 0, bytes = 0 } = last ?? {}
  const { size } = statSync(path)
  assert.deepEqual([told[0]?.pictures, told[0]?.bytes], [0, 0])
  assert.ok(bytes <= MEBIBYTE && pictures * size < bytes, `${pictures} pictures of ${size} in ${bytes}`)
  const isLong = span_us / 1e6 > pictures / 30 - 2 // longer where the engine was held up
  assert.ok(isLong && span_us > 0 && span_us <= toldUs - sinceUs, `${pictures} pictures in ${span_us} µs`)
})
