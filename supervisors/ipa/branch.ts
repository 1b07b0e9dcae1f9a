// The tuning files of cameras.
import * as Effect from 'effect/Effect'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { solveChart } from '../../actors/ipa/solve-chart.ts'
import { SOLVE_CHART, TUNING_FILES } from '../../actors/ipa/tokens.ts'
import { TuningFiles } from '../../actors/ipa/tuning-files.ts'
import { RESTARTS } from '../../actors/restart/tokens.ts'
import { FRESH_PICTURE, STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { ipaChanged } from '../../machines/ipa/events.ts'
import { CHART_FINDER, IPA } from '../../native/ipa/port.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ipaPorts } from './ports.ts'

export const ipaBranch = branch({
  events: [ipaChanged],
  ports: ipaPorts,
  offers: [
    offer(
      TUNING_FILES,
      { port: IPA, cameras: CAMERAS, streams: STREAM_REGISTRY, restarts: RESTARTS, directory: DIRECTORY },
      (parts) => new TuningFiles(parts),
    ),
    offer(
      SOLVE_CHART,
      { finder: CHART_FINDER, files: TUNING_FILES, store: MEDIA_STORE, freshPicture: FRESH_PICTURE },
      solveChart,
    ),
  ],
  needs: {},
  start: () => Effect.void,
})
