// The states of localization, as everybody is told.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** How it stands with localization. */
export const LocalizationState = Type.Enum(['off', 'waiting', 'tracking', 'coasting', 'lost'], {
  title: 'LocalizationState',
  description: oneLine`
    \`off\`: the config says so. \`waiting\`: no stream can be used. \`tracking\`: a round gave a pose within the last
    0.3 s. \`coasting\`: none did, and the pose is carried on by odometry. \`lost\`: nobody knows where the robot is.
  `,
})
export type LocalizationState = Static<typeof LocalizationState>
