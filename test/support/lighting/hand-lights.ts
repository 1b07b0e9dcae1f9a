// The actor of the lights on made-up lamps, with every clock in the test's hand.
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { LightClaims } from '../../../actors/lighting/light-claims.ts'
import { lightingActor } from '../../../actors/lighting/lighting-actor.ts'
import { LightingView } from '../../../actors/lighting/lighting-view.ts'
import { OutputLook } from '../../../actors/lighting/output-look.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import {
  LIGHTING_DOCUMENT,
  lightingConfigCollection,
  lightingConfigIn,
} from '../../../machines/lighting/collections.ts'
import { type LightingConfig, MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import type { SystemMetrics } from '../../../machines/system/metrics.ts'
import { FakeLights } from '../../../native/lighting/fake.ts'
import { settle, simulatedClock } from '../clock/clock.ts'
import { HandClock } from '../clock/hand-clock.ts'
import type { Lifetime } from '../lifetime.ts'

const QUIET = { starting: null, link_lost: null, target_seen: null, update_runs: null }

/** The actor, started; it ends with the test. delivered: over the configuration of made-up lamps without signals. */
export const handLights = async (t: Lifetime, delivered: Partial<LightingConfig> = {}) => {
  const clock = new HandClock()
  const delays = simulatedClock()
  const lights = new FakeLights({ nowUs: clock.monotonicUs })
  const config = { ...MADE_UP_LIGHTING, signals: QUIET, max_duty: 1, ...delivered }
  const settings = createSettingsStore()
  const view = new LightingView()
  const recorded: Fault[] = []
  const metrics = new Latest<SystemMetrics | undefined>()
  const world = { server: 'listening', update: 'idle' }
  const update = () => ({ state: world.update }) as never
  const directory = {
    settings,
    clock: { ...clock, monotonicUs: clock.monotonicUs } as never,
    identity: { version: '1', epoch: 'e', started_at_ms: 0, started_us: 0 },
    actor: () => undefined,
    parts: () => [{ name: 'http', state: world.server, since_ms: 0, restarts: 0, fault: null }],
  }
  const claims = new LightClaims({
    nowMs: () => clock.monotonicUs() / 1_000,
    config: () => lightingConfigIn(settings, config).value,
    nothingLights: () => undefined,
  })
  const logic = lightingActor({
    directory,
    streams: { all: () => [] },
    update,
    lights,
    outputs: new OutputLook({ find: () => lights.find() }, clock),
    view,
    claims,
    delivered: config,
    metrics: { latest: metrics, need: Effect.void },
    record: (fault) => recorded.push(fault),
    changed: () => {},
    later: clock.later,
  })
  const actor = createActor(logic, { clock: delays, input: { claims: claims.all() } })
  actor.start()
  const end = async () => {
    actor.stop()
    await Effect.runPromise(endEffects(actor))
  }
  t.after(end)
  await settle()
  let revision = 0
  return {
    actor,
    clock,
    delays,
    lights,
    view,
    recorded,
    claims,
    world,
    end,
    /** Stores a configuration, and lets what comes of it happen. */
    store: async (value: Partial<LightingConfig>) => {
      revision += 1
      const collection = lightingConfigCollection.name
      const commit = {
        collection,
        collectionRevision: revision,
        collectionBase: 0,
        id: LIGHTING_DOCUMENT,
        revision,
        value,
      }
      settings.trigger.committed(commit)
      await settle()
    },
    warm: (celsius: number) => metrics.set({ temperature: { celsius } } as SystemMetrics),
    /** The first byte of the ring. */
    seen: () => lights.held?.seen()[0],
  }
}
