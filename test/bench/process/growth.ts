// Whether an engine takes more and more memory: its RSS while pictures go through it, some are watched, and its
// pipeline is switched again and again among all templates (but those with steps that workers do: a worker has a heap
// of its own). After a warm-up, growth is the slope of the samples: the median of those of all pairs of them, which a
// heap that is collected now and then, or a few samples at a bad moment, do not move.

import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import { templates } from '../../../machines/pipeline/templates.ts'
import { isWorkerNode } from '../../../machines/pipeline/workers.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { planOf } from '../../support/engine/graphs.ts'
import { runEngine } from '../lab/engine.ts'
import type { Measurement } from '../lab/lab.ts'
import { rssMb } from '../lab/processes.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'
import { eightTagMap, eightTagSource, renderJpegs } from '../lab/scenes.ts'

const FRAMES = 100_000
const SWITCHES = 1_000
const WARM_UP_FRAMES = 20_000
const WARM_UP_SWITCHES = 1_100 // an engine remembers how the results of the last 1,024 plans are laid out
const SAMPLES = 400
const LOOK_MS = 5
const SIZE = { width_px: 240, height_px: 180 } // small, so that so many pass in minutes
const NEAR = { ...eightTagSource.pose, x_m: 2 } as NonNullable<typeof eightTagSource.pose>

const PLANS = templates
  .filter(({ graph }) => !graph.nodes.some(({ type }) => isWorkerNode(type)))
  .map(({ graph }) => planOf(graph))

/**
 * Seen by somebody all the while: the camera's pictures made again with what was found, and the picture that most of
 * the templates give.
 */
const KINDS = ['', 'overlay'].map((output) => ({
  key: `watched ${output}`,
  max_width_px: 0,
  quality: 60,
  overlay: output === '',
  fps: 10,
  ...(output !== '' && { output }),
}))

/** mb: of the engine, when so many results had come. */
interface Sample {
  readonly frames: number
  readonly mb: number
}

export const growth: Measurement = async (lab): Promise<readonly Row[]> => {
  const files = await renderJpegs(lab, {
    manifest: { source: { ...eightTagSource, ...SIZE, pose: NEAR } },
    map: eightTagMap,
    name: 'wall',
    count: 4,
  })
  let frames = -WARM_UP_FRAMES
  let pictures = 0
  const { engine, pid, stop } = await runEngine(lab, {
    manifest: { source: { backend: 'images', path: [...files], fps: 1000, pace: 'lossless' } },
    map: eightTagMap,
    onResult: () => frames++,
    onPicture: () => pictures++,
    kinds: KINDS,
  })

  const samples: Sample[] = []
  let switches = 0
  const begunMs = performance.now()
  while (frames < FRAMES) {
    await delay(LOOK_MS)
    for (; switches < switchesAt(frames); switches++)
      await Effect.runPromise(engine.setPlan(PLANS[switches % PLANS.length] as Plan))
    if (frames < (samples.length * FRAMES) / SAMPLES) continue
    samples.push({ frames, mb: rssMb(pid) })
    if (samples.length % (SAMPLES / 10) === 1) lab.say(`${frames} frames: ${samples.at(-1)?.mb.toFixed(1)} MB`)
  }
  const seconds = (performance.now() - begunMs) / 1000
  await stop()

  const from = oneLine`
    ${FRAMES} frames and ${SWITCHES} switches among ${PLANS.length} pipelines in ${seconds.toFixed(0)} s, ${pictures}
    pictures watched
  `
  const grown = slope(samples) * FRAMES
  const row = rowsOver(samples, from)
  return [
    {
      what: 'growth of an engine (RSS)',
      unit: 'MB',
      figure: { atMost: 1 },
      from,
      measured: grown,
      low: grown,
      high: grown,
    },
    row('  its memory', 'MB', ({ mb }) => mb),
  ]
}

/** How many there are to have been when so many results have come; fewer than 0: before the warm-up is over. */
const switchesAt = (frames: number): number =>
  frames < 0 ? WARM_UP_SWITCHES * (1 + frames / WARM_UP_FRAMES) : WARM_UP_SWITCHES + (SWITCHES * frames) / FRAMES

/** MB per frame. */
const slope = (samples: readonly Sample[]): number =>
  median(samples.flatMap((a, n) => samples.slice(n + 1).map((b) => (b.mb - a.mb) / (b.frames - a.frames))))
