// The sharing of the bandwidth among the streams of a device, look by look.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { bandwidthActor } from '../../../actors/bandwidth/bandwidth-actor.ts'
import { Sharing } from '../../../actors/bandwidth/sharing.ts'
import { endEffects } from '../../../actors/run.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { Listeners } from '../../../machines/listeners.ts'
import type { EngineOpened } from '../../../native/engine/port.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'
import { until } from '../../support/until.ts'

const opened: EngineOpened = {
  width_px: 1280,
  height_px: 800,
  fps: 30,
  pixel_format: 'mjpeg',
  crop: null,
  timestamp_source: 'arrival',
  intrinsics: null,
  layout: { stages: [], outputs: [] },
}

const stream = (id: string, priority = 5): StreamRuntime => {
  const runtime = streamRuntime({ id, priority, source: { backend: 'synthetic' } })
  runtime.engine.opened.set(opened)
  return runtime
}

const asItIs = { max_width_px: 0, quality: 0, overlay: false, fps: 0 }

/** A viewer over the network. bytesAt: of a picture, by the width to which it is made smaller. */
const watchedBy = (runtime: StreamRuntime, bytesAt: (width_px: number) => number, fps = 0) => {
  const watch = runtime.viewers.pictures.watch({ ...asItIs, fps, isMetered: true })
  assert.ok(watch)
  const { key } = watch
  let bytes = 0
  watch.measure(() => {
    const kind = runtime.viewers.pictures.wanted().find((each) => each.key === key)
    const picture_bytes = bytesAt(kind?.max_width_px || opened.width_px)
    bytes += picture_bytes * Math.min(kind?.fps || opened.fps, fps || opened.fps)
    return { bytes, picture_bytes }
  })
  return { ...watch, kind: () => runtime.viewers.pictures.wanted().find((each) => each.key === key) }
}

const cameraBytes = (width_px: number): number => (width_px >= 1280 ? 80_000 : 45_000 * (width_px / 1280) ** 1.6)

/** Looks once a second. */
const sharing = (all: readonly StreamRuntime[], budget_mbit_s: number) => {
  let nowUs = 1e6
  const shared = new Sharing({ streams: { all: () => all }, clock: { monotonicUs: () => nowUs }, budget_mbit_s })
  const look = (times = 1) => {
    for (let n = 0; n < times; n += 1) {
      shared.look()
      nowUs += 1e6
    }
  }
  return { shared, look }
}

test('what is sent settles below the budget, and then stays as it is', () => {
  const front = stream('front')
  const { look } = sharing([front], 4)
  const viewers = [watchedBy(front, cameraBytes), watchedBy(front, cameraBytes)]

  look(8)
  const settled = viewers[0]?.kind()
  const seen = new Set<string>()
  for (let n = 0; n < 30; n += 1) {
    look()
    seen.add(JSON.stringify(viewers[0]?.kind()))
  }

  const { sent_mbit_s = 0, granted_mbit_s = 0, demand_mbit_s = 0 } = front.viewers.bandwidth.value ?? {}
  assert.ok(granted_mbit_s <= 4 && granted_mbit_s > 2.4, `${granted_mbit_s} of 4 Mbit/s are used`)
  assert.ok(sent_mbit_s <= granted_mbit_s && sent_mbit_s > 2)
  assert.ok(demand_mbit_s > 20)
  assert.deepEqual([...seen], [JSON.stringify(settled)])
  assert.ok(settled && settled.fps >= 10 && settled.max_width_px > 320)
})

test('the pictures count of which a robot wants no results', () => {
  const front = stream('front')
  const { look } = sharing([front], 4)
  watchedBy(front, cameraBytes)
  front.robot.live.set({ ...NO_LIVE_CONTROLS, skip: 29 })
  front.meter.fps = () => 1

  look(60)

  assert.equal(front.viewers.bandwidth.value?.previews[0]?.fps, 30)
})

