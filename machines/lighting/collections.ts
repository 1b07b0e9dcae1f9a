// Where the configuration of the lights and the saved animations are stored.
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, documentsOf, type SettingsStore, type StoredValue } from '../settings/store.ts'
import { Animation, AnimationName } from './animation.ts'
import { flawsOfAnimation } from './animation-flaws.ts'
import { flawsOf, LightingConfig } from './config.ts'
import { lightingAnimationChanged, lightingConfigChanged } from './events.ts'
import type { BlinkTimes, ShowLibrary } from './show.ts'
import { TEMPLATES } from './templates.ts'

/** The id of the one configuration. */
export const LIGHTING_DOCUMENT = 'config'

/** More animations than this are a list that nobody finds anything in. */
const MAX_ANIMATIONS = 100

/** What of the configuration is not as it was delivered. */
export const lightingConfigCollection = collection({
  name: 'lighting-config',
  id: Type.Literal(LIGHTING_DOCUMENT),
  schema: Type.Partial(LightingConfig, { additionalProperties: false }),
  limit: 1,
  changed: lightingConfigChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has set anything of the lights yet' }),
  blank: {},
})

/** Saved animations, by name. */
export const lightingAnimationCollection = collection({
  name: 'lighting-animations',
  id: AnimationName,
  schema: Animation,
  limit: MAX_ANIMATIONS,
  changed: lightingAnimationChanged,
  notFound: (name) => ({
    code: 'lighting.animation_not_found',
    detail: `no animation is saved under the name ${name}; GET /v1/device/lighting/animations lists them`,
  }),
  check: flawsOfAnimation,
})

/**
 * What holds of a stored change of what was delivered: nothing where the two do not go together, as with outputs that
 * are delivered no more.
 */
export const inForce = (stored: Partial<LightingConfig>, delivered: LightingConfig): Partial<LightingConfig> =>
  flawsOf({ ...delivered, ...stored }).length > 0 ? {} : stored

/** The configuration in force. delivered: what holds where nobody has changed anything. revision 0: nobody has. */
export const lightingConfigIn = (store: SettingsStore, delivered: LightingConfig): StoredValue<LightingConfig> => {
  const { revision = 0, value = {} } = documentOf(store, lightingConfigCollection, LIGHTING_DOCUMENT) ?? {}
  return { revision, value: { ...delivered, ...inForce(value, delivered) } }
}

/** What pictures are made with: saved animations, then templates. */
export const libraryIn = (store: SettingsStore, blink: BlinkTimes): ShowLibrary => ({
  blink,
  find: (name) => {
    const saved = documentsOf(store, lightingAnimationCollection)
    return Object.hasOwn(saved, name) ? saved[name]?.value : TEMPLATES.find(({ id }) => id === name)
  },
})
