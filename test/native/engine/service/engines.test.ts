import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import { header, RESULT_FIELDS, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { eulerDeg, poseAt } from '../../../../machines/localization/pose.ts'
import { monotonicUs } from '../../../../native/clock/system.ts'
import type { EngineTask } from '../../../../native/engine/port.ts'
import { engineTask, smallCamera, startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { emptyPng, grayPng } from '../../../support/media/png.ts'
import { arrival, until } from '../../../support/until.ts'

const tagIds = (result: Result): number[] => (rowObjects(result, 'tags') ?? []).map((row) => row.id as number).sort()

const faultOf = async <Value>(program: Effect.Effect<Value, Fault>): Promise<Fault> =>
  Effect.runPromise(Effect.flip(program))

/** False for a process that has ended and that nobody has fetched yet, too. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const temporaryFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a camera is opened and its results have the layout that was announced', async (t) => {
  const camera = await startEngine(t)

  const opened = await camera.open(smallCamera)
  const result = await camera.nextResult()

  assert.deepEqual([opened.width_px, opened.height_px, opened.pixel_format], [640, 400, 'gray8'])
  assert.deepEqual(opened.layout.stages, ['source', 'gray', 'tags', 'points', 'tag_poses', 'field_pose'])
  assert.deepEqual(
    opened.layout.outputs.map(({ port }) => port),
    ['tags', 'tag_poses', 'pose', 'truth', 'visible'],
  )
  const last = rowsOf(result, 'visible')
  assert.equal(result.data.length, (last?.offset ?? 0) + (last?.count ?? 0) * (last?.stride ?? 0))
  assert.ok(header(result, 'finished_us') >= header(result, 'started_us'))
  assert.ok(header(result, 'started_us') >= header(result, 'captured_us'))
  assert.ok(result.data.every(Number.isFinite))
})

test('where memory ends, an engine is ended before the service is', async (t) => {
  const { engine } = await startEngine(t)
  const score = (pid: number | string) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'))

  assert.equal(score(engine.pid), 500)
  assert.ok(score(engine.pid) > score('self'))
})

test('a file is read, its tags are found, and its bytes go unchanged to viewers of full quality', async (t) => {
  const { picture, result } = await takePicture(t)
  const path = join(temporaryFolder(t), 'one.jpg')
  writeFileSync(path, picture.jpeg)
  const files = await startEngine(t)

  await files.open({ source: { backend: 'images', path, fps: 30 } })
  files.engine.setPictureKinds([{ key: 'raw', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])
  const found = tagIds(await files.nextResult())
  const passed = await files.nextPicture()

  assert.ok(found.length > 0)
  assert.deepEqual(found, tagIds(result))
  assert.equal(passed.passthrough, true)
  assert.deepEqual(Buffer.from(passed.jpeg), Buffer.from(picture.jpeg))
})

test('pictures that do not loop end after the result of the last one, also when others were skipped', async (t) => {
  const { picture } = await takePicture(t)
  const path = join(temporaryFolder(t), 'one.jpg')
  writeFileSync(path, picture.jpeg)
  const files = await startEngine(t)
  const ended = files.nextEvent('ended')

  await files.open({ source: { backend: 'images', path: Array(20).fill(path), fps: 240, loop: false } })
  await ended

  assert.deepEqual(
    files.events.map(({ type }) => type),
    ['first-frame', 'ended'],
  )
  assert.equal(header(files.results.at(-1) as Result, 'seq'), 19)
})

test('a corrupt picture is reported and the others go on', async (t) => {
  const { picture } = await takePicture(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '1.jpg'), picture.jpeg)
  writeFileSync(join(folder, '2.jpg'), picture.jpeg.subarray(0, picture.jpeg.length / 2))
  const files = await startEngine(t)
  const warned = files.nextEvent('warned')

  await files.open({ source: { backend: 'images', path: folder, fps: 60 } })
  const event = await warned
  const result = await files.nextResult()

  assert.equal(event.type === 'warned' && event.fault.code, 'picture.corrupt')
  assert.match(event.type === 'warned' ? event.fault.detail : '', /2\.jpg/)
  assert.equal(header(result, 'width_px'), 640)
})

test('pictures of another size than the first are counted, each one, and told at most once a second', async (t) => {
  const folder = temporaryFolder(t)
  const sizes = [64, 80, 64, 96, 80]
  for (const [n, width] of sizes.entries()) writeFileSync(join(folder, `${n}.png`), grayPng(width, 48))
  const files = await startEngine(t)
  const ended = files.nextEvent('ended')
  const path = Array.from({ length: 40 }, () => sizes.map((_, n) => join(folder, `${n}.png`))).flat()

  await files.open({ source: { backend: 'images', path, fps: 100, loop: false, pace: 'lossless' } })
  await ended

  const told = files.events.filter((event) => event.type === 'warned')
  const others = files.results.filter((result) => header(result, 'width_px') !== 64).length
  assert.deepEqual([...new Set(told.map(({ fault }) => fault.code))], ['picture.other_size'])
  assert.equal(
    told.reduce((sum, { count }) => sum + count, 0),
    others,
  )
  const [first, last] = [files.results[0] as Result, files.results.at(-1) as Result]
  const playedS = (header(last, 'finished_us') - header(first, 'captured_us')) / 1e6
  // and the first, and the rest
  assert.ok(told.length <= playedS + 3, `${told.length} warnings in ${playedS.toFixed(1)} s`)
  assert.match(told[0]?.fault.detail ?? '', /1\.png has 80x48 pixels, the first picture 64x48/)
  assert.equal(files.events.at(-1)?.type, 'ended', 'what was left to tell came before the end')
})

test('a folder none of whose pictures can be decoded is a fault that names the reason', async (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['a.png', 'b.png', 'c.png']) writeFileSync(join(folder, name), emptyPng(64, 48))
  const files = await startEngine(t)

  for (const loop of [true, false]) {
    const lost = files.nextEvent('lost')
    await files.open({ source: { backend: 'images', path: folder, fps: 100, loop } })
    const event = await lost

    assert.equal(event.type === 'lost' && event.fault.code, 'camera.unreadable')
    assert.match(
      event.type === 'lost' ? event.fault.detail : '',
      /none of the 3 pictures .*[abc]\.png: the picture cannot/,
    )
  }
  assert.equal(files.results.length, 0)
})

test('a camera that is not there is a fault, and the process lives on to open another', async (t) => {
  const camera = await startEngine(t)
  const missing = engineTask({ source: { backend: 'images', path: '/nowhere/at/all' } })

  const fault = await faultOf(camera.engine.open(missing))
  await camera.open(smallCamera)
  await camera.nextResult()

  assert.equal(fault.code, 'camera.missing')
  assert.match(fault.detail, /\/nowhere\/at\/all/)
})

test('a plan that does not hold together is refused by name', async (t) => {
  const camera = await startEngine(t)
  const task = engineTask(smallCamera)
  const [source, ...rest] = task.plan.steps
  assert.ok(source)
  const plan = { ...task.plan, steps: [source, ...rest.map((step) => ({ ...step, inputs: [99] }))] }

  const fault = await faultOf(camera.engine.open({ ...task, plan }))

  assert.equal(fault.code, 'engine.bad_task')
  assert.match(fault.detail, /slot 99/)
})

test('after another opening no result of the camera of before comes any more', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()

  const opened = await camera.open({ source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 60 } })
  const before = camera.results.length
  await camera.nextResult()
  await camera.nextResult()

  const after = camera.results.slice(before)
  assert.ok(after.every((result) => result.layout === after[0]?.layout && header(result, 'width_px') === 320))
  assert.deepEqual(after[0]?.layout, opened.layout)
})

test('pictures are made only while somebody kinds for them', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()
  const unwished = camera.pictures.length

  camera.engine.setPictureKinds([{ key: 'small', max_width_px: 160, quality: 60, overlay: true, fps: 0 }])
  const picture = await camera.nextPicture()
  camera.engine.setPictureKinds([])
  await Effect.runPromise(camera.engine.ping) // the answer comes after everything that was on its way
  const afterwards = camera.pictures.length
  for (let frames = 0; frames < 5; frames++) await camera.nextResult()

  assert.equal(unwished, 0)
  assert.deepEqual([picture.key, picture.width_px, picture.height_px, picture.passthrough], ['small', 160, 100, false])
  assert.deepEqual([...picture.jpeg.subarray(0, 2)], [0xff, 0xd8])
  assert.ok(camera.pictures.length - afterwards <= 1, 'at most the one that was being encoded')
})

test('a kind for fewer pictures a second skips frames', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  camera.engine.setPictureKinds([{ key: 'slow', max_width_px: 160, quality: 60, overlay: false, fps: 10 }])

  const first = await camera.nextPicture()
  const second = await camera.nextPicture()

  const apartMs = (second.captured_us - first.captured_us) / 1000
  assert.ok(apartMs >= 70, `the second picture was captured ${apartMs} ms after the first`)
})

test('the robot stands elsewhere once the mount is told, the camera does not', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  const poseOf = (result: Result, of: 'field_robot_x_m' | 'field_camera_x_m') => {
    const rows = rowsOf(result, 'pose')
    assert.ok(rows && rows.count === 1, 'the still camera sees its tags')
    return poseAt(result.data, rows.offset + RESULT_FIELDS.field_pose.indexOf(of))
  }
  const before = await camera.nextResult()

  camera.engine.setMount({ x_m: 0, y_m: 0, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 })
  await Effect.runPromise(camera.engine.ping)
  await camera.nextResult()
  const after = await camera.nextResult()

  const loweredM = poseOf(after, 'field_camera_x_m').z - poseOf(after, 'field_robot_x_m').z
  assert.ok(Math.abs(poseOf(before, 'field_robot_x_m').z - poseOf(before, 'field_camera_x_m').z) < 1e-6)
  assert.ok(Math.abs(loweredM - 0.4) < 0.02, `the robot is ${loweredM} m below its camera`)
})

test('a synthetic camera has pictures from its true place, and results by its mount from the first on', async (t) => {
  const above = { x_m: 0, y_m: 0, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  const firstOf = async (task: Pick<EngineTask, 'mount' | 'true_mount'>) => {
    const camera = await startEngine(t)
    const next = camera.nextResult()
    await Effect.runPromise(camera.engine.open({ ...engineTask(smallCamera), ...task }))
    const first = await next
    const aboveM = (output: 'truth' | 'pose') => {
      const [row] = rowObjects(first, output) ?? []
      return Number(row?.field_camera_z_m) - Number(row?.field_robot_z_m)
    }
    return { sitsM: aboveM('truth'), foundM: aboveM('pose') }
  }

  const [configured, said] = [await firstOf({ mount: above }), await firstOf({ mount: above, true_mount: null })]

  const isM = (found: number, m: number) => assert.ok(Math.abs(found - m) < 0.02, `${found} m, not ${m}`)
  isM(configured.sitsM, 0.4)
  isM(configured.foundM, 0.4)
  isM(said.sitsM, 0)
  isM(said.foundM, 0.4)
})

test('what a robot sets holds from the next frame on, for the next opening too, until it says otherwise', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  const all = tagIds(await camera.nextResult())
  const [first] = all
  assert.ok(all.length >= 2 && first !== undefined, 'the still camera sees tags')
  const usedIn = (result: Result) => rowObjects(result, 'pose')?.[0]?.tag_count ?? 0
  const nextSuch = (what: string, is: (result: Result) => boolean) =>
    until(what, camera.nextResult, (result) => is(result))

  camera.engine.setLive({ ...NO_LIVE_CONTROLS, localization_ids: [first] })
  const byOne = await nextSuch('a pose by one tag', (result) => usedIn(result) === 1)
  assert.deepEqual(tagIds(byOne), all)

  camera.engine.setLive({ ...NO_LIVE_CONTROLS, skip: 2, window: { x0: 0, y0: 0, x1: 0.01, y1: 0.01 } })
  await nextSuch('nothing in the corner', (result) => tagIds(result).length === 0)
  let seq = header(await camera.nextResult(), 'seq')
  await nextSuch('pictures that are left out', (result) => {
    const step = header(result, 'seq') - seq
    seq += step
    return step >= 3
  })

  await camera.open(smallCamera)
  assert.deepEqual(tagIds(await camera.nextResult()), [])

  camera.engine.setLive(NO_LIVE_CONTROLS)
  const whole = await nextSuch('all tags', (result) => tagIds(result).length === all.length)
  assert.deepEqual(tagIds(whole), all)
})

test('a robot that says its heading is placed by it, and no more once it has been silent', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  const at = (result: Result, field: (typeof RESULT_FIELDS.field_pose)[number]) =>
    rowObjects(result, 'pose')?.[0]?.[field]
  const [, , yaw_deg] = eulerDeg(
    poseAt((await camera.nextResult()).data, rowsOf(await camera.nextResult(), 'truth')?.offset ?? 0),
  )

  const placed = await until(
    'a place by the heading',
    () => {
      camera.engine.setHeading({ at_us: monotonicUs(), yaw_deg: yaw_deg + 720, yaw_rate_dps: 0 })
      return camera.nextResult()
    },
    (result) => at(result, 'has_heading') === 1,
  )
  const silent = await until('a place without it', camera.nextResult, (result) => at(result, 'has_heading') === 0)

  const truth = rowObjects(placed, 'truth')?.[0]
  assert.ok(Math.abs((at(placed, 'heading_field_robot_x_m') ?? 0) - (truth?.field_robot_x_m ?? 9)) < 0.1)
  assert.ok(Math.abs((at(placed, 'heading_field_robot_y_m') ?? 0) - (truth?.field_robot_y_m ?? 9)) < 0.1)
  assert.ok((at(placed, 'heading_std_x_m') ?? 0) > 0)
  assert.equal(at(silent, 'heading_std_x_m'), 0)
})

test('an engine that is killed says so by the name of the signal, and fails what was asked of it', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  const exited = camera.nextEvent('exited')

  process.kill(camera.engine.pid, 'SIGSEGV')
  const event = await exited
  const fault = await faultOf(camera.engine.ping)

  assert.equal(event.type === 'exited' && event.fault.code, 'engine.crashed')
  assert.match(fault.detail, /SIGSEGV/)
})

test('an engine that hangs does not answer a ping, and is ended all the same', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()

  process.kill(camera.engine.pid, 'SIGSTOP')
  const fault = await faultOf(camera.engine.ping)
  await camera.release()

  assert.equal(fault.code, 'engine.hung')
  assert.equal(isRunning(camera.engine.pid), false)
})

test('an engine ends with its scope, in the midst of work and without calling that a crash', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  await camera.nextResult()

  await camera.release()

  assert.equal(isRunning(camera.engine.pid), false)
  assert.ok(!camera.events.some(({ type }) => type === 'exited'))
})

test('an engine ends when the control process is killed', async (t) => {
  const parent = spawn(process.execPath, [fileURLToPath(new URL('parent.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => parent.kill('SIGKILL'))
  const [line] = (await arrival('the pid of the engine', once(parent.stdout, 'data'))) as [Buffer]
  const pid = Number(line)
  const wasRunning = isRunning(pid)

  parent.kill('SIGKILL')

  assert.ok(wasRunning)
  await until(
    'the end of the engine', // nobody who is left could be told of it
    () => isRunning(pid),
    (running) => !running,
  )
})
