// The one endpoint by which other devices have something done with a stream.

import type { Static } from 'typebox'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import {
  SOURCE_COMMANDS,
  type SourceCommand,
  StreamCommand,
  StreamCommandAnswer,
} from '../../machines/interdevice/command.ts'
import type { PeerOrders } from '../../machines/interdevice/peer-orders.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { staleFault, type Written } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { command, isUndecided } from '../endpoints/command.ts'
import type { Call, Endpoint } from '../endpoints/endpoint.ts'
import { SNAPSHOT_FAULTS } from '../media/snapshot.ts'
import { fault, type Refusal } from '../problems/problem.ts'
import { START_FAULTS } from '../stream/recording.ts'
import { poseExample, streamParams } from '../stream/wire.ts'
import { type CommandParts, type Operation, operationsOf, under } from './operations.ts'
import { sharedStream } from './shared-stream.ts'

/** The faults of all commands together. */
const FAULTS = [
  ...SNAPSHOT_FAULTS,
  ...START_FAULTS,
  ...(['camera.not_open', 'camera.not_found', 'camera.failed', 'camera.in_use'] as const),
  ...(['control.unknown', 'control.out_of_range', 'control.refused', 'control.adjusted'] as const),
  ...(['manifest.invalid', 'graph.not_found', 'slot.empty', 'slot.active'] as const),
  ...(['pipeline.refused', 'pipeline.stored', 'token.required'] as const),
  ...(['document.invalid', 'storage.full', 'storage.in_use'] as const),
]

type CommandCall = Pick<
  Call<'id', unknown, Static<typeof StreamCommand>>,
  'params' | 'body' | 'expected' | 'administers' | 'mark'
>

export const commandRow = (parts: CommandParts): Endpoint => {
  const operations = operationsOf(parts)
  const { clock } = parts.directory
  const revisionOf = (id: string) => parts.streams.get(id)?.stored.revision ?? 0
  const operationOf = ({ body }: Pick<CommandCall, 'body'>): Operation | Fault =>
    isSourceCommand(body.command) ? operations[body.command] : unknownCommand(body.command)

  const send = async ({ params: { id }, body, expected, administers, mark }: CommandCall) => {
    const stream = sharedStream(parts, id)
    if (isFault(stream)) return stream
    const asked = operationOf({ body })
    if (isFault(asked)) return asked
    const { payload = {} } = body
    const errors = schemaErrors(asked.payload, payload)
    if (errors.length > 0) return under('/payload', misfit(errors, 'the payload'))
    const stale = staleFault(`${streamCollection.name}/${id}`, stream.stored.revision, expected)
    if (stale) return stale
    return under('/payload', await asked.send({ id, payload: payload as never, expected, administers, mark }))
  }

  const row = command('POST', '/v1/interdevice/streams/:id/commands', {
    params: streamParams,
    summary: 'Have something done with a stream',
    about: ABOUT,
    access: 'peer',
    conditional: true,
    publishes: [streamChanged],
    body: {
      schema: StreamCommand,
      example: { request_id: '6f1e3c5a-0b5d-4d1c-9a64-0f1f0c6e7b21', command: 'set_pose', payload: poseExample },
    },
    to: (call) => {
      const asked = operationOf(call)
      return isFault(asked) || asked.to === 'settings' ? 'settings' : asked.to(call.params.id)
    },
    send,
    limitMs: (call) => {
      const asked = operationOf(call)
      return isFault(asked) ? undefined : asked.limitMs
    },
    refusal: ({ params }, { code, detail }): Refusal => ({
      ...(!isUndecided({ code }) && { accepted: false, error: { code, detail } }),
      ...(!isFault(sharedStream(parts, params.id)) && { new_revision: revisionOf(params.id) }),
    }),
    answer: {
      schema: StreamCommandAnswer,
      example: { accepted: true, new_revision: 4, applied_at_ms: 1_767_225_600_000 },
      of: async (call, done): Promise<StreamCommandAnswer> => {
        const asked = operationOf(call) as Operation // or there would be nothing that was done
        const { id } = call.params
        const result = await asked.result?.(id, done)
        const new_revision = asked.writesStream ? (done as Written).revision : revisionOf(id)
        // undefined when a recording was stopped that did not run
        const { at_ms: applied_at_ms = clock.nowMs() } = (done ?? {}) as Partial<typeof done>
        const answer = { accepted: true, new_revision, applied_at_ms }
        // it is done all the same
        if (isFault(result)) return { ...answer, warning: { code: result.code, detail: result.detail } }
        return result === undefined ? answer : { ...answer, result }
      },
      revision: ({ new_revision }: StreamCommandAnswer) => new_revision,
    },
    faults: FAULTS,
  })
  return { ...row, serve: counted(parts.peerOrders, row.serve) }
}

/** Counts as an order of another device for as long as it is carried out. */
const counted =
  (orders: PeerOrders, serve: Endpoint['serve']): Endpoint['serve'] =>
  async (call, reply) => {
    const end = orders.begin()
    try {
      return await serve(call, reply)
    } finally {
      end()
    }
  }

const ABOUT = oneLine`
  Each command goes through the operation of the endpoint of the same effect, and is refused as that refuses it.
  \`payload\` is the body of that: \`start_recording\` and \`stop_recording\` of \`recording/start\` and
  \`recording/stop\`, \`snapshot\`, \`set_crop\` of \`crop\`, \`set_pose\` and \`clear_pose\` of \`PUT\` and \`DELETE
  pose\`, \`switch_pipeline\` of \`pipeline/graph\`, all under \`/v1/streams/{id}\`. \`set_control\` takes
  \`{"control_id": 9963776, "value": 12}\`. \`apply_manifest_patch\` takes \`{"patch": {"alias": "Bow"}}\`: a JSON
  merge patch (RFC 7396) of the manifest, which is then checked like a new one; null gives a field its default again.
  The id stays, and slots are changed by \`switch_pipeline\`. \`result\` is what that endpoint answers. A repeat with
  the same \`request_id\` gets the first answer again. What is carried out is \`accepted\`, also where something went
  wrong after that (\`warning\`). Refusals are problems with \`accepted: false\`, \`new_revision\` (the present one)
  and \`error\`, and nothing is done.
`

const isSourceCommand = (name: string): name is SourceCommand => (SOURCE_COMMANDS as readonly string[]).includes(name)

const misfit = (errors: readonly SchemaError[], what: string): Fault =>
  fault('body.invalid', firstError(errors, what), { errors })

const unknownCommand = (name: string): Fault => {
  const known = `a stream here takes ${SOURCE_COMMANDS.join(', ')}`
  const message =
    name === 'set_compute'
      ? oneLine`
        is set_compute, which is for the device that watches: it says where that one computes, and changes nothing here;
        ${known}
      `
      : `is ${quote(name)}, which is no command here; ${known}`
  return misfit([{ pointer: '/command', message }], 'the body')
}
