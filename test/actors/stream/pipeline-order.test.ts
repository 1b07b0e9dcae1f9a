// The order that gives a stream another pipeline, for good or for a while.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineOrder } from '../../../actors/stream/pipeline-order.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import type { Engine } from '../../../native/engine/port.ts'
import { runnable, tagsAs } from '../../support/engine/graphs.ts'
import { storedStream, streamRuntime } from '../../support/engine/stream-runtime.ts'

test('a stream that was stored again while its engine tried a pipeline does not run that for a while', async () => {
  const manifest = { id: 'front', source: { backend: 'synthetic' } } as const
  const stream = streamRuntime(manifest)
  stream.engine.start({} as Engine, async () => {
    stream.store(storedStream(2, { ...manifest, pipeline: tagsAs('other') }))
    return null
  })

  const change = { runs: runnable(tagsAs('tried')), trial_s: 30, change: () => stream.manifest }
  const order = await pipelineOrder(stream, change, {})

  assert.equal(isFault(order) && order.code, 'revision.stale')
  assert.equal(stream.tried.graph, undefined)
})
