// The lights of this device.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { LightClaims } from '../../actors/lighting/light-claims.ts'
import { lightingActor } from '../../actors/lighting/lighting-actor.ts'
import { LightingNews } from '../../actors/lighting/lighting-news.ts'
import { LightingView } from '../../actors/lighting/lighting-view.ts'
import { OutputLook } from '../../actors/lighting/output-look.ts'
import { DELIVERED_LIGHTING, LIGHT_CLAIMS, LIGHTING, LIGHTING_VIEW, OUTPUT_LOOK } from '../../actors/lighting/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { SYSTEM_METRICS } from '../../actors/system/tokens.ts'
import { UPDATE_VIEW } from '../../actors/update/tokens.ts'
import {
  lightingAnimationCollection,
  lightingConfigCollection,
  lightingConfigIn,
} from '../../machines/lighting/collections.ts'
import { lightingChanged } from '../../machines/lighting/events.ts'
import { CLOCK, monotonicMs } from '../../native/clock/port.ts'
import { LIGHTS } from '../../native/lighting/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { lightingPorts } from './ports.ts'

const CHILD = 'lighting'

export const lightingBranch = branch({
  ports: lightingPorts,
  collections: [lightingConfigCollection, lightingAnimationCollection],
  events: [lightingChanged],
  offers: [
    offer(OUTPUT_LOOK, { lights: LIGHTS, clock: CLOCK }, ({ lights, clock }) => new OutputLook(lights, clock)),
    offer(LIGHTING_VIEW, {}, () => new LightingView()),
    offer(
      LIGHT_CLAIMS,
      { directory: DIRECTORY, delivered: DELIVERED_LIGHTING },
      ({ directory, delivered }) =>
        new LightClaims({
          nowMs: () => monotonicMs(directory.clock),
          config: () => lightingConfigIn(directory.settings, delivered).value,
          nothingLights: () => {
            const snapshot = directory.actor(CHILD)?.getSnapshot()
            return snapshot?.matches('absent') ? 'this device controls no lights' : undefined
          },
        }),
    ),
    offer(LIGHTING, { claims: LIGHT_CLAIMS }, ({ claims }) => claims),
  ],
  needs: {
    supervisor: SUPERVISOR,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    metrics: SYSTEM_METRICS,
    update: UPDATE_VIEW,
    lights: LIGHTS,
    outputs: OUTPUT_LOOK,
    view: LIGHTING_VIEW,
    claims: LIGHT_CLAIMS,
    delivered: DELIVERED_LIGHTING,
    record: RECORD,
  },
  start: ({ supervisor, ...parts }) =>
    Effect.gen(function* () {
      const { directory, view, claims, delivered } = parts
      const news = yield* Effect.acquireRelease(
        Effect.sync(() => new LightingNews({ directory, view, delivered })),
        (made) => Effect.sync(() => made.end()),
      )
      yield* supervisor.start({
        id: CHILD,
        incarnate: Effect.sync(() => ({
          logic: lightingActor({ ...parts, changed: () => news.look() }),
          options: { input: { claims: claims.all() } },
        })),
      })
    }),
})
