// Recordings of a real engine process: what lies in the file and beside it, whatever becomes of the camera, the disk
// and the process.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header, type Result } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { SidecarHead, SidecarRecord } from '../../../../machines/recording/sidecar.ts'
import { type EngineProbe, smallCamera, startEngine, tagsFile } from '../../../support/engine/engine-task.ts'
import { boxesOf, complaintsAbout, jpegsOf, noFfmpeg, picturesOf } from '../../../support/media/boxes.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { until } from '../../../support/until.ts'

/** Where a test records to, and the orders to do so. */
const recordingOf = (t: TestContext, { engine }: EngineProbe) => {
  const folder = folderOf(t)
  const path = join(folder, 'front.mp4')
  const sidecar_path = join(folder, 'front.jsonl')
  return {
    path,
    sidecar_path,
    start: () => Effect.runPromise(engine.startRecording({ path, sidecar_path, stream: 'front' })),
    stop: () => Effect.runPromise(engine.stopRecording),
    lines: () => {
      const [head, ...records] = readFileSync(sidecar_path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      return { head: head as SidecarHead, records: records as SidecarRecord[] }
    },
  }
}

const faultOf = (program: Effect.Effect<unknown, Fault>): Promise<Fault> => Effect.runPromise(Effect.flip(program))

const moreResults = async (camera: EngineProbe, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await camera.nextResult()
}

const FRAGMENT_S = 1 / 3

/** Between pictures of which these are the times, us. */
const gapsS = (timesUs: readonly number[]): readonly number[] =>
  timesUs.slice(1).map((us, n) => (us - (timesUs[n] as number)) / 1e6)

test("the camera's own JPEGs are recorded byte for byte, with the results of the frames beside them", async (t) => {
  const { path, jpeg } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 30 } })
  await camera.nextResult()
  const recording = recordingOf(t, camera)
  const before = Date.now()

  await recording.start()
  await moreResults(camera, 45)
  const progress = await recording.stop()

  const jpegs = jpegsOf(recording.path)
  const { head, records } = recording.lines()
  const { epoch_ms, monotonic_us_of_pts_0: firstUs, ...said } = head
  const told = new Map(camera.results.map((result) => [header(result, 'captured_us'), result]))
  assert.ok(jpegs.length >= 40 && jpegs.every((each) => each.equals(jpeg)))
  assert.deepEqual([progress.pictures, progress.pictures_lost, progress.results_lost], [jpegs.length, 0, 0])
  assert.equal(progress.results, records.length)
  assert.deepEqual(said, { stream: 'front', mode: { pixel_format: 'jpeg', width_px: 640, height_px: 400, fps: 30 } })
  assert.ok(epoch_ms >= before - 50 && epoch_ms <= Date.now())
  assert.ok(records.length >= 40)
  for (const { pts_us, seq, outputs } of records) {
    const result = told.get(firstUs + pts_us) as Result | undefined
    if (!result) continue // the control process skipped it, the recording did not
    assert.equal(seq, header(result, 'seq'))
    assert.deepEqual(outputs.tags, rowDocuments(result, 'tags', 'detections'))
    assert.deepEqual(Object.keys(outputs), ['tags', 'tag_poses', 'pose'])
  }
})

test('a fragment is a third of a second or less, and each picture has the time at which it was taken', {
  skip: noFfmpeg,
}, async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const recording = recordingOf(t, camera)

  await recording.start()
  await moreResults(camera, 120)
  const { pictures_lost } = await recording.stop()

  const times = picturesOf(recording.path)
  const { records } = recording.lines()
  const types = boxesOf(recording.path).map(({ type }) => type)
  assert.equal(complaintsAbout(recording.path), '')
  assert.equal(times[0], 0)
  const without = records.filter(({ pts_us }) => !times.includes(pts_us))
  assert.ok(
    without.length <= pictures_lost,
    `${without.length} results without a picture, of which ${pictures_lost} were lost`,
  )
  assert.deepEqual(types.slice(0, 2), ['ftyp', 'moov'])
  const fragments = types.filter((type) => type === 'moof').length
  const seconds = gapsS(times).reduce((sum, gap) => sum + Math.min(gap, FRAGMENT_S), 0)
  assert.ok(fragments >= 2 * seconds - 1 && fragments <= 4 * seconds + 3, `${fragments} fragments in ${seconds} s`)
})

