// Real engines that are slow, and engines that hang: the first live on, the second are ended.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { LIMITS } from '../../../../machines/engine/health.ts'
import { header } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { replaceDetector, WIDTHS } from '../../../support/engine/detector.ts'
import { type EngineProbe, graphWithTags, startEngine } from '../../../support/engine/engine-task.ts'
import { grayPng } from '../../../support/media/png.ts'
import { keepCoreBusy } from '../../../support/processes/busy.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { until } from '../../../support/until.ts'

/** Pictures of these widths, in this order. */
const pictures = (t: TestContext, widths: readonly number[]): string[] => {
  const folder = folderOf(t)
  return widths.map((width, n) => {
    const path = join(folder, `${n}.png`)
    writeFileSync(path, grayPng(width, 64))
    return path
  })
}

const MAX_MS = 300_000 // for 1.5 s of computing on a machine that gives a twentieth of a processor

const ping = (files: EngineProbe): Promise<void> => Effect.runPromise(files.engine.ping)

/** Asks until the answer is a fault. */
const faultOfPings = async (files: EngineProbe): Promise<Fault> => {
  const ask = () =>
    Effect.runPromise(Effect.match(files.engine.ping, { onSuccess: () => undefined, onFailure: (fault) => fault }))
  return (await until('a fault of an engine that hangs', ask)) as Fault
}

/** CPU time of an engine so far, in the hundredths of a second in which the kernel counts it. */
const cpuTicks = ({ engine }: EngineProbe): number => {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${engine.pid}/stat`, 'utf8')
    .replace(/^.*\) /, 'x ')
    .split(' ')
  return Number(user) + Number(system)
}

const busy = { backend: 'images', fps: 10 } as const

/** What is replaced is libapriltag. */
const pipeline = graphWithTags({ engine: 'reference' })

test('a picture that takes too long costs that picture, is told, and the next one is taken', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t)
  const path = pictures(t, [64, WIDTHS.computesFor4s, 65, 66])

  await files.open({ pipeline, source: { ...busy, path } })
  const { type, ...warning } = await files.nextEvent('warned')
  await files.nextResult()

  assert.match(JSON.stringify(warning), /picture\.too_slow.*1\.png.*step tags/)
  assert.ok(!files.results.some((result) => header(result, 'width_px') === WIDTHS.computesFor4s))
  assert.ok(files.results.some((result) => header(result, 'seq') > 1))
  assert.ok(header(files.results.at(-1) as never, 'skipped') >= 1)
  await ping(files)
})

test('without loss, a picture has as much time as it takes', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t)
  const ended = files.nextEvent('ended')

  const path = pictures(t, [64, WIDTHS.computesFor4s, 65])
  await files.open({ pipeline, source: { ...busy, path, pace: 'lossless', loop: false } })
  await ended

  assert.deepEqual(
    files.results.map((result) => header(result, 'width_px')),
    [64, WIDTHS.computesFor4s, 65],
  )
})

test('an engine in the midst of a long computation answers that it turns', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t)
  await files.open({ pipeline, source: { ...busy, path: pictures(t, [WIDTHS.computesForEver]) } })
  const atOpening = cpuTicks(files)
  await until('half a second of computing', () => cpuTicks(files) > atOpening + 50)

  await ping(files)
  await ping(files)

  assert.ok(!files.events.some(({ type }) => type === 'exited'))
})

test('a step that computes without end is ended once it has had its time', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t, { ...LIMITS, step: { ...LIMITS.step, busyMs: 1_500 } })
  await files.open({ pipeline, source: { ...busy, path: pictures(t, [WIDTHS.computesForEver]) } })
  const exited = files.nextEvent('exited')

  const fault = await faultOfPings(files)
  await exited

  assert.equal(fault.code, 'engine.hung')
  assert.match(fault.detail, /pipeline .* computed for \d\.\d s/)
})

test('a step that stands still is ended, though the engine answers', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t)
  await files.open({ pipeline, source: { ...busy, path: pictures(t, [WIDTHS.standsStill]) } })
  const exited = files.nextEvent('exited')

  const fault = await faultOfPings(files)
  await exited

  assert.equal(fault.code, 'engine.hung')
  assert.match(fault.detail, /pipeline .* stood still for 2\.\d s/)
})

test('an engine that shares a core with four busy processes is slow, and never taken for hung', async (t) => {
  replaceDetector(t)
  const files = await startEngine(t)
  await files.open({ pipeline, source: { ...busy, path: pictures(t, [WIDTHS.computesFor1500ms]) } })
  keepCoreBusy(t, [files.engine.pid])

  let pings = 0
  const look = async () => {
    await ping(files)
    pings += 1
    return files.results.length
  }
  await until('the result', look, Boolean, MAX_MS)

  t.diagnostic(`${pings} pings while a picture took its time`)
  assert.ok(!files.events.some(({ type }) => type === 'exited' || type === 'warned'))
})
