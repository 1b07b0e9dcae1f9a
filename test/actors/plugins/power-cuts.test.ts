// The keeper of plugins with the power cut at every moment at which something stays, and again while the next start
// puts that in order: each plugin is as it was, or as was ordered, and the disk has what is stored and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { pluginKeeperActor } from '../../../actors/plugins/plugin-keeper-actor.ts'
import { Plugins } from '../../../actors/plugins/plugins.ts'
import type { PluginRuns } from '../../../actors/plugins/tokens.ts'
import { endEffects } from '../../../actors/run.ts'
import type { OrderSettings } from '../../../actors/settings/write-settings.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { ReleaseNote } from '../../../machines/plugins/package/release-note.ts'
import { pluginCollection, type StoredPlugin } from '../../../machines/plugins/stored-plugin.ts'
import { keptReleases } from '../../../machines/plugins/transitions.ts'
import { collectionsByName } from '../../../machines/settings/collection.ts'
import { decide, isUnchanged, type SettingsCommand } from '../../../machines/settings/commit.ts'
import { createSettingsStore, noSettings, type Settings, withCommit } from '../../../machines/settings/store.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import type { PluginPackages } from '../../../native/plugins/packages/port.ts'
import { shortOrLong } from '../../support/long.ts'
import { noteOf } from '../../support/plugins/notes.ts'
import { until } from '../../support/until.ts'

const NAME = 'note-finder'
const collections = collectionsByName([pluginCollection])

/** This version does not come up. */
const BAD = '3.0.0'

const NOTES = new Map(['1.0.0', '2.0.0', BAD].map((version) => [`${NAME}-${version}`, noteOf(NAME, version)]))

const install = (version: string, enable = true) =>
  ({ type: 'plugin.install', upload: `${NAME}-${version}`, enable }) as const

/** Every transition that there is. */
const ORDERS: readonly Command<'plugin-keeper'>[] = [
  install('1.0.0'),
  install('2.0.0'),
  install(BAD),
  { type: 'plugin.enable', name: NAME, grant: ['topics'] },
  { type: 'plugin.disable', name: NAME },
  install('1.0.0', false),
  install(BAD),
  { type: 'plugin.enable', name: NAME },
  install('2.0.0'),
  { type: 'plugin.remove', name: NAME },
  install(BAD),
  { type: 'plugin.enable', name: NAME },
  { type: 'plugin.remove', name: NAME },
]

/** What a device keeps without power. */
class Device {
  settings: Settings = noSettings
  readonly releases = new Map<string, ReleaseNote>()
  hasData = false
  moments = 0
  cutAt = Number.POSITIVE_INFINITY
  readonly cutIn = new Set<string>()
  state = () => 'nothing'
  cut = Promise.withResolvers<void>()

  get isCut(): boolean {
    return this.moments >= this.cutAt
  }

  /** What is on the disk by then stays; where the power goes nothing is done any more. */
  readonly moment = (): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (this.isCut) return Effect.never
      this.moments += 1
      if (!this.isCut) return Effect.void
      this.cutIn.add(this.state())
      this.cut.resolve()
      return Effect.never
    })

  get stored(): StoredPlugin | undefined {
    return this.settings.documents[pluginCollection.name]?.[NAME]?.value as StoredPlugin | undefined
  }

  readonly write =
    (show: (settings: Settings) => void): OrderSettings =>
    (order) =>
      Effect.gen({ self: this }, function* () {
        yield* this.moment()
        const decision = decide(collections, this.settings, { ...order, ask: 0 } as SettingsCommand)
        if (isFault(decision)) return yield* Effect.fail(decision)
        if (isUnchanged(decision)) return decision.unchanged
        this.settings = withCommit(this.settings, decision)
        yield* this.moment()
        show(this.settings)
        return decision
      })

  readonly packages: PluginPackages = {
    ...unused,
    restore: this.#do(async () => new Map(this.releases.size > 0 ? [[NAME, [...this.releases.values()]]] : [])),
    unpack: (upload) =>
      this.#do(async () => {
        const note = NOTES.get(upload) as ReleaseNote
        this.hasData = true
        this.releases.set(note.release, note)
        return note
      })(),
    sweep: (_, kept) =>
      this.#do(async () => {
        for (const release of this.releases.keys()) if (!kept.includes(release)) this.releases.delete(release)
        if (kept.length === 0) this.hasData = false
        return undefined
      })(),
    remove: () =>
      this.#do(async () => {
        this.releases.clear()
        await Effect.runPromise(this.moment())
        this.hasData = false
        return undefined
      })(),
    foldersOf: (name, release) => ({ folder: `/installed/${name}/${release}`, data_folder: `/data/${name}` }),
  }

  #do<Value>(work: () => Promise<Value>): () => Promise<Value> {
    return async () => {
      await Effect.runPromise(this.moment())
      const done = await work()
      await Effect.runPromise(this.moment())
      return done
    }
  }
}

const unused = {
  receive: () => assert.fail('nothing is uploaded here'),
  takeFile: () => assert.fail('nothing is taken here'),
  fetch: () => assert.fail('nothing is fetched here'),
  uploads: async () => [],
  openUpload: () => assert.fail('nothing is opened here'),
  openRelease: () => assert.fail('nothing is opened here'),
} satisfies Partial<PluginPackages>

