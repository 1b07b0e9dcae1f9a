// What is known of programs: when one is up, when nothing of it runs, and who hears that it was given up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { PluginRuntimes } from '../../../../actors/plugins/process/plugin-runtimes.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../../../machines/plugins/installed.ts'
import { manifestExample } from '../../../../machines/plugins/manifest.ts'

const plugin = (version: string, folder = `/packages/${version}`): InstalledPlugin => ({
  manifest: { ...manifestExample, version },
  folder,
  data_folder: '/data',
  granted: [],
})
const { name } = manifestExample
const crash: Fault = { code: 'plugin.failed', detail: 'It stopped (exit code 1).' }

/** What came of waiting so far. */
const watched = <Value>(effect: Effect.Effect<Value, Fault>) => {
  const seen: { outcome: unknown } = { outcome: 'waits' }
  void Effect.runPromise(
    Effect.match(effect, { onSuccess: () => 'done', onFailure: ({ detail }: Fault) => detail }),
  ).then((outcome) => {
    seen.outcome = outcome
  })
  return { seen, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

/** What becomes of waiting for one plugin while another runs in its place, and once it runs itself. */
const replaced = async (old: InstalledPlugin, young: InstalledPlugin): Promise<readonly unknown[]> => {
  const runtimes = new PluginRuntimes()
  runtimes.hold(old)
  runtimes.show(name, { state: 'running', fault: null })
  const { seen, settled } = watched(runtimes.whenUp(young))
  await settled()
  const before = seen.outcome

  runtimes.hold(young)
  runtimes.show(name, { state: 'running', fault: null })
  await settled()

  return [before, seen.outcome]
}

test('a plugin is up when its program says so, and that of its previous version does not count', async () => {
  assert.deepEqual(await replaced(plugin('1.0.0'), plugin('1.1.0')), ['waits', 'done'])
})

test('a plugin that was granted something else is up when its next run says so', async () => {
  const before = plugin('1.0.0')

  assert.deepEqual(await replaced(before, { ...before, granted: ['network'] }), ['waits', 'done'])
})

test('who waits for a program that crashes is told why', async () => {
  const runtimes = new PluginRuntimes()
  runtimes.hold(plugin('1.0.0'))
  const { seen, settled } = watched(runtimes.whenUp(plugin('1.0.0')))

  runtimes.show(name, { state: 'waiting', fault: crash })
  await settled()

  assert.equal(seen.outcome, crash.detail)
})

test('a plugin is gone when it is released, not when it is no longer wanted', async () => {
  const runtimes = new PluginRuntimes()
  const held = plugin('1.0.0')
  runtimes.hold(held)
  runtimes.forget(name)
  const { seen, settled } = watched(runtimes.whenGone(name))
  await settled()
  const before = seen.outcome

  runtimes.release(held)
  await settled()

  assert.deepEqual([before, seen.outcome], ['waits', 'done'])
  assert.equal(runtimes.run(name), undefined)
})

test('one that is given up is told once, with how often it crashed, and is known for as long as it is wanted', () => {
  const runtimes = new PluginRuntimes()
  const told: string[] = []
  runtimes.onGivenUp((which, { detail }) => told.push(`${which}: ${detail}`))
  const held = plugin('1.0.0')
  runtimes.hold(held)

  runtimes.show(name, { state: 'given-up', fault: crash })
  runtimes.show(name, { state: 'given-up', fault: crash })
  runtimes.release(held)
  const known = runtimes.run(name)?.state
  runtimes.forget(name)

  assert.deepEqual(told, [
    `${name}: Its program failed 5 times in a row, and is not started again by itself. ${crash.detail}`,
  ])
  assert.deepEqual([known, runtimes.run(name)], ['given-up', undefined])
})

test('nothing is kept of a name that nobody listens to any more, and who listens again is heard', () => {
  const runtimes = new PluginRuntimes()
  const heard: unknown[] = []
  const stops = [runtimes.listen('a', (each) => heard.push(each)), runtimes.listen('a', (each) => heard.push(each))]

  runtimes.tellPanels('a', 1)
  for (const stop of stops) stop()
  const kept = runtimes.listenedTo
  runtimes.listen('a', (each) => heard.push(each))
  stops[0]?.()
  runtimes.tellPanels('a', 2)

  assert.deepEqual([kept, heard], [[], [1, 1, 2]])
  assert.deepEqual(runtimes.listenedTo, ['a'])
})
