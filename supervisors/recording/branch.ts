// The recordings of the streams.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { IMU } from '../../actors/imu/tokens.ts'
import { ImuRecorder } from '../../actors/recording/imu-recorder.ts'
import { RecordingNews } from '../../actors/recording/recording-news.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { recordingChanged } from '../../machines/stream/events.ts'
import { MEDIA_STORE } from '../../native/media/port.ts'
import { branch } from '../composition/branch.ts'
import { RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { endRecordings, followRecordings, recordingChildren } from './children.ts'

export const recordingBranch = branch({
  events: [recordingChanged],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    media: MEDIA_STORE,
    imu: IMU,
    record: RECORD,
  },
  start: ({ supervisor, lifecycle, onBug, directory: { clock, events }, streams, imu, ...parts }) =>
    Effect.gen(function* () {
      const news = new RecordingNews(events)
      yield* Effect.acquireRelease(
        Effect.sync(() => lifecycle.add(followRecordings({ supervisor, streams, news }))),
        (stop) => Effect.sync(stop),
      )
      const children = recordingChildren({ supervisor, streams, clock, imu: new ImuRecorder(imu), ...parts })
      yield* Effect.addFinalizer(() => endRecordings(supervisor, streams))
      yield* keepAsWanted({ supervisor, lifecycle, onBug }, children)
    }),
})
