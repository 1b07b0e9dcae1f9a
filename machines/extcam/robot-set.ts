// What a robot program has set on its camera, put together for the status of the stream.
import { isSameJson } from '../settings/same-json.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import type { RobotSet } from '../stream/robot-set.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from './live.ts'
import { liveInForce, NO_WANTS, type RobotWants } from './robot-wants.ts'

/** null: nothing is otherwise than without a robot. */
export const robotSetOf = (
  live: LiveControls | undefined,
  wants: RobotWants | undefined,
  manifest: Pick<CanonicalManifest, 'crop'>,
): RobotSet | null => {
  const set = asSet(liveInForce(live ?? NO_LIVE_CONTROLS, manifest, 0), wants ?? NO_WANTS)
  return isSameJson(set, NOTHING) ? null : set
}

const asSet = ({ aim_m, localization_ids, ...live }: LiveControls, { mount, keepsRewind }: RobotWants): RobotSet => ({
  ...live,
  aim_m: aim_m && [...aim_m],
  localization_ids: localization_ids && [...localization_ids],
  mount,
  keeps_rewind: keepsRewind,
})

const NOTHING = asSet(NO_LIVE_CONTROLS, NO_WANTS)
