// What a switch of pipelines costs at 60 pictures a second: how many pictures are taken until the first result of the
// new one, how many have none, and whether who watches misses any. Beside it, over about as many pictures, the same
// without a switch: what is missing there, the machine has taken. Pictures are counted by when they were taken, from
// the order to the engine and from its answer; then the same from a request over HTTP and from its answer, of the whole
// service.
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import { header, type Result } from '../../../machines/engine/result.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import { monotonicUs } from '../../../native/clock/system.ts'
import { planOf } from '../../support/engine/graphs.ts'
import { Captures, type Found, Gaps } from '../lab/captures.ts'
import { runEngine } from '../lab/engine.ts'
import type { Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { eightTagMap } from '../lab/scenes.ts'
import { GRAPHS, picturesUntil, waitMs, wall } from './switching-graphs.ts'
import { switchedOverHttp } from './switching-http.ts'

const SWITCHES = 200
const FRAMES = 600

const PLANS = GRAPHS.map(planOf)

export const switching: Measurement = async (lab) => {
  const source = await wall(lab)
  const captures = new Captures()
  const [results, pictures] = [new Gaps(), new Gaps()]
  let awaited: { plan: number; found: (seq: number) => void } | undefined
  const onResult = (result: Result) => {
    const [seq, plan] = [header(result, 'seq'), header(result, 'plan')]
    results.saw(seq)
    captures.saw(seq, header(result, 'captured_us'))
    if (awaited && plan > awaited.plan) awaited.found(seq)
  }
  const { engine, stop } = await runEngine(lab, {
    manifest: { source },
    map: eightTagMap,
    onResult,
    onPicture: ({ seq, captured_us }) => {
      pictures.saw(seq)
      captures.saw(seq, captured_us)
    },
    kinds: [{ key: 'all', max_width_px: 0, quality: 0, overlay: false, fps: 0 }],
  })
  await delay(1000)

  results.begin()
  pictures.begin()
  const fromOrder: number[] = []
  const fromAnswer: number[] = []
  for (let n = 0; n < SWITCHES; n++) {
    await delay(waitMs(n))
    const first = new Promise<number>((found) => {
      awaited = { plan: n + 1, found }
    })
    const orderedUs = monotonicUs()
    await Effect.runPromise(engine.setPlan(PLANS[n % 2] as Plan))
    const answeredUs = monotonicUs()
    const seq = await first
    awaited = undefined
    fromOrder.push(captures.between(orderedUs, seq))
    fromAnswer.push(captures.between(answeredUs, seq))
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
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from: of,
    ...(figure !== undefined && { figure: { atMost: figure } }),
  })
  return [
    one('switch: pictures in a row without a result, most', withSwitches.most, from, 2),
    one('  the same without a switch', without.most, `${without.frames} pictures`),
    ...picturesUntil(
      "switch: pictures from the engine's answer to the first result of the new pipeline",
      fromAnswer,
      from,
      2,
    ),
    ...picturesUntil('switch: pictures from the order to the engine to that result', fromOrder, from),
    one('switch: pictures without a result in 1,000', share(withSwitches), from),
    one('  the same without a switch', share(without), `${without.frames} pictures`),
    one('switch: pictures in 1,000 that a viewer missed', share(seenMeanwhile), from),
    one('  the same without a switch', share(seenThen), `${seenThen.frames} pictures`),
    one('  what he missed for the switches', Math.max(0, share(seenMeanwhile) - share(seenThen)), from, 0),
    ...(await switchedOverHttp(lab, source)),
  ]
}

const share = ({ missing, frames }: Found): number => (1000 * missing) / frames
