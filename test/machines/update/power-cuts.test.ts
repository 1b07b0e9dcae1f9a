// The machine of updates over all its paths, with a power cut in every state and between any two steps that reach the
// disk: always the old version or the new one, running, and saying which and why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateStateName } from '../../../machines/update/update-machine.ts'
import { UPDATE_STATES, type UpdateStateName } from '../../../machines/update/update-state.ts'
import { shortOrLong } from '../../support/long.ts'
import { firstWorld, keyOf, type Way, type World, waysOn } from '../../support/update/update-world.ts'

const stateOf = ({ snapshot }: World): UpdateStateName | null => updateStateName(snapshot)

/** From here on the next start may run another version than the one that runs. */
const mayLeave = ({ snapshot }: World): boolean =>
  ['restoring', 'restarting', 'trial', 'unreadable'].some((state) => snapshot.matches(state as never)) ||
  snapshot.matches({ applying: 'activating' })

const check = (world: World, path: string): void => {
  const { disk, running, snapshot } = world
  const { slots } = disk
  const state = stateOf(world)
  assert.ok(running === 'packaged' || disk.versions.includes(running), `what runs is whole: ${path}`)
  if (!mayLeave(world))
    assert.equal(slots.give_up === null ? slots.current : slots.previous, running, `no surprise: ${path}`)
  if (state === 'committed' || state === 'idle')
    assert.ok(slots.tries === null || slots.give_up !== null, `what is kept is not on trial: ${path}`)
  if (state === 'rolled-back')
    assert.ok(slots.failed && slots.failed.version !== running, `what failed does not run: ${path}`)
  if (state === 'failed') assert.ok(snapshot.context.failure, `it says why: ${path}`)
  if (state === 'ready' || state === 'scheduled') assert.ok(disk.kept?.isWhole, `what is ready is on the disk: ${path}`)
}

const UNDER_WAY: readonly (UpdateStateName | null)[] = ['receiving', 'verifying', 'applying', 'restarting', 'trial']
const SAYS_SO: readonly (UpdateStateName | null)[] = ['committed', 'rolled-back', 'trial']

/** Whether it says what the power cut has interrupted, as far as that was on the disk. */
const saysSo = (cut: World, { snapshot }: World): boolean => {
  const { record } = cut.disk
  if (!record || !UNDER_WAY.includes(record.state)) return true
  const { interrupted, failure } = snapshot.context
  return interrupted !== null || failure?.code === 'update.interrupted' || SAYS_SO.includes(updateStateName(snapshot))
}

const MAX_WORLDS = 30_000 // 15,309 with all failures; more means that something does not saturate

/** Whether each step that reaches the disk may also fail, before it or after it: five times as many worlds. */
const mayFail = shortOrLong(false, true)

test('whenever the power goes, the old version or the new one runs, says which and why, and goes on', () => {
  const first = firstWorld()
  const known = new Map<string, { readonly world: World; readonly path: string; readonly next: string[] }>()
  const queue: string[] = []
  const reached = new Set<UpdateStateName | null>()
  const cutIn = new Set<UpdateStateName | null>()
  const arrive = ({ name, world }: Way, path: string): string => {
    const key = keyOf(world)
    if (known.has(key)) return key
    const whole = `${path} > ${name}`
    check(world, whole)
    reached.add(stateOf(world))
    known.set(key, { world, path: whole, next: [] })
    queue.push(key)
    assert.ok(known.size <= MAX_WORLDS, `more than ${MAX_WORLDS} worlds, the latest by ${whole}`)
    return key
  }

  arrive({ name: 'start', world: first }, '')
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
    const { world, path, next } = known.get(key) as { world: World; path: string; next: string[] }
    for (const way of waysOn(world, { mayFail })) {
      if (way.name === 'cut') {
        cutIn.add(stateOf(world))
        const restored = untilRestored(way.world)
        assert.ok(saysSo(world, restored), `a power cut that says nothing: ${path}, then ${restored.snapshot.value}`)
      }
      next.push(arrive(way, path))
    }
  }

  assert.deepEqual(
    [...UPDATE_STATES].filter((state) => !reached.has(state)),
    [],
  )
  assert.deepEqual(
    [...UPDATE_STATES].filter((state) => !cutIn.has(state)),
    [],
  )
  assert.deepEqual(stuckIn(known), [])
})

/** What is on the disk is read. */
const untilRestored = (world: World): World => {
  const done = waysOn(world, { mayFail: false }).find(({ name }) => name === 'restore is done')
  assert.ok(done)
  return done.world
}

/** The paths to worlds from which no way leads to where nothing is under way. */
const stuckIn = (
  known: ReadonlyMap<string, { readonly world: World; readonly path: string; readonly next: string[] }>,
) => {
  const before = new Map<string, string[]>()
  for (const [key, { next }] of known) for (const each of next) before.set(each, [...(before.get(each) ?? []), key])
  const good = new Set<string>()
  const queue = [...known].filter(([, { world }]) => isResting(world)).map(([key]) => key)
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (good.has(key)) continue
    good.add(key)
    queue.push(...(before.get(key) ?? []))
  }
  return [...known].filter(([key]) => !good.has(key)).map(([, { path }]) => path)
}

const isResting = ({ snapshot }: World): boolean =>
  (['idle', 'committed', 'rolled-back', 'failed'] as const).some((state) =>
    snapshot.matches({ [state]: 'kept' } as never),
  )
