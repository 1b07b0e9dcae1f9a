// Which version runs next: the rules of the slot file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PACKAGED } from '../../../machines/update/release.ts'
import {
  activate,
  chosenOf,
  commit,
  decide,
  type FoundSlots,
  goBack,
  type SlotState,
  slotStateIn,
  TRIES,
  withLeftBehind,
} from '../../../machines/update/slots.ts'

const [OLD, NEW] = ['1.0.0-aaaaaaaaaaaa', '1.1.0-bbbbbbbbbbbb']
const BROUGHT = '1.0.0-999999999999' // by the package
const NOW_MS = 1_000

const found = (state: FoundSlots['state'], more: Partial<FoundSlots> = {}): FoundSlots => ({
  state,
  versions: [
    { name: OLD, built_at_ms: 1 },
    { name: NEW, built_at_ms: 2 },
  ],
  packaged: BROUGHT,
  ended: null,
  now_ms: NOW_MS,
  ...more,
})

const committed: SlotState = {
  format: 1,
  current: OLD,
  previous: PACKAGED,
  tries: null,
  packaged: BROUGHT,
  since_ms: 0,
  why: 'it was found well on trial',
  give_up: null,
  exits: [],
  failed: null,
}
const onTrial = activate(committed, NEW, NOW_MS)

test('a version that stays is started as often as one likes, and nothing is written for it', () => {
  const decision = decide(found(committed, { ended: 'it was killed by SIGSEGV' }))

  assert.deepEqual(decision, { state: committed, isNew: false, gaveUp: null, hasOldSettings: false })
})

test('a version on trial is started twice, each time with the try counted before it runs', () => {
  const first = decide(found(onTrial, { ended: 'it ended as if it had been told to' }))
  const second = decide(found(first.state, { ended: 'it ended with code 1' }))

  assert.deepEqual([first.state.current, first.state.tries, first.isNew], [NEW, TRIES - 1, true])
  assert.deepEqual(first.state.exits, [], 'the run before the first was of the old version')
  assert.deepEqual([second.state.current, second.state.tries], [NEW, 0])
  assert.deepEqual(second.state.exits, ['it ended with code 1'])
})

test('the third start goes back, and says how the runs ended', () => {
  const tried = { ...onTrial, tries: 0, exits: ['it ended with code 1'] }

  const { state, gaveUp } = decide(found(tried, { ended: 'it hung, and was killed' }))

  assert.equal(gaveUp, NEW)
  assert.deepEqual([state.current, state.previous, state.tries], [OLD, null, null])
  assert.deepEqual(state.failed, {
    version: NEW,
    reason:
      'it was started 2 times and never found well for long enough to stay: it ended with code 1; then: it hung, and ' +
      'was killed',
    at_ms: NOW_MS,
    exits: ['it ended with code 1', 'it hung, and was killed'],
    left_behind: [],
  })
  assert.match(state.why, /^it was gone back to from 1\.1\.0-bbbbbbbbbbbb: it was started 2 times/)
})

test('a run of which nobody noted the end was cut off', () => {
  const { state } = decide(found({ ...onTrial, tries: 1 }))

  assert.match(state.exits[0] ?? '', /the power was cut/)
})

test('a version that was found well stays', () => {
  const { state } = decide(found(commit(decide(found(onTrial)).state)))

  assert.deepEqual([state.current, state.previous, state.tries], [NEW, OLD, null])
})

test('a version that was given up once and stays now is no failure any more', () => {
  const failed = { version: NEW, reason: 'it sees nothing', at_ms: 0, exits: [], left_behind: [] }

  assert.equal(commit({ ...onTrial, failed }).failed, null)
  assert.equal(commit({ ...onTrial, failed: { ...failed, version: OLD } }).failed?.version, OLD)
})

test('a version that says so itself is given up with its reason at the next start', () => {
  const given = goBack({ ...onTrial, tries: 1 }, 'the streams that ran before do not run')
  const { state } = decide(found(given, { ended: 'it ended as if it had been told to' }))

  assert.equal(chosenOf(given), OLD)
  assert.equal(state.current, OLD)
  assert.equal(state.failed?.reason, 'the streams that ran before do not run')
})

test('a version that was tried and not found well is nothing to go back to', () => {
  assert.equal(activate({ ...onTrial, tries: 1 }, '1.2.0-cccccccccccc', NOW_MS).previous, OLD)
})