test('the stream of lower priority gives way, and has its picture back when the other is not watched', () => {
  const [driver, rear] = [stream('driver', 10), stream('rear', 2)]
  const { look } = sharing([driver, rear], 30)
  const [important, other] = [watchedBy(driver, cameraBytes), watchedBy(rear, cameraBytes)]

  look(8)
  assert.deepEqual([important.kind()?.fps, important.kind()?.max_width_px], [0, 0])
  assert.ok((other.kind()?.fps ?? 0) > 0)
  const warning = rear.status().warnings.at(-1)
  assert.equal(warning?.code, 'preview.limited')
  assert.match(warning?.detail ?? '', /of 30 pictures a second/)
  assert.deepEqual(driver.status().warnings, [])

  important.release()
  look(4)
  assert.deepEqual([other.kind()?.fps, other.kind()?.max_width_px], [0, 0])
  assert.deepEqual(rear.status().warnings, [])
})

test('a camera that is slow for a moment, on a busy machine, changes nothing', (t) => {
  const front = stream('front')
  const { look } = sharing([front], 4)
  const viewer = watchedBy(front, cameraBytes)
  look(8)
  const settled = JSON.stringify(viewer.kind())
  let looks = 0
  t.mock.method(front.meter, 'fps', () => [30, 11, 24, 9, 30, 13][looks++ % 6])

  for (let n = 0; n < 30; n += 1) {
    look()
    assert.equal(JSON.stringify(viewer.kind()), settled)
  }
})

test('who watches on the device itself is neither counted nor limited', () => {
  const front = stream('front')
  const { look } = sharing([front], 1)
  const here = front.viewers.pictures.watch(asItIs)
  watchedBy(front, cameraBytes)

  look(8)

  const own = front.viewers.pictures.wanted().find(({ key }) => key === here?.key)
  assert.deepEqual([own?.fps, own?.max_width_px], [0, 0])
  assert.equal(front.viewers.bandwidth.value?.previews.length, 1)
})

/** A viewer of H.264. */
const videoOf = (runtime: StreamRuntime, isMetered: boolean) =>
  runtime.viewers.video.watch({ library: 'x' }, { take: ({ bytes }) => bytes.length, ended: () => {}, isMetered })

test('H.264 over the network is taken off before the others share, also that of another stream, and given back', () => {
  const [front, rear] = [stream('front'), stream('rear')]
  const { look } = sharing([front, rear], 4)
  const viewer = watchedBy(front, cameraBytes)
  look(8)
  const before = viewer.kind()

  videoOf(rear, false)
  look(8)
  const withOneHere = viewer.kind()
  const leave = videoOf(rear, true)
  for (let n = 0; n < 8; n += 1) {
    rear.viewers.video.deliver({ captured_us: n, is_key: true, bytes: new Uint8Array(125_000) })
    look()
  }
  const during = viewer.kind()
  const figures = [front.viewers.bandwidth.value, rear.viewers.bandwidth.value]
  leave()
  look(8)

  assert.deepEqual(withOneHere, before)
  assert.ok((during?.max_width_px ?? 0) < (before?.max_width_px ?? 0), JSON.stringify(during))
  assert.ok((figures[0]?.granted_mbit_s ?? 9) <= 4 - 2.14)
  assert.ok((figures[0]?.device_granted_mbit_s ?? 9) <= 4)
  assert.deepEqual([figures[1]?.granted_mbit_s, figures[1]?.sent_mbit_s, figures[1]?.video_viewers], [2.15, 1, 1])
  assert.deepEqual(viewer.kind(), before)
})