const runs: PluginRuns = {
  whenUp: ({ manifest: { version } }) =>
    version === BAD ? Effect.fail({ code: 'plugin.failed', detail: 'it ended at once' }) : Effect.void,
  whenGone: () => Effect.void,
  run: () => undefined,
  onGivenUp: () => () => {},
}

/** A run of the service. */
const start = (device: Device) => {
  device.cut = Promise.withResolvers()
  const settings = createSettingsStore(device.settings)
  const enabled = new Latest<readonly InstalledPlugin[]>()
  const plugins = new Plugins({ settings, packages: device.packages, runs, enabled })
  const write = device.write((now) => settings.trigger.loaded({ settings: now }))
  const logic = pluginKeeperActor({ packages: device.packages, plugins, write, runs, record: () => {} })
  const actor = createActor(logic)
  device.state = () => JSON.stringify(actor.getSnapshot().value)
  actor.start()
  const isResting = () => {
    const snapshot = actor.getSnapshot()
    return snapshot.matches({ ready: 'idle' }) && snapshot.context.waiting.length === 0
  }
  return {
    actor,
    enabled,
    rest: () => until('rest, or the cut', () => device.isCut || isResting()),
    end: async () => {
      actor.stop()
      await Effect.runPromise(endEffects(actor))
    },
  }
}

/** What orders come to, as far as anybody is told. */
const shown = (stored: StoredPlugin | undefined) =>
  stored ? `${stored.version} ${stored.state} ${stored.granted.join()}` : 'none'

/** Plays all orders until they end or the power goes; what was there before the last one, and after. */
const play = async (device: Device) => {
  const run = start(device)
  await run.rest()
  let before = shown(device.stored)
  let answered = 0
  for (const order of ORDERS) {
    if (device.isCut) break
    before = shown(device.stored)
    await Promise.race([askNow(run.actor, order), device.cut.promise])
    if (!device.isCut) answered += 1
  }
  await run.end()
  return { before, answered }
}

const recover = async (device: Device, said: string) => {
  const run = start(device)
  await run.rest()
  if (!device.isCut) check(device, run.enabled.value ?? [], said)
  await run.end()
}

const check = ({ stored, releases, hasData }: Device, enabled: readonly InstalledPlugin[], said: string): void => {
  assert.ok(!stored || ['enabled', 'disabled'].includes(stored.state), `it rests: ${said}`)
  assert.equal(stored?.previous ?? null, null, said)
  assert.deepEqual([...releases.keys()], stored ? keptReleases(stored) : [], `no other files are there: ${said}`)
  assert.equal(hasData, stored !== undefined, `its data is there as it is: ${said}`)
  assert.deepEqual(
    enabled.map(({ manifest }) => manifest.version),
    stored?.state === 'enabled' ? [stored.version] : [],
    `what runs is what is stored: ${said}`,
  )
}

/** What is stored after each order, when the power stays on. */
const undisturbed = async () => {
  const device = new Device()
  const run = start(device)
  await run.rest()
  const after: string[] = []
  for (const order of ORDERS) {
    await askNow(run.actor, order)
    check(device, run.enabled.value ?? [], order.type)
    after.push(shown(device.stored))
  }
  await run.end()
  return { moments: device.moments, after }
}

test('the power may be cut at any moment of any order, and again at any moment of the start after it', async (t) => {
  const { moments, after } = await undisturbed()
  assert.deepEqual(after, [
    ...['1.0.0 enabled ', '2.0.0 enabled ', '2.0.0 enabled ', '2.0.0 enabled topics', '2.0.0 disabled topics'],
    ...['1.0.0 disabled topics', '1.0.0 disabled topics', '1.0.0 enabled topics', '2.0.0 enabled topics', 'none'],
    ...['3.0.0 disabled ', '3.0.0 disabled ', 'none'],
  ])
  const cutIn = new Set<string>()
  let cuts = 0

  for (let cutAt = 1; cutAt <= moments; cutAt += 1) {
    for (let again = 0; ; again += shortOrLong(3, 1)) {
      const device = new Device()
      device.cutAt = cutAt
      const { before, answered } = await play(device)
      const said = `cut at ${cutAt}, then after ${again} more, in ${[...device.cutIn].join()}`
      device.cutAt = again === 0 ? Number.POSITIVE_INFINITY : device.moments + again
      await recover(device, said)
      const wasCutAgain = device.isCut
      device.cutAt = Number.POSITIVE_INFINITY
      if (wasCutAgain) await recover(device, said)

      const now = shown(device.stored)
      assert.ok(
        [before, after[answered] ?? 'none'].includes(now),
        `${now}, and not ${before} or ${after[answered]}: ${said}`,
      )
      for (const state of device.cutIn) cutIn.add(state)
      cuts += wasCutAgain ? 2 : 1
      if (again > 0 && !wasCutAgain) break
    }
  }

  t.diagnostic(`${cuts} cuts`)
  const states = ['unpacking', 'writing', 'concluding', 'sweeping', 'forgetting'].map((ready) =>
    JSON.stringify({ ready }),
  )
  assert.deepEqual(
    [...states, '"restoring"'].filter((state) => !cutIn.has(state)),
    [],
  )
})
