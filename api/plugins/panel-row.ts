// The kind `panel`: a file of a panel of a plugin, with the policy that keeps it apart. It is asked for by a page whose
// origin is nobody's, with a ticket in its address.
import type { TSchema } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import Type from '../../machines/schema/type.ts'
import { type CallOf, type Endpoint, endpoint, type RowBase, type RowParams } from '../endpoints/endpoint.ts'
import { SUCCESS } from '../problems/faults.ts'
import { sendProblem } from '../problems/problem.ts'

/** A file of a panel, as it is sent. */
export interface PanelFile {
  readonly bytes: Buffer
  readonly mediaType: string
  readonly policy: string
}

type NoQuery = Record<never, never>

export interface PanelRow<Path extends string> extends RowBase<NoQuery> {
  readonly find: (call: CallOf<Path, NoQuery, TSchema>) => Promise<PanelFile | Fault>
}

const Bytes = Type.Unsafe<Uint8Array>({
  type: 'string',
  format: 'binary',
  title: 'PanelBytes',
  description: 'A file of a panel.',
})

export const panel = <Path extends string>(path: Path, row: PanelRow<Path> & RowParams<Path>): Endpoint =>
  endpoint(
    'panel',
    'GET',
    path,
    { access: 'open', hidden: true, ...row },
    {
      answer: { status: 'ok', mediaType: '*/*', schema: Bytes },
      serve: async (call, reply) => {
        const found = await row.find(call as CallOf<Path, NoQuery, TSchema>)
        if (isFault(found)) return sendProblem(reply, found)
        reply.headers({
          'content-security-policy': found.policy,
          // its modules are asked for by an origin that is nobody's; without a ticket there is nothing to be had
          'access-control-allow-origin': '*',
          'referrer-policy': 'no-referrer',
          'cache-control': 'private, no-cache',
        })
        return reply.code(SUCCESS.ok).type(found.mediaType).send(found.bytes)
      },
    },
  )
