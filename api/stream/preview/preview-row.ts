// The kind `preview`: pictures without end, which go past the HTTP server straight to the socket.
import type { TProperties, TSchema } from 'typebox'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { type CallOf, type Endpoint, endpoint, type RowBase, type RowParams } from '../../endpoints/endpoint.ts'
import { sendProblem } from '../../problems/problem.ts'
import type { Previews } from './preview.ts'
import { PREVIEW_ANSWER, PREVIEW_FAULTS, type PreviewLook, type PreviewParts, showPreview } from './show-preview.ts'

/** A row of the kind. */
export interface PreviewRow<Path extends string, Query extends TProperties> extends RowBase<Query> {
  /** Which stream is shown, and how; or why none is. */
  readonly look: (call: CallOf<Path, Query, TSchema>) => PreviewLook | Fault
}

/** previews: who watches. */
export const preview = <Path extends string, Query extends TProperties>(
  path: Path,
  parts: PreviewParts,
  previews: Previews,
  row: PreviewRow<Path, Query> & RowParams<Path>,
): Endpoint =>
  endpoint('preview', 'GET', path, row, {
    answer: PREVIEW_ANSWER,
    faults: PREVIEW_FAULTS,
    serve: (call, reply) => {
      const { directory, request } = call
      const look = row.look(call as CallOf<Path, Query, TSchema>)
      if (isFault(look)) return sendProblem(reply, look)
      return showPreview(parts, previews, { clock: directory.clock, request, reply }, look)
    },
  })
