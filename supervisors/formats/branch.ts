// The measuring of a camera's modes, as work for jobs.
import * as Effect from 'effect/Effect'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { FormatBenches } from '../../actors/formats/format-benches.ts'
import { FORMAT_BENCHES } from '../../actors/formats/tokens.ts'
import { ROBOT_ENABLED } from '../../actors/nt4/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'

/** Starts nothing: jobs do. */
export const formatBranch = branch({
  offers: [
    offer(
      FORMAT_BENCHES,
      { engines: ENGINES, cameras: CAMERAS, streams: STREAM_REGISTRY, robotEnabled: ROBOT_ENABLED },
      (parts) => new FormatBenches(parts),
    ),
  ],
  needs: {},
  start: () => Effect.void,
})
