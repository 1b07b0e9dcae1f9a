// The keeper of the media at work: in order first, orders in turn, and a word when there is no room.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { mediaActor } from '../../../actors/media/media-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Listeners } from '../../../machines/listeners.ts'
import type { MediaNews, MediaStore } from '../../../native/media/port.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { until } from '../../support/until.ts'

const full: Fault = { code: 'storage.full', detail: 'there is no room' }

const keeper = (t: TestContext, change: Partial<MediaStore> = {}) => {
  const recorded: Fault[] = []
  const store = {
    isWriting: false,
    news: new Listeners<MediaNews>(),
    reconcile: async () => [] as readonly Fault[] | Fault,
    keepRoom: async (): Promise<Fault | null> => null,
    finishLeft: async () => {},
    carryOut: async ({ name }: { readonly name: string }) => ({ id: name, revision: 7 }),
    ...change,
  }
  const clock = simulatedClock()
  const actor = createActor(mediaActor({ store, record: (fault) => recorded.push(fault), lookEveryMs: 2 }), {
    clock,
  }).start()
  t.after(() => actor.stop())
  return { store, actor, clock, recorded }
}

test('what was mended at the start is recorded, and orders that came meanwhile are carried out then', async (t) => {
  const lost: Fault = { code: 'media.lost', detail: 'it is gone', resource: 'media/a.jpg' }
  const { actor, recorded } = keeper(t, { reconcile: async () => [lost] })
  const early = askNow(actor, { type: 'media.remove', name: 'b.jpg' })
  assert.ok(actor.getSnapshot().matches('reconciling'))
  await untilState(actor, (snapshot) => snapshot.matches('ready'))

  const answer = await askNow(actor, { type: 'media.remove', name: 'a.jpg' })

  const before = await early
  assert.deepEqual(before.outcome === 'done' && before.value, { id: 'b.jpg', revision: 7 })
  assert.deepEqual(recorded, [lost])
  assert.deepEqual(answer.outcome === 'done' && answer.value, { id: 'a.jpg', revision: 7 })
})

test('a folder that cannot be read is said, and tried again', async (t) => {
  let isBroken = true
  const { actor, clock, recorded } = keeper(t, { reconcile: async () => (isBroken ? full : []) })
  const early = await askNow(actor, { type: 'media.remove', name: 'a.jpg' })
  await untilState(actor, (snapshot) => snapshot.matches('unreadable'))
  assert.deepEqual(early.outcome === 'failed' && early.fault, full)
  assert.deepEqual([recorded, actor.getSnapshot().context.fault], [[full], full])

  isBroken = false
  clock.increment(15_000)
  await untilState(actor, (snapshot) => snapshot.matches('ready'))

  assert.equal(actor.getSnapshot().context.fault, null)
})

test('the room is looked at while something is written: a lack of it is told once, and its end', async (t) => {
  let looks = 0
  let fault: Fault | null = full
  const { store, actor, recorded } = keeper(t, {
    keepRoom: async () => {
      looks += 1
      return fault
    },
  })
  await untilState(actor, (snapshot) => snapshot.matches('ready'))
  assert.equal(looks, 0)

  Object.assign(store, { isWriting: true })
  store.news.notify({ name: 'a.mp4', item: null })

  await until('several looks', () => looks > 1)
  assert.deepEqual([recorded, actor.getSnapshot().context.fault], [[full], full])
  fault = null
  Object.assign(store, { isWriting: false })
  await until('its end', () => actor.getSnapshot().context.fault === null)
})

test('what could not be finished is tried again, but not with each look', async (t) => {
  let [looks, tries] = [0, 0]
  const { store, actor } = keeper(t, {
    keepRoom: async () => {
      looks += 1
      return null
    },
    finishLeft: async () => {
      tries += 1
      if (tries === 2) Object.assign(store, { isWriting: false })
    },
  })
  await untilState(actor, (snapshot) => snapshot.matches('ready'))

  Object.assign(store, { isWriting: true })
  store.news.notify({ name: 'a.mp4', item: null })
  await until('two attempts', () => tries === 2)

  assert.equal(looks, 30)
})
