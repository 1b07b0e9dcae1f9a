// What a switch of pipelines costs at 60 pictures a second: how soon the new one gives its first result, how many pictures have none, and whether who watches
// misses any. Beside it, over about as many pictures, the same without a switch: what is missing there, the machine has taken.
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import { header, type Result } from '../../machines/engine/result.ts'
import { defaultGraph, type GraphDocument, type Plan } from '../../machines/pipeline/graph.ts'
import { planGraph } from '../../machines/pipeline/plan.ts'
import { runEngine } from './engine.ts'
import type { Measurement } from './lab.ts'
import { quantile, type Row } from './row.ts'
import { eightTagMap, eightTagSource, renderJpegs } from './scenes.ts'

const FPS = 60
const SWITCHES = 200
const LEAST_MS = 100
const MORE_MS = 97 // waits of all lengths, so that no switch is in step with the camera
const FRAMES = 600
const SIZE = { width_px: 640, height_px: 480 }

/** Two pipelines that share no table: another decimation makes another detector. */
const tagsAlone: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag', params: { decimate: 3 } },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}

export const switching: Measurement = async (lab) => {
  const files = await renderJpegs(lab, {
    ...{ manifest: { source: { ...eightTagSource, ...SIZE } }, map: eightTagMap, name: 'wall', count: 4 },
  })
  const results = new Gaps()
  const pictures = new Gaps()
  let awaited: { plan: number; found: (seq: number) => void } | undefined
  const onResult = (result: Result) => {
    const [seq, plan] = [header(result, 'seq'), header(result, 'plan')]
    results.saw(seq)
    if (awaited && plan > awaited.plan) awaited.found(seq)
  }
  const { engine, stop } = await runEngine(lab, {
    manifest: { source: { backend: 'images', path: [...files], fps: FPS } },
    ...{ map: eightTagMap, onResult, onPicture: ({ seq }) => pictures.saw(seq) },
    kinds: [{ key: 'all', max_width_px: 0, quality: 0, overlay: false, fps: 0 }],
  })
  const plans = [tagsAlone, defaultGraph].map(planOf)
  await delay(1000)

  results.begin()
  pictures.begin()
  const late: number[] = []
  for (let n = 0; n < SWITCHES; n++) {
    await delay(LEAST_MS + ((n * 37) % MORE_MS))
    const first = new Promise<number>((found) => {
      awaited = { plan: n + 1, found }
    })
    await Effect.runPromise(engine.setPlan(plans[n % 2] as Plan))
    const made = results.newest // everything after this could be of the new one
    late.push((await first) - made)
    awaited = undefined
  }
  const [withSwitches, seenMeanwhile] = [results.found(), pictures.found()]
  lab.say(`${SWITCHES} switches done`)

  results.begin()
  pictures.begin()
  while (results.found().frames < FRAMES) await delay(500)
  const [without, seenThen] = [results.found(), pictures.found()]
  await stop()

  const from = `${SWITCHES} switches, ${withSwitches.frames} pictures`
  const one = (what: string, measured: number, of: string, figure?: number): Row => ({
    ...{ what, unit: '', measured, low: measured, high: measured, from: of },
    ...(figure !== undefined && { figure: { atMost: figure } }),
  })
  return [
    one('switch: pictures until the first result of the new pipeline, most', Math.max(...late), from, 2),
    one('switch: the same, p50', quantile(late, 0.5), from),
    one('switch: pictures in a row without a result, most', withSwitches.most, from, 2),
    one('switch: pictures without a result in 1,000', share(withSwitches), from),
    one('switch: the same without a switch', share(without), `${without.frames} pictures`),
    one('switch: pictures that a viewer missed in 1,000', share(seenMeanwhile), from),
    one('switch: the same without a switch', share(seenThen), `${seenThen.frames} pictures`),
  ]
}

const share = ({ missing, frames }: Found): number => (1000 * missing) / frames

const planOf = (graph: GraphDocument): Plan => {
  const planned = planGraph(graph)
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors))
  return planned.plan
}

interface Found {
  readonly frames: number
  readonly missing: number
  readonly most: number
}

/** Which numbers are missing of those that come in order. */
class Gaps {
  newest = -1
  #first = -1
  #missing = 0
  #most = 0

  begin(): void {
    this.#first = this.newest
    this.#missing = 0
    this.#most = 0
  }

  saw(seq: number): void {
    const gap = this.newest < 0 ? 0 : seq - this.newest - 1
    this.#missing += gap
    this.#most = Math.max(this.#most, gap)
    this.newest = seq
  }

  found(): Found {
    return { frames: this.newest - this.#first, missing: this.#missing, most: this.#most }
  }
}
