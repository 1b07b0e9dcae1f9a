// The streams.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { keepDesks } from '../../actors/stream/desks.ts'
import { STREAM_DESKS } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { ENGINES } from '../../native/engine/port.ts'
import { MEDIA } from '../../native/media/port.ts'
import { StreamChildren } from '../children/streams.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, OPTIONS, RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { createDemoStream } from './demo.ts'
import { incarnateStream } from './incarnation.ts'
import { streamPorts } from './ports.ts'

export const streamBranch = branch({
  ports: streamPorts,
  offers: [
    offer(STREAM_DESKS, { directory: DIRECTORY, onBug: ON_BUG }, ({ directory, onBug }) => keepDesks(directory, onBug)),
  ],
  needs: {
    ...{ ...supervision, directory: DIRECTORY, options: OPTIONS, record: RECORD },
    ...{ desks: STREAM_DESKS, engines: ENGINES, maps: FIELD_MAPS, media: MEDIA },
  },
  start: ({ supervisor, lifecycle, onBug, directory, options, desks, ...parts }) =>
    Effect.gen(function* () {
      const streams = new StreamChildren({ supervisor, directory, desks, incarnate: incarnateStream(parts) })
      lifecycle.add((event) => streams.show(event))
      if (options.demo) yield* createDemoStream(directory)
      yield* keepAsWanted({ supervisor, lifecycle, onBug }, streams)
    }),
})
