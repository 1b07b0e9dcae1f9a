// What the client of an engine sends for each of its methods, and what it makes of the answers. No process is the point
// here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { LIMITS } from '../../../../machines/engine/health.ts'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { Latest } from '../../../../machines/latest.ts'
import { ORDERS, type Order } from '../../../../native/engine/protocol/orders.ts'
import type { Report } from '../../../../native/engine/protocol/reports.ts'
import { engineClient } from '../../../../native/engine/service/client.ts'
import { Conversation } from '../../../../native/engine/service/conversation.ts'
import { engineTask, smallCamera } from '../../../support/engine/engine-task.ts'

const task = engineTask(smallCamera)
const layout = { stages: ['source'], outputs: [], labels: [] }
const opened = { width_px: 640, height_px: 400, fps: 60 }
const pulse = { is_busy: false, steps_done: 7 }
const outcome = { requested: 7, applied: 7, ok: true, code: null, why: null }
const progress = { pictures: 1, pictures_lost: 0, results: 1, results_lost: 0, bytes: 9, duration_us: 0, first_us: 7 }

/** What an engine says to the orders that are answered, but for their numbers. */
const ANSWERS: Readonly<Record<string, object>> = {
  open: { type: 'opened', opened, plan: 1, layout },
  plan: { type: 'planned', plan: 2, layout },
  ping: { type: 'answer', value: pulse },
  controls: { type: 'answer', value: [] },
  'set-control': { type: 'answer', value: outcome },
  'record-start': { type: 'answer' },
  'record-stop': { type: 'answer', value: progress },
}

/** A client whose engine answers as `answers` says, and the orders that it was given. */
const startClient = (answers: Readonly<Record<string, object>> = ANSWERS) => {
  const orders: Order[] = []
  const conversation = new Conversation({ results: new Latest(), picture: () => {} })
  const child = {
    pid: process.pid,
    gone: Effect.never,
    kill: () => assert.fail('it was ended'),
    send: (order: Order) => {
      orders.push(order)
      if (!('ask' in order)) return
      const report = { ...answers[order.type], ask: order.ask } as Report
      queueMicrotask(() => conversation.report(report, undefined, false))
    },
  }
  return { orders, engine: engineClient(child, conversation, LIMITS) }
}

test('each method gives its order, with what it was told and nothing else', async () => {
  const { orders, engine } = startClient()
  const mount = { x_m: 0, y_m: 0, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  const kind = { key: 'a', max_width_px: 160, quality: 60, overlay: false, fps: 0 }
  const heading = { at_us: 5, yaw_deg: 1, yaw_rate_dps: 0 }
  const recording = { path: 'a.mp4', sidecar_path: 'a.jsonl', stream: 'front' }

  const found = await Effect.runPromise(engine.open(task))
  await Effect.runPromise(engine.setPlan(task.plan))
  await Effect.runPromise(engine.tryPlan(task.plan))
  await Effect.runPromise(engine.ping)
  assert.deepEqual(await Effect.runPromise(engine.controls), [])
  assert.deepEqual(await Effect.runPromise(engine.setControl(9, 7)), outcome)
  await Effect.runPromise(engine.startRecording(recording))
  assert.deepEqual(await Effect.runPromise(engine.stopRecording), progress)
  engine.setParams([{ id: 'tags', params: { quad: 1 } }])
  engine.setPictureKinds([kind])
  engine.setMount(mount)
  engine.setLive(NO_LIVE_CONTROLS)
  engine.setHeading(heading)
  engine.setSourceClock(null)
  engine.setVideo({ library: 'libx264', max_fps: null })
  engine.wantVideoKey()
  engine.setRewind(1000)
  engine.setRewind(0, true)

  assert.deepEqual(found, { ...opened, layout: { stages: ['source'], outputs: [] } })
  const pings = orders.filter(({ type }) => type === 'ping').length
  assert.deepEqual(
    orders.filter(({ type }) => type !== 'ping'),
    [
      { type: 'open', ask: 1, task },
      { type: 'plan', ask: 2, plan: task.plan },
      { type: 'plan', ask: 3, plan: task.plan, is_trial: true },
      { type: 'controls', ask: 4 + pings },
      { type: 'set-control', ask: 5 + pings, id: 9, value: 7 },
      { type: 'record-start', ask: 6 + pings, ...recording },
      { type: 'record-stop', ask: 7 + pings },
      { type: 'params', steps: [{ id: 'tags', params: { quad: 1 } }] },
      { type: 'picture-kinds', kinds: [kind] },
      { type: 'mount', mount },
      { type: 'live', live: NO_LIVE_CONTROLS },
      { type: 'heading', heading },
      { type: 'source-clock', clock: null },
      { type: 'video', wanted: { library: 'libx264', max_fps: null } },
      { type: 'video-key' },
      { type: 'rewind', max_bytes: 1000, is_paused: false },
      { type: 'rewind', max_bytes: 0, is_paused: true },
    ],
  )
  assert.ok(pings > 0)
  const unsaid = Object.keys(ORDERS).filter((name) => !orders.some(({ type }) => type === name))
  assert.deepEqual(unsaid, ['viewer-start', 'viewer-drop', 'placeholder'], 'those of the viewer hand-over')
})

test('an answer that is none to what was asked is a fault, and no value', async () => {
  const wrong: readonly unknown[] = [null, 7, 'x', {}, [{}], { is_busy: 1, steps_done: 1 }, { ...progress, bytes: '9' }]

  for (const value of wrong) {
    const answer = { type: 'answer', value }
    const { engine } = startClient(Object.fromEntries(Object.keys(ANSWERS).map((name) => [name, answer])))
    for (const asked of [
      engine.open(task),
      engine.setPlan(task.plan),
      engine.ping,
      engine.controls,
      engine.setControl(9, 7),
      engine.startRecording({ path: 'a', sidecar_path: 'b', stream: 'c' }),
      engine.stopRecording,
    ]) {
      const fault = await Effect.runPromise(Effect.flip(asked as Effect.Effect<unknown, { readonly code: string }>))
      assert.equal(fault.code, 'engine.failed', JSON.stringify(value))
    }
  }
})
