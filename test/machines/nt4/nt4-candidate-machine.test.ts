// One address: when it is dialled, and what the link is told of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { cycleMs, type Nt4CandidateNews, nt4CandidateMachine } from '../../../machines/nt4/nt4-candidate-machine.ts'
import { type Sample, type Step, walk } from '../../support/walk.ts'

const refused = { code: 'nt4.refused', detail: 'answers, but not as an NT4 server' }
const input = { index: 2, at: { host: '10.12.34.2', port: 5810 }, clientName: 'vedette', seed: 0.5 }

const answered: Sample = { type: 'peer.answered' }
const opened: Sample = { type: 'session.opened' }
const failed: Sample = { type: 'xstate.error.actor.holdSession', error: refused }
const cycleOver: Sample = { type: 'xstate.after.cycle.nt4-candidate.attempt' }
const pauseOver: Sample = { type: 'xstate.after.cycle.nt4-candidate.pausing' }

const toldIn = (actions: Step['actions']): readonly Nt4CandidateNews[] =>
  actions.filter(({ type }) => type === 'report').map(({ params }) => params as Nt4CandidateNews)

const isOpen = (snapshot: Step['snapshot'] | undefined) => snapshot?.matches({ attempt: 'open' }) === true

test('a candidate takes all its paths: opened and lost alternate, each failed attempt is told once', () => {
  walk(nt4CandidateMachine, {
    input,
    samples: [answered, opened, failed],
    check: ({ before, event, snapshot, actions }) => {
      const told = toldIn(actions)
      const count = (type: string) => told.filter((news) => news.type === type).length
      assert.ok(told.length <= 1 && told.every(({ index }) => index === 2))
      const begins = isOpen(snapshot) && !isOpen(before)
      assert.equal(count('candidate.opened'), Number(begins))
      assert.equal(count('candidate.lost'), Number(isOpen(before) && !isOpen(snapshot)))
      if (event.type === failed.type && !isOpen(before)) assert.equal(count('candidate.failed'), 1)
      assert.ok(snapshot.context.turn < 8)
      for (const news of told)
        if (news.type === 'candidate.lost') assert.equal(news.pauseMs, cycleMs(snapshot.context.turn, input.seed))
    },
  })
})

/**
 * Plays events; returns the states after them, with `again` for a new attempt in the place of another, and what was
 * told.
 */
const play = (...events: Sample[]) => {
  let [snapshot] = initialTransition(nt4CandidateMachine, input)
  const told: string[] = []
  const states = events.map((event) => {
    const [next, actions] = transition(nt4CandidateMachine, snapshot, event as never)
    snapshot = next
    told.push(...toldIn(actions as Step['actions']).map((news) => ('fault' in news ? news.fault.code : news.type)))
    const dials = actions.some(({ type }) => type === 'xstate.spawnChild')
    return `${JSON.stringify(snapshot.value).replace(/[{}"]/g, '')}${dials ? ' anew' : ''}`
  })
  return { states, told }
}

test('an attempt that failed is followed by the next when its cycle is over, and not before', () => {
  assert.deepEqual(play(failed, cycleOver), {
    states: ['attempt:failed', 'attempt:dialling anew'],
    told: ['nt4.refused'],
  })
})

test('a host that swallows packets is dialled anew each cycle', () => {
  assert.deepEqual(play(cycleOver, cycleOver), {
    states: ['attempt:dialling anew', 'attempt:dialling anew'],
    told: ['nt4.unreachable', 'nt4.unreachable'],
  })
})

test('a host that has answered gets the time that its handshake needs', () => {
  assert.deepEqual(play(answered, cycleOver, opened, cycleOver), {
    states: ['attempt:greeting', 'attempt:greeting', 'attempt:open', 'attempt:open'],
    told: ['candidate.opened'],
  })
  assert.deepEqual(play(answered, cycleOver, failed, pauseOver).states.slice(2), ['pausing', 'attempt:dialling anew'])
})

test('a lost session is followed by a pause, so a server that hangs up at once is not dialled without end', () => {
  assert.deepEqual(play(opened, failed, pauseOver), {
    states: ['attempt:open', 'pausing', 'attempt:dialling anew'],
    told: ['candidate.opened', 'nt4.refused'],
  })
})

test('attempts are 0.75 to 1.25 s apart, each time another', () => {
  const all: number[] = []
  for (const seed of [0, 0.3, 0.5, 0.99]) for (let turn = 0; turn < 8; turn++) all.push(cycleMs(turn, seed))

  for (const ms of all) assert.ok(ms >= 750 && ms <= 1_250, `${ms}`)
  assert.ok(new Set(all.map(Math.round)).size > 24)
})
