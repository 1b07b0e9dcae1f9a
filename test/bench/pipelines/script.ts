// What a script costs for each picture: how long the stream's thread waits for it, as the results say, with the tags of
// a picture and with nothing.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { engineProcesses } from '../../../native/engine/service/engines.ts'
import { engineTask, smallCamera } from '../../support/engine/engine-task.ts'
import type { Measurement } from '../lab/lab.ts'
import { median, quantile, type Row } from '../lab/row.ts'

const FRAMES = 900 // at 60 fps; the first third is for V8 to get warm
const WARM_UP = 300

/** Tags, a script that is given them, and one that is given nothing. */
const graph: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag' },
    {
      id: 'aim',
      type: 'script',
      params: {
        source: 'const step = ({ detections }) => ({ ids: detections.map(({ id }) => id) })',
        timeout_ms: 1000,
      },
    },
    { id: 'idle', type: 'script', params: { source: 'const step = () => {}', timeout_ms: 1000 } },
  ],
  edges: [
    { from: 'source.image', to: 'tags.image' },
    { from: 'tags.detections', to: 'aim.detections' },
  ],
  outputs: [
    { port: 'aimed', from: 'aim.values' },
    { port: 'nothing', from: 'idle.values' },
  ],
}

export const script: Measurement = async (lab): Promise<readonly Row[]> => {
  const scope = Scope.makeUnsafe()
  lab.defer(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const results = new Latest<Result>()
  const sinks = { results, picture: () => {} }
  const engine = await Effect.runPromise(Scope.provide(engineProcesses().spawn('script', sinks), scope))
  const all: Result[] = []
  const enough = Promise.withResolvers<void>()
  results.subscribe((result) => {
    all.push(result)
    if (all.length === FRAMES) enough.resolve()
  })
  await Effect.runPromise(engine.open(engineTask({ ...smallCamera, pipeline: graph })))
  await enough.promise

  const measured = all.slice(WARM_UP)
  return ['aim', 'idle'].map((id) => {
    const us = measured.map(({ layout, data }) => data[RESULT_HEADER.length + layout.stages.indexOf(id)] as number)
    return {
      what: `script that is given ${id === 'aim' ? 'two tags' : 'nothing'}: its stage`,
      unit: 'us',
      measured: median(us),
      low: quantile(us, 0.05),
      high: quantile(us, 0.95),
      from: `${measured.length} pictures, 5th and 95th percentile`,
    }
  })
}
