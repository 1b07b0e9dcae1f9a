// The lights: what they show and who has them, how they are set up, and animations.
import { type Answer, api, ask, type Documents } from '../api/client.ts'
import type { FeedEvent } from '../api/feed.ts'
import { createLive } from './live.ts'

/** An animation as the service has it. */
export type SavedAnimation = Documents['SavedLightingAnimation']

export type LightingAnimation = Omit<SavedAnimation, 'revision'>
export type LightingTemplate = Documents['LightingTemplate']
export type LightingConfig = Documents['LightingConfig']
export type LightingCommand = Documents['LightingCommandOrder']
export type LightingShow = Documents['LightingShow']

/** What the lights show, and when that was read, of `performance.now()`: the pictures go on from there. */
export type LightingNow = Documents['LightingState'] & { readonly readMs: number }

/** A group of lights as it is now. */
export type LightingGroupNow = LightingNow['groups'][number]

const isOne = ({ kind, resource_ref }: FeedEvent, kinds: readonly string[]): boolean =>
  resource_ref.peer_id === undefined && kinds.includes(kind)

/** A saved animation may be what the configuration could not show. */
const HEEDED = ['lighting_changed', 'lighting_config_changed', 'lighting_animation_changed']

/** What they show now. */
export const lightingNow = createLive<LightingNow>({
  read: async () => {
    const answer = await ask(api.GET('/v1/device/lighting/state'))
    return answer.ok ? { ...answer, value: { ...answer.value, readMs: performance.now() } } : answer
  },
  heed: (event) => (isOne(event, HEEDED) ? 'stale' : undefined),
})

/** How they are set up. */
export const lightingConfig = createLive<Documents['LightingConfigDocument']>({
  read: () => ask(api.GET('/v1/device/lighting/config')),
  heed: (event) => (isOne(event, ['lighting_config_changed']) ? 'stale' : undefined),
})

/** The saved animations, as the service has them now. */
export const readAnimations = async (): Promise<Answer<readonly SavedAnimation[]>> => {
  const answer = await ask(api.GET('/v1/device/lighting/animations'))
  return answer.ok ? { ...answer, value: answer.value.animations } : answer
}

/** The saved animations. */
export const lightingAnimations = createLive<readonly SavedAnimation[]>({
  read: readAnimations,
  heed: (event) => (isOne(event, ['lighting_animation_changed']) ? 'stale' : undefined),
})

/** The built-in templates; the same as long as the service runs. */
export const lightingTemplates = createLive<readonly LightingTemplate[]>({
  read: async () => {
    const answer = await ask(api.GET('/v1/device/lighting/templates'))
    return answer.ok ? { ...answer, value: answer.value.templates } : answer
  },
  heed: () => undefined,
})

/** The outputs that could light. */
export const leds = createLive<Documents['Leds']>({
  read: () => ask(api.GET('/v1/peripherals/leds')),
  heed: (event) => (isOne(event, ['lighting_changed', 'lighting_config_changed']) ? 'stale' : undefined),
})

/** Tells the lights what to show. Of what only waits for its turn no event tells. */
export const commandLights = async (body: LightingCommand) => {
  const answer = await ask(api.POST('/v1/device/lighting', { body }))
  lightingNow.refresh()
  return answer
}

/** Ends all that people have told the lights: they go to who comes next. */
export const releaseLights = () => commandLights({ command: 'off', ttl_ms: 0 })

/** expected: the revision that it is made from; null: whatever there is. */
export const writeLightingConfig = (config: Partial<LightingConfig>, expected: number | null) =>
  ask(
    api.POST('/v1/device/lighting/config', {
      body: { ...config, ...(expected !== null && { expected_revision: expected }) },
    }),
  )

/** As they were delivered. */
export const resetLightingConfig = (): Promise<Answer<Documents['LightingConfigDocument']>> =>
  ask(api.POST('/v1/device/lighting/config/reset', { body: {} }))

/** Saves one under its name. expected: the revision that it is made from; null: whatever there is. */
export const saveAnimation = (
  { name, title, duration_ms, loop, tracks }: LightingAnimation,
  expected: number | null,
): Promise<Answer<unknown>> =>
  ask(
    api.POST('/v1/device/lighting/animations', {
      body: { name, title, duration_ms, loop, tracks, ...(expected !== null && { expected_revision: expected }) },
    }),
  )

/** Deletes a saved one, unless somebody has changed it since. isLeaving: the page is about to be gone. */
export const deleteAnimation = ({ name, revision }: SavedAnimation, isLeaving: boolean) =>
  ask(
    api.DELETE('/v1/device/lighting/animations/{name}', {
      params: { path: { name } },
      keepalive: isLeaving,
      body: { expected_revision: revision },
    }),
  )
