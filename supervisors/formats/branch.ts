// The measuring of a camera's modes, as work for jobs.
import * as Effect from 'effect/Effect'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { formatBench } from '../../actors/formats/format-bench.ts'
import { FORMAT_BENCH } from '../../actors/formats/tokens.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'

/** Starts nothing: jobs do. */
export const formatBranch = branch({
  offers: [
    offer(FORMAT_BENCH, { engines: ENGINES, cameras: CAMERAS }, (parts) => (request) => formatBench(parts, request)),
  ],
  needs: {},
  start: () => Effect.void,
})