test('where the chosen version is not whole, the previous one runs, else the newest, or the packaged', () => {
  const versions = (...names: string[]) => ({ versions: names.map((name) => ({ name, built_at_ms: 1 })) })
  const state = { ...committed, current: NEW, previous: OLD }

  assert.equal(decide(found(state, versions(OLD))).state.current, OLD)
  assert.equal(decide(found(state, versions('0.9.0-dddddddddddd'))).state.current, '0.9.0-dddddddddddd')
  const { state: last } = decide(found(state, versions()))
  assert.equal(last.current, PACKAGED)
  assert.match(last.failed?.reason ?? '', /the folder of 1\.1\.0-bbbbbbbbbbbb is missing, or not whole/)
})

test('a first start runs what the package brought', () => {
  const { state, isNew } = decide(found('missing', { versions: [] }))

  assert.deepEqual([state.current, state.tries, isNew], [PACKAGED, null, true])
})

test('where the file is torn, the newest whole version is on trial: it may have been so before', () => {
  const { state } = decide(found('unreadable'))

  assert.deepEqual([state.current, state.previous, state.tries], [NEW, PACKAGED, TRIES - 1])
  assert.match(state.why, /state\.json was unreadable/)
})

test('a newer package is run, on trial and with settings as they are now, also where a version was uploaded', () => {
  const { state, hasOldSettings } = decide(found(committed, { packaged: '1.2.0-cccccccccccc' }))

  assert.deepEqual([state.current, state.previous, state.tries], [PACKAGED, OLD, TRIES - 1])
  assert.equal(state.why, 'another package was installed: 1.2.0-cccccccccccc')
  assert.ok(hasOldSettings)
  assert.equal(decide(found({ ...state, tries: 0 }, { packaged: '1.2.0-cccccccccccc' })).state.current, OLD)
})

test('a package that is older, was not seen before, or runs already changes nothing', () => {
  const packaged = '1.2.0-cccccccccccc'
  const { state } = decide(found({ ...committed, current: PACKAGED, previous: null }, { packaged }))

  assert.deepEqual([state.current, state.tries, state.packaged], [PACKAGED, null, packaged])
  assert.equal(decide(found({ ...committed, packaged: null }, { packaged })).state.current, OLD)
  assert.equal(decide(found(committed, { packaged: '0.9.9-cccccccccccc' })).state.current, OLD, 'an older package')
  assert.equal(decide(found(committed, { packaged: null })).isNew, false)
})

test('without another version the one there is goes on', () => {
  const alone = { ...committed, current: PACKAGED, previous: null, tries: 0 }

  const { state, gaveUp } = decide(found(alone, { versions: [] }))

  assert.deepEqual([state.current, state.tries, gaveUp], [PACKAGED, null, null])
})

test('whatever is found, something that is there runs, and after so many starts it is the same one for good', () => {
  const names = [PACKAGED, OLD, NEW, '9.9.9-eeeeeeeeeeee']
  for (const current of names)
    for (const previous of [...names, null])
      for (const tries of [null, 0, 1, TRIES])
        for (const give_up of [null, 'it sees nothing'])
          for (const there of [[], [OLD], [NEW], [OLD, NEW]]) {
            const versions = there.map((name) => ({ name, built_at_ms: 1 }))
            let state: SlotState = { ...committed, current, previous, tries, give_up }
            for (let n = 0; n <= TRIES + 1; n += 1) {
              ;({ state } = decide(found(state, { versions })))
              assert.ok(state.current === PACKAGED || there.includes(state.current), `${state.current} is there`)
            }
            assert.equal(state.tries, null)
            assert.equal(decide(found(state, { versions })).isNew, false)
          }
})

test('a file of another version of the launcher is read, with more or fewer fields', () => {
  const { why, give_up, packaged, ...older } = committed

  assert.deepEqual(slotStateIn(JSON.stringify(older)), { ...committed, why: '', packaged: null })
  assert.equal(slotStateIn(JSON.stringify({ ...committed, colour: 'red' }))?.current, OLD)
  for (const text of ['', '{', '[]', 'null', '{"format":1}', JSON.stringify({ ...committed, format: 2 })])
    assert.equal(slotStateIn(text), undefined, text)
})

test('at most a hundred documents that are left behind are named', () => {
  const { state } = decide(found(goBack(onTrial, 'it sees nothing')))
  const names = Array.from({ length: 150 }, (_, n) => `streams/${n}`)

  assert.equal(withLeftBehind(state, names).failed?.left_behind.length, 100)
  assert.equal(withLeftBehind(committed, names).failed, null)
})