test('results that are told over the network are taken off too, with what they take, and given back', () => {
  const [front, rear] = [stream('front'), stream('rear')]
  const { look } = sharing([front, rear], 4)
  const viewer = watchedBy(front, cameraBytes)
  look(8)
  const before = viewer.kind()

  const here = rear.viewers.results.enter(false)
  const told = rear.viewers.results.enter(true)
  for (let n = 0; n < 8; n += 1) {
    here.sent(1_000_000)
    told.sent(250_000)
    look()
  }
  const during = viewer.kind()
  const figures = [front.viewers.bandwidth.value, rear.viewers.bandwidth.value]
  told.leave()
  told.leave()
  look(8)

  assert.ok((during?.max_width_px ?? 0) < (before?.max_width_px ?? 0), JSON.stringify(during))
  assert.deepEqual([figures[1]?.granted_mbit_s, figures[1]?.sent_mbit_s, figures[1]?.result_listeners], [2.12, 2, 1])
  assert.ok((figures[0]?.granted_mbit_s ?? 9) <= 4 - 2.12)
  assert.ok((figures[0]?.device_granted_mbit_s ?? 9) <= 4)
  assert.deepEqual(viewer.kind(), before)
  assert.equal(rear.viewers.bandwidth.value?.result_listeners, 0)
})

test('a viewer who asked for a smaller picture is shown no larger one', () => {
  const front = stream('front')
  const { look } = sharing([front], 0.2)
  const watch = front.viewers.pictures.watch({ ...asItIs, max_width_px: 480, isMetered: true })

  look(4)

  const kind = front.viewers.pictures.wanted().find(({ key }) => key === watch?.key)
  assert.ok(kind && kind.max_width_px < 480 && kind.fps < 10, JSON.stringify(kind))
  assert.equal(front.viewers.bandwidth.value?.previews[0]?.width_px, 480)
})

const started = (t: TestContext, all: StreamRuntime[]) => {
  const changed = new Listeners<void>()
  const streams = { all: () => all, subscribe: (listener: () => void) => changed.add(listener) }
  const clock = { monotonicUs: () => Number(process.hrtime.bigint() / 1000n) }
  const actor = createActor(bandwidthActor({ streams, clock, budget_mbit_s: 2 }))
  actor.subscribe({ error: () => {} })
  const end = () => Effect.runPromise(endEffects(actor))
  t.after(end)
  actor.start()
  return { actor, changed, end }
}

test('sharing begins with the first viewer over the network of any stream, and ends with the last', async (t) => {
  const all = [stream('front')]
  const { actor, changed } = started(t, all)
  assert.equal(actor.getSnapshot().value, 'unused')
  const late = stream('late')
  all.push(late)
  changed.notify()

  const viewer = watchedBy(late, cameraBytes)
  await until('a limit', () => (viewer.kind()?.fps ?? 0) > 0)
  assert.equal(actor.getSnapshot().value, 'sharing')
  viewer.release()

  assert.equal(actor.getSnapshot().value, 'unused')
  await until('no figures', () => late.viewers.bandwidth.value === undefined)
})

test('who watches H.264 is one who watches over the network', async (t) => {
  const front = stream('front')
  const { actor } = started(t, [front])

  videoOf(front, false)
  const withOneHere = actor.getSnapshot().value
  const leave = videoOf(front, true)
  await until('figures', () => front.viewers.bandwidth.value?.video_viewers === 1)
  leave()

  assert.deepEqual([withOneHere, actor.getSnapshot().value], ['unused', 'unused'])
})

test('who is told of results is one who watches over the network', async (t) => {
  const front = stream('front')
  const { actor } = started(t, [front])

  front.viewers.results.enter(false)
  const withOneHere = actor.getSnapshot().value
  const { leave } = front.viewers.results.enter(true)
  await until('figures', () => front.viewers.bandwidth.value?.result_listeners === 1)
  leave()

  assert.deepEqual([withOneHere, actor.getSnapshot().value], ['unused', 'unused'])
})

test('when it ends, nobody is limited any more', async (t) => {
  const front = stream('front')
  const { end } = started(t, [front])
  const viewer = watchedBy(front, cameraBytes)
  await until('a limit', () => (viewer.kind()?.fps ?? 0) > 0)

  await end()

  assert.deepEqual([viewer.kind()?.fps, viewer.kind()?.max_width_px], [0, 0])
})
