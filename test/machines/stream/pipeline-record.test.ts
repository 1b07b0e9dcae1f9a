import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { PipelineRecord } from '../../../machines/stream/pipeline-record.ts'
import { sourceAlone } from '../../../machines/stream/what-runs.ts'
import { runnable, tagsAs } from '../../support/engine/graphs.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

const { value: manifest } = storedStream(1, { id: 'front', source: { backend: 'images', path: '/pictures' } })
const withOutput = (port: string) => ({ ...manifest, pipeline: runnable(tagsAs(port)).graph })
const [near, far] = [withOutput('near'), withOutput('far')]
const crash: Fault = { code: 'engine.crashed', detail: 'It stopped (SIGSEGV).' }

/** An engine that begins with a pipeline, and ends. */
const endedWith = (record: PipelineRecord, what: typeof manifest, times = 1) => {
  for (let n = 0; n < times; n++) {
    record.engineStarted()
    record.begins(what)
    record.runs(what)
    record.engineLost(crash)
  }
}

test('what ends three engines soon after it began is left alone; what ends two is begun again', () => {
  const record = new PipelineRecord(() => 0)

  endedWith(record, near, 2)
  assert.equal(record.objection(near), undefined)
  endedWith(record, near)

  assert.equal(record.objection(near)?.code, 'pipeline.refused')
  assert.match(record.objection(near)?.detail ?? '', /The last time: It stopped \(SIGSEGV\)\.$/)
  assert.equal(record.objection(far), undefined)
})

test('so is what ends engines that are about to make it', () => {
  const record = new PipelineRecord(() => 0)

  for (let n = 0; n < 3; n++) {
    record.engineStarted()
    record.begins(near)
    record.engineLost(crash)
  }

  assert.ok(record.objection(near))
})

test('what has run well for a while is not to blame for an engine that ends, that day', () => {
  const record = new PipelineRecord(() => 0)
  record.begins(near)
  record.runs(near)
  record.runsWell()

  endedWith(record, near, 5)

  assert.equal(record.objection(near), undefined)
})

test('one trial that ends an engine is enough; what was tried beside it is not to blame at once', () => {
  const record = new PipelineRecord(() => 0)
  record.begins(manifest)
  record.runs(manifest)

  record.tries(near)
  record.engineLost(crash)
  assert.ok(record.objection(near))
  record.engineStarted()
  record.tries(manifest)
  const done = record.tries(far)
  record.engineLost(crash)

  assert.deepEqual([record.objection(far), record.objection(manifest)], [undefined, undefined])
  done()
})

test('what the engine has tried, or refused, is forgotten when it ends later', () => {
  const record = new PipelineRecord(() => 0)
  record.begins(manifest)
  record.runs(manifest)
  record.runsWell()

  record.tries(near)()
  for (let n = 0; n < 3; n++) {
    record.begins(far)
    record.refused()
    record.engineLost(crash)
  }

  assert.deepEqual([record.objection(near), record.objection(far)], [undefined, undefined])
})

test('the pipeline of before is the last that ran without ending its engine, and another one', () => {
  const record = new PipelineRecord(() => 0)
  assert.equal(record.previous(near), undefined)
  record.begins(manifest)
  record.runs(manifest)

  record.begins(near)
  record.runs(near)
  endedWith(record, near, 3)

  assert.equal(record.previous(near), manifest.pipeline)
  assert.equal(record.previous(manifest), undefined)
})

test('an engine that ends with the source alone would end with any pipeline, and the wanted one is begun again', () => {
  const record = new PipelineRecord(() => 0)
  endedWith(record, near, 3)

  endedWith(record, { ...manifest, pipeline: sourceAlone })

  assert.equal(record.objection(near), undefined)
})

test('another camera, a trial that somebody asked for and a pardon let it be begun again', () => {
  const guilty = () => {
    const record = new PipelineRecord(() => 0)
    endedWith(record, near, 3)
    return record
  }
  const [passed, pardoned] = [guilty(), guilty()]
  passed.passed(near)
  pardoned.forgive()

  assert.equal(guilty().objection({ ...near, crop: { x_px: 0, y_px: 0, width_px: 64, height_px: 64 } }), undefined)
  assert.ok(guilty().objection({ ...near, alias: 'Another name' }))
  assert.deepEqual([passed.objection(near), pardoned.objection(near)], [undefined, undefined])
})

test('a failed pipeline is tried again after a minute, then after twice as long, at most ten minutes', () => {
  let nowMs = 0
  const record = new PipelineRecord(() => nowMs)
  const alone: number[] = []

  endedWith(record, near, 3)
  for (let n = 0; n < 6; n++) {
    const fromMs = nowMs
    while (record.objection(near)) nowMs += 1000
    alone.push((nowMs - fromMs) / 60_000)
    endedWith(record, near)
  }
  assert.deepEqual(alone, [1, 2, 4, 8, 10, 10])
  assert.match(record.objection(near)?.detail ?? '', /left alone for 10 min/)

  while (record.objection(near)) nowMs += 1000
  record.engineStarted()
  record.begins(near)
  record.runs(near)
  record.runsWell()
  endedWith(record, near, 5)
  assert.equal(record.objection(near), undefined)
})
