// What the lights offer to others.
import type { LightingConfig } from '../../machines/lighting/config.ts'
import { token } from '../../machines/token.ts'
import type { LightClaims } from './light-claims.ts'
import type { LightingView } from './lighting-view.ts'
import type { OutputLook } from './output-look.ts'

/** What people can see of the lights. */
export const LIGHTING_VIEW = token<LightingView>('lighting-view')

/** Where a robot's camera asks for light. */
export const LIGHTING = token<Pick<LightClaims, 'setLedMode'>>('lighting')

/** The claims that outlast the actor of the lights. */
export const LIGHT_CLAIMS = token<LightClaims>('light-claims')

/** How the lights are set up as long as nobody has changed anything. */
export const DELIVERED_LIGHTING = token<LightingConfig>('delivered-lighting')

/** Which outputs there are. */
export const OUTPUT_LOOK = token<OutputLook>('output-look')
