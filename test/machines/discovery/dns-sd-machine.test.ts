// Being found and finding others, as a machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { dnsSdMachine, type Survey } from '../../../machines/discovery/dns-sd-machine.ts'
import { walk } from '../../support/walk.ts'

const survey: Survey = { addresses: ['10.0.0.1'], announced: null }
const surveyed = (output: Survey, id = 'survey') => ({ type: `xstate.done.actor.${id}`, output }) as never
const broken = { code: 'discovery.failed', detail: 'the port is taken' } as const

const after = (...events: readonly never[]) =>
  events.reduce(
    (snapshot, event) => transition(dnsSdMachine, snapshot, event)[0],
    initialTransition(dnsSdMachine, { reason: null })[0],
  )

test('whatever happens to the networks, it says why it is off, and is so only for a while', () => {
  const samples = [
    { type: 'peers.ask' },
    surveyed(survey),
    surveyed({ addresses: [], announced: null }),
    surveyed(survey, 'surveyAgain'),
    surveyed({ addresses: ['10.0.9.1'], announced: null }, 'surveyAgain'),
    { type: 'xstate.error.actor.survey', error: broken },
    { type: 'xstate.error.actor.surveyAgain', error: broken },
    { type: 'xstate.error.actor.browse', error: broken },
  ]
  const walked = walk(dnsSdMachine, {
    input: { reason: null },
    samples,
    unreached: ['off'],
    check: ({ snapshot }) => {
      assert.equal(snapshot.status, 'active')
      if (snapshot.matches('browsing')) assert.equal(snapshot.context.reason, null)
      if (snapshot.matches('failed') || snapshot.matches('alone')) assert.ok(snapshot.context.reason)
    },
  })

  assert.ok(walked.reached.has('browsing.asking'))
})

test('where the service is served to nobody else it stays off, and says why', () => {
  const [snapshot, actions] = initialTransition(dnsSdMachine, { reason: 'nobody could reach it' })

  assert.deepEqual([snapshot.value, snapshot.context.reason, actions], ['off', 'nobody could reach it', []])
})

test('each round asks around; other networks are begun with anew, the same go on', () => {
  const round = { type: 'xstate.after.round.dns-sd.browsing.listening' } as never
  const browsing = after(surveyed(survey))
  const [asking, actions] = transition(dnsSdMachine, browsing, round)

  assert.deepEqual(asking.value, { browsing: 'asking' })
  assert.deepEqual(
    actions.map(({ type }) => type).filter((type) => /^(ask|forget)/.test(type)),
    ['forgetSilent', 'askAround'],
  )
  assert.deepEqual(transition(dnsSdMachine, asking, surveyed(survey, 'surveyAgain'))[0].value, {
    browsing: 'listening',
  })
  const other = surveyed({ ...survey, announced: { name: 'x', port: 1, txt: {} } }, 'surveyAgain')
  assert.equal(transition(dnsSdMachine, asking, other)[0].value, 'surveying')
})
