// The lights as a machine: no claim is lost in any state, orders are answered once, and heat is above everybody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActor, fromPromise } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Claim } from '../../../machines/lighting/claims.ts'
import { lightingMachine, type Search } from '../../../machines/lighting/lighting-machine.ts'
import { claimOf } from '../../support/lighting/claims.ts'
import { repliesIn, type Step, walk } from '../../support/walk.ts'

const person = claimOf('person', { until_ms: 500 })
const robot = claimOf('robot:front', { kind: 'robot', priority: 50 })
const fault: Fault = { code: 'device.failed', detail: 'the bus hangs' }

const claimsOf = ({ context }: Step['snapshot']): readonly Claim[] => context.claims
const paramsOf = (actions: Step['actions'], type: string) =>
  actions.filter((each) => each.type === type).map(({ params }) => params)

test('whoever wants light is kept in every state, each order is answered once, and what is shown is told', () => {
  let refusals = 0

  walk(lightingMachine, {
    input: { claims: [] },
    samples: [
      { type: 'lighting.claim', ask: 1, claims: [person] },
      { type: 'lighting.release', ask: 2, owner: 'person', group: null, groups: ['ring', 'left'] },
      { type: 'lighting.release', ask: 3, owner: 'person', group: 'ring', groups: ['ring', 'left'] },
      { type: 'claim.made', claim: robot },
      { type: 'claim.ended', owner: robot.owner },
      { type: 'time.passed', now_ms: 600 },
      { type: 'xstate.done.actor.findOutputs', output: { isAnyThere: true, detail: '' } },
      { type: 'xstate.done.actor.findOutputs', output: { isAnyThere: false, detail: 'nothing there' } },
      { type: 'xstate.error.actor.findOutputs', error: fault },
      { type: 'xstate.error.actor.holdOutputs', error: fault },
    ],
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      const isOrder = event.type === 'lighting.claim' || event.type === 'lighting.release'
      assert.equal(replies.length, isOrder ? 1 : 0)
      refusals += replies.filter(({ outcome }) => outcome === 'refused').length
      const owners = claimsOf(snapshot).map(({ owner }) => owner)
      if (event.type === 'claim.made') assert.ok(owners.includes(robot.owner), 'in whatever state')
      if (event.type === 'claim.ended') assert.ok(!owners.includes(robot.owner))
      if (event.type === 'time.passed') assert.ok(!owners.includes('person'), 'its time is over')
      const told = paramsOf(actions, 'applyClaims')
      if (before && claimsOf(before) !== claimsOf(snapshot)) assert.deepEqual(told.at(-1), claimsOf(snapshot))
      const cuts = paramsOf(actions, 'applyCut')
      if (snapshot.matches({ lit: 'cut' }) && !before?.matches({ lit: 'cut' })) assert.equal(cuts.at(-1), true)
      if (before?.matches({ lit: 'cut' }) && !snapshot.matches({ lit: 'cut' })) assert.equal(cuts.at(-1), false)
    },
  })

  assert.ok(refusals >= 2, 'where nothing lights an order is refused')
})

/** The machine with effects that never answer but what is given. */
const started = (find: () => Promise<Search>) => {
  const never = fromPromise<never, void>(() => new Promise(() => {}))
  const actor = createActor(
    lightingMachine.provide({
      actors: {
        findOutputs: fromPromise<Search, void>(find),
        holdOutputs: never,
        watchDevice: never,
        watchHeat: never,
      },
    }),
    { input: { claims: [] } },
  )
  actor.start()
  return actor
}

test('where nothing lights an order is refused with what was looked for, and the service is well', async (t) => {
  const actor = started(async () => ({ isAnyThere: false, detail: 'Nothing lights: looked for LEDs.' }))
  t.after(() => actor.stop())
  const replies: unknown[] = []
  actor.on('reply', (reply) => replies.push(reply))
  await new Promise(setImmediate)

  actor.send({ type: 'lighting.claim', ask: 7, claims: [person] })

  const fault = { code: 'lighting.none', detail: 'Nothing lights: looked for LEDs.' }
  assert.deepEqual(replies, [{ type: 'reply', ask: 7, outcome: 'refused', fault }])
  assert.equal(actor.getSnapshot().context.fault, null)
})