test('a recording goes on when the camera is opened anew', async (t) => {
  const { path, jpeg } = await tagsFile(t)
  const camera = await startEngine(t)
  const source = { backend: 'images', path, fps: 60 } as const
  await camera.open({ source })
  await camera.nextResult()
  const recording = recordingOf(t, camera)

  await recording.start()
  await moreResults(camera, 10)
  await camera.open({
    source,
    pipeline: {
      nodes: [
        { id: 'source', type: 'source' },
        { id: 'found', type: 'apriltag' },
      ],
      edges: [{ from: 'source.image', to: 'found.image' }],
      outputs: [{ port: 'found', from: 'found.detections' }],
    },
  })
  await moreResults(camera, 10)
  const { pictures } = await recording.stop()

  const { records } = recording.lines()
  const ports = records.map(({ outputs }) => Object.keys(outputs).join())
  assert.equal(jpegsOf(recording.path).length, pictures)
  assert.ok(jpegsOf(recording.path).every((each) => each.equals(jpeg)))
  assert.deepEqual([...new Set(ports)], ['tags,tag_poses,pose', 'found'])
  assert.ok(records.every(({ outputs }) => (outputs.tags ?? outputs.found)?.length))
})

test('another size of pictures ends a recording, and says so', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const recording = recordingOf(t, camera)
  await recording.start()
  await moreResults(camera, 5)

  const ended = camera.nextEvent('record-ended')
  await camera.open({ source: { backend: 'synthetic', width_px: 320, height_px: 240 } })

  const event = await ended
  assert.ok(event.type === 'record-ended' && event.fault.code === 'recording.other_size')
  assert.equal(jpegsOf(recording.path).length, event.progress.pictures)
  assert.equal((await faultOf(camera.engine.stopRecording)).code, 'recording.failed')
})

test('an engine that is killed leaves a file that is whole up to its last second', {
  skip: noFfmpeg,
}, async (t) => {
  const { path } = await tagsFile(t)
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'images', path, fps: 60 } })
  await camera.nextResult()
  const recording = recordingOf(t, camera)
  await recording.start()
  await moreResults(camera, 100)

  const gone = camera.nextEvent('exited')
  process.kill(camera.engine.pid, 'SIGKILL')
  await gone

  const times = picturesOf(recording.path)
  const captured = camera.results.map((result) => header(result, 'captured_us'))
  const seconds = (Number(captured.at(-1)) - recording.lines().head.monotonic_us_of_pts_0) / 1e6
  const heldUpS = Math.max(...gapsS(captured)) // a busy machine may have held the whole engine up for so long
  assert.equal(complaintsAbout(recording.path), '')
  assert.ok(seconds - (times.at(-1) ?? 0) / 1e6 <= 1 + heldUpS, `of ${seconds} s there are ${times.at(-1)} us`)
})

test('what cannot be recorded to is said, and the camera goes on', async (t) => {
  const camera = await startEngine(t)
  const recording = recordingOf(t, camera)
  const order = { path: join(recording.path, 'in-a-file.mp4'), sidecar_path: recording.sidecar_path, stream: 'front' }

  assert.match((await faultOf(camera.engine.startRecording(order))).detail, /not open/)
  assert.match((await faultOf(camera.engine.stopRecording)).detail, /records nothing/)
  await camera.open(smallCamera)
  await camera.nextResult()
  const fault = await faultOf(camera.engine.startRecording(order))

  assert.equal(fault.code, 'recording.failed')
  assert.match(fault.detail, /in-a-file\.mp4 cannot be written: No such file or directory/)
  await camera.nextResult()
  await recording.start()
  assert.match((await faultOf(camera.engine.startRecording(order))).detail, /records already/)
  await recording.stop()
  await until('the file', () => boxesOf(recording.path).length > 2)
})
