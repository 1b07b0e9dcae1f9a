// What the number of the team means for the target, and the other way round.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_PUBLISHING,
  NT4_DOCUMENT,
  type Nt4Settings,
  nt4Collection,
  nt4SettingsIn,
} from '../../../machines/nt4/settings.ts'
import { type Nt4Change, nt4Patch } from '../../../machines/nt4/team.ts'
import { misfits } from '../../../machines/settings/collection.ts'
import { mergePatch } from '../../../machines/settings/merge-patch.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'

type Stored = Partial<Nt4Settings>

/** Settings in which one change follows the other. start: the target of the start. */
const device = (start = 'serve', before: Stored = {}) => {
  let stored = before
  const atStart = {
    target: start,
    client_name: 'vedette',
    emulate_extcam_api: true,
    publish_own_table: true,
    ...DEFAULT_PUBLISHING,
  }
  const inForce = (): Nt4Settings => {
    const store = createSettingsStore()
    store.trigger.committed({
      collection: nt4Collection.name,
      id: NT4_DOCUMENT,
      collectionRevision: 1,
      collectionBase: 0,
      revision: 1,
      value: stored,
    })
    return nt4SettingsIn(store, atStart).value
  }
  const change = (wanted: Nt4Change) => {
    const patch = nt4Patch(wanted, { stored, inForce: inForce() })
    if ('pointer' in patch) return patch
    stored = mergePatch(stored, patch) as Stored
    assert.deepEqual(misfits(nt4Collection, NT4_DOCUMENT, stored), [])
    return patch
  }
  const shown = () => [inForce().target, inForce().team]
  return { change, shown, stored: () => stored }
}

test('on a new device the number alone is enough', () => {
  const { change, shown, stored } = device()

  change({ team: 1234 })

  assert.deepEqual(shown(), ['team:1234', 1234])
  assert.deepEqual(stored(), { target: 'team:1234' })
})

test('the number of a target is the number of the team, whoever said it', () => {
  assert.deepEqual(device('team:7').shown(), ['team:7', 7])
  const { change, shown } = device()

  change({ target: 'team:99' })
  assert.deepEqual(shown(), ['team:99', 99])
  change({ team: 1234 })
  assert.deepEqual(shown(), ['team:1234', 1234])
  change({ target: 'team:5', team: 5 })
  assert.deepEqual(shown(), ['team:5', 5])
})

test('a target that somebody has chosen stays, and the number is there for later', () => {
  for (const target of ['serve', 'off', '10.0.0.2', '10.0.0.2,robot.local']) {
    const { change, shown, stored } = device()
    change({ target: 'team:1' })
    change({ target })
    assert.deepEqual(shown(), [target, 1])

    change({ team: 1234 })
    assert.deepEqual(shown(), [target, 1234])
    change({ target: 'team' })
    assert.deepEqual(shown(), ['team:1234', 1234])
    assert.equal('team' in stored(), false, 'it stands in the target')
  }
})

test('who forgets the number has nobody looked for, if it was the robot of the team', () => {
  const byTeam = device('team:7')
  byTeam.change({ team: null })
  assert.deepEqual(byTeam.shown(), ['off', null])

  const byHost = device('team:7', { target: 'robot.local', team: 7 })
  byHost.change({ team: null })
  assert.deepEqual(byHost.shown(), ['robot.local', null])
})

test('two numbers at once, and a team that nobody has named, are refused with the place', () => {
  const { change, shown } = device()

  assert.deepEqual(change({ target: 'team:1', team: 2 }), {
    pointer: '/team',
    message: 'must be the number of the target, 1, or be left out',
  })
  assert.equal((change({ target: 'team' }) as { pointer: string }).pointer, '/target')
  assert.equal((change({ target: 'team:0' }) as { pointer: string }).pointer, '/target')
  assert.deepEqual(shown(), ['serve', null])
  change({ target: 'team', team: 3 })
  assert.deepEqual(shown(), ['team:3', 3])
})

test('what is so already is not stored', () => {
  const { change } = device('team:7')

  assert.deepEqual(change({ target: 'team:7', client_name: 'vedette' }), {})
  assert.deepEqual(change({ team: 7, json: 'subscribed', publish_period_ms: 20 }), {})
  assert.deepEqual(change({ json: 'never' }), { json: 'never' })
  assert.deepEqual(device().change({ team: null }), {})
  assert.deepEqual(device().change({ target: 'serve' }), {})
})

test('documents that were stored before there was a number of the team are in force as they were', () => {
  const before = { target: 'team:1234', client_name: 'front', emulate_extcam_api: false }

  assert.deepEqual(misfits(nt4Collection, NT4_DOCUMENT, before), [])
  assert.deepEqual(device('off', before).shown(), ['team:1234', 1234])
  assert.deepEqual(device('off', { client_name: 'front' }).shown(), ['off', null])
})
