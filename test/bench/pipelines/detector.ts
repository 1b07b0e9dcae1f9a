// What a step with a learned model costs beyond the model: the engine runs it on pictures, and between two of them a
// bare loop runs the same model on the same tensor with the same runtime, options and threads, and memory for the
// answer that is there already. One of them at a time and each after the same rest, so that both have the same machine,
// and find the caches as the other left them. Wall time: the step waits for its worker, and both have one thread. The
// step includes the picture's way into the tensor and the objects' out of the answer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InferenceSession } from 'onnxruntime-node'
import { RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { MODEL_FOLDER } from '../../../native/models/folder.ts'
import { openModel } from '../../../native/models/open-model.ts'
import { NO_TELEMETRY } from '../../../native/models/runtime.ts'
import { inputTensor, modelInput, runTrial } from '../../../native/models/trial.ts'
import { blockJpeg } from '../../support/media/block-jpeg.ts'
import { runEngine } from '../lab/engine.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { detectorModel } from './detector-model.ts'

const ROUNDS = 12
const WARM_UP = 20 // pairs
const THREADS = 1
const GREY = 114 // that of the bars beside a picture: so the tensor is known, and the same on both sides

interface Size {
  /** Of what the model takes. */
  readonly sidePx: number
  /** In a round. */
  readonly pairs: number
  /** Slow enough for both, one after the other. */
  readonly fps: number
}

/** The size to which people export models for small machines, and the usual one. */
const SIZES: readonly Size[] = [
  { sidePx: 320, pairs: 30, fps: 15 },
  { sidePx: 640, pairs: 12, fps: 4 },
]

const graphOf = (model: string): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'detect', type: 'object-detector', params: { model, threads: THREADS, timeout_ms: 1000 } },
  ],
  edges: [{ from: 'source.colour', to: 'detect.image' }],
  outputs: [{ port: 'objects', from: 'detect.objects' }],
})

/** us. */
interface Pair {
  readonly step: number
  readonly bare: number
}

/** The runtime alone: how long a run takes, us. */
const bareRuns = async (
  path: string,
  sidePx: number,
): Promise<{ run: () => Promise<number>; end: () => Promise<void> }> => {
  const open = await openModel(path, THREADS)
  const input = modelInput(open, sidePx)
  const numbers = new Float32Array(3 * sidePx * sidePx).fill(GREY / 255)
  const feeds = { [input.name]: inputTensor(input, numbers.buffer) }
  const fetches: InferenceSession.ReturnType = await runTrial(open, input)
  return {
    run: async () => {
      const startedMs = performance.now()
      await open.session.run(feeds, fetches)
      return (performance.now() - startedMs) * 1000
    },
    end: () => open.session.release(),
  }
}

const measured = async (lab: Lab, picture: string, { sidePx, pairs: inRound, fps }: Size): Promise<readonly Row[]> => {
  const model = `bench-${sidePx}.onnx`
  const path = join(lab.folder, model)
  writeFileSync(path, detectorModel(sidePx))
  const bare = await bareRuns(path, sidePx)
  const pairs: Pair[] = []
  const enough = Promise.withResolvers<void>()
  let isBusy = false
  /** A picture that comes while the bare loop is at work is of no pair, and neither is that run. */
  let isDisturbed = false
  const take = async (result: Result): Promise<void> => {
    const step = result.data[RESULT_HEADER.length + result.layout.stages.indexOf('detect')] as number
    isDisturbed = isBusy
    if (isBusy) return
    isBusy = true
    // half way to the next picture, so that both begin after the same rest
    await delay(Math.max(0, 500 / fps - step / 1000))
    const run = await bare.run()
    isBusy = false
    if (!isDisturbed) pairs.push({ step, bare: run })
    if (pairs.length === WARM_UP + ROUNDS * inRound) enough.resolve()
  }
  const source = { backend: 'images', path: picture, fps } as const
  const engine = await runEngine(lab, { manifest: { source, pipeline: graphOf(model) }, onResult: take })
  await enough.promise
  await engine.stop()
  await bare.end()

  const rounds = Array.from({ length: ROUNDS }, (_, n) => {
    const some = pairs.slice(WARM_UP + n * inRound, WARM_UP + (n + 1) * inRound)
    return {
      step_us: median(some.map(({ step }) => step)),
      bare_us: median(some.map((pair) => pair.bare)),
      ratio: median(some.map((pair) => pair.step / pair.bare)),
    }
  })
  lab.say(`${sidePx}: ${rounds.map(({ ratio }) => ratio.toFixed(3)).join(', ')}`)
  const row = rowsOver(rounds, `${ROUNDS} rounds of ${inRound} pictures of 640x480, turn about`)
  return [
    row(
      `object detector: the step against the bare runtime on the same model and tensor, a model of ${sidePx}x${sidePx}`,
      '',
      ({ ratio }) => ratio,
      { atMost: 1.1 },
    ),
    row('  the step', 'us', ({ step_us }) => step_us),
    row('  the bare runtime', 'us', ({ bare_us }) => bare_us),
  ]
}

export const detector: Measurement = async (lab): Promise<readonly Row[]> => {
  const picture = join(lab.folder, 'picture.jpg')
  writeFileSync(
    picture,
    blockJpeg(80, 60, () => [GREY, GREY, GREY]),
  )
  Object.assign(process.env, NO_TELEMETRY, { [MODEL_FOLDER]: lab.folder })
  const rows: Row[] = []
  for (const size of SIZES) rows.push(...(await measured(lab, picture, size)))
  return rows
}
