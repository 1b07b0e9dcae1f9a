// The pictures of a stream of this device as messages, at whatever path.
import type { Static, TObject } from 'typebox'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { leavesDevice } from '../../../machines/bandwidth/budget.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { namesIn } from '../../../machines/schema/name-list.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { whyNoPicture } from '../../../machines/stream/outputs.ts'
import { watchPictures } from '../../../machines/stream/watch-pictures.ts'
import type { Call, Endpoint, RowBase } from '../../endpoints/endpoint.ts'
import { feed } from '../../endpoints/feed.ts'
import { ofStream } from '../of-stream.ts'
import { streamParams } from '../wire.ts'
import { framesForm } from './frames-form.ts'
import type { Previews } from './preview.ts'
import type { PreviewParts } from './show-preview.ts'

const TRY_AGAIN_LATER = 1013

/** What the paths to frames differ in. refuse: why a stream is not shown there. */
export interface OwnFramesOptions extends Pick<RowBase, 'access'> {
  readonly refuse: (id: string) => Fault | undefined
}

type FrameCall = Pick<
  Call<'id', Static<TObject<typeof framesForm.query>>>,
  'params' | 'query' | 'request' | 'directory'
>

/** path: of all streams. previews: who watches. */
export const ownFrames = (
  parts: PreviewParts,
  previews: Previews,
  path: string,
  { refuse, ...options }: OwnFramesOptions,
): Endpoint => {
  const shown = (id: string): StreamRuntime | Fault => refuse(id) ?? ofStream(parts, id, (stream) => stream)

  const viewOf = ({ params, query, request, directory }: FrameCall) => {
    const { fps = 0, results = false, outputs, ...look } = query
    const stream = shown(params.id)
    if (isFault(stream)) return stream
    const isMetered = parts.budget.mbit_s !== null && leavesDevice(request.socket)
    const watch = watchPictures(stream, look, { fps, isMetered, has_results: results })
    if (isFault(watch)) return watch
    return {
      clock: directory.clock,
      stream,
      watch,
      fps,
      output: look.output ?? '',
      results: results ? choiceOf(outputs) : null,
    }
  }

  const choiceOf = (outputs: string | undefined) => (outputs === undefined ? {} : { outputs: namesIn(outputs) })

  return feed('GET', `${path}/:id/frames` as '/:id', {
    ...framesForm,
    ...options,
    params: streamParams,
    summary: 'Live pictures, each a message',
    about: oneLine`
      The same pictures as those of the preview as MJPEG, each with what was found in its very frame where that is
      asked for. Counted and limited as previews are. Who is slow misses pictures, the newest wins; who takes none
      for 30 s is cut off. Closed with 1001 when the stream is deleted, with 1013 when there is no room by then.
    `,
    admit: ({ params: { id }, query: { output } }) => {
      const stream = shown(id)
      if (isFault(stream)) return stream
      return parts.viewers.full() ?? (output === undefined ? undefined : whyNoPicture(stream.wanted.value, output))
    },
    accept: (call, socket) => {
      const view = viewOf(call)
      const full = parts.viewers.full() // others may have come since it was let in
      if (isFault(view) || full) {
        if (!isFault(view)) view.watch.release()
        socket.close(TRY_AGAIN_LATER, 'there is no room for another viewer of this kind; ask for a frame to hear why')
        return
      }
      previews.showMessages({ socket, connection: call.request.socket }, view)
    },
    faults: ['stream.not_found', 'viewer.too_many', 'output.not_found', 'output.other_kind'],
  })
}
