// What is published about the lights.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { AnimationName, GroupName } from './animation.ts'
import { OwnerKind } from './claims.ts'

const strict = { additionalProperties: false } as const

/** The configuration was changed. */
export const lightingConfigChanged = documentEvent({
  kind: 'lighting_config_changed',
  about: 'The configuration of the lights was changed.',
  of: null,
})

/** An animation was saved or deleted. */
export const lightingAnimationChanged = documentEvent({
  kind: 'lighting_animation_changed',
  about: 'An animation of lights was saved or deleted.',
  of: { field: 'animation_name', id: AnimationName, example: 'heartbeat' },
})

/** Somebody else has a light, or what drives them is in another state. */
export const lightingChanged = eventKind({
  kind: 'lighting_changed',
  about: oneLine`
    A group of lights has another holder, others wait for it or it shows something else, an output failed or works
    again, or the lights as a whole are in another state: told four times a second at most.
  `,
  reference: {},
  resource: 'GET /v1/device/lighting/state',
  data: Type.Object(
    {
      groups: Type.Array(
        Type.Object(
          { group: GroupName, owner: orNull(OwnerKind, 'Who has it. null: nobody, and it is dark.') },
          { ...strict, title: 'LightingGroupHolder', description: 'Who has a group of lights.' },
        ),
        { maxItems: 16, description: 'All groups.' },
      ),
    },
    { ...strict, title: 'LightingChange', description: 'Who has which lights now.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { groups: [{ group: 'ring', owner: 'robot' }] } },
})
