// The kind `command`: tells an actor to change something and answers with what became of it.
import type { TProperties, TSchema } from 'typebox'
import { askNow } from '../../actors/ask.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { ActorName, AnswerOf, Command } from '../../machines/supervision/actors.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { sendDocument, sendEmpty } from './answer.ts'
import { bodyOfCommand } from './controls.ts'
import {
  type Awaitable,
  type BodySpec,
  type CallOf,
  type Endpoint,
  endpoint,
  type Method,
  type RowBase,
  type RowParams,
} from './endpoint.ts'

/** to: the actor's name in the directory. send: the order, or why there is none to give. conditional: what it writes has a revision. revision: of what was written, where the actor does not answer with it. */
export interface CommandRow<
  Path extends string,
  Query extends TProperties,
  Body extends TSchema,
  Name extends ActorName,
> extends RowBase<Query> {
  readonly to: Name
  readonly body?: BodySpec<Body>
  readonly conditional?: boolean
  readonly revision?: (call: CallOf<Path, Query, Body>) => number
  readonly send: (call: CallOf<Path, Query, Body>) => Awaitable<Command<Name> | Fault>
  /** Without one the answer has no body. of: the document, from the order and the actor's reply to it. */
  readonly answer?: {
    readonly schema: TSchema
    readonly example: unknown
    readonly of: (call: CallOf<Path, Query, Body>, order: Command<Name>, value: AnswerOf<Name> | undefined) => object
  }
}

export const command = <Path extends string, Query extends TProperties, Body extends TSchema, Name extends ActorName>(
  method: Exclude<Method, 'GET'>,
  path: Path,
  row: CommandRow<Path, Query, Body, Name> & RowParams<Path>,
): Endpoint =>
  endpoint('command', method, path, row, {
    body: bodyOfCommand(row.body, row.conditional ?? false),
    conditional: row.conditional ?? false,
    faults: [
      ...ACTOR_FAULTS,
      ...(row.to === 'settings' ? SETTINGS_FAULTS : []),
      ...(row.conditional ? [] : (['if_match.not_possible'] as const)),
    ],
    answer: row.answer
      ? { status: 'ok', mediaType: 'application/json', schema: row.answer.schema, example: row.answer.example }
      : { status: 'empty' },
    serve: async (call, reply) => {
      const typed = call as CallOf<Path, Query, Body>
      const order = await row.send(typed)
      if (isFault(order)) return sendProblem(reply, order)
      const actor = call.directory.actor(row.to)
      if (!actor) return sendProblem(reply, restarting(row.to))
      const answer = await askNow(actor, order)
      if (answer.outcome !== 'done') return sendProblem(reply, answer.fault)
      return row.answer
        ? sendDocument(reply, 'ok', row.answer.of(typed, order, answer.value as AnswerOf<Name> | undefined))
        : sendEmpty(reply, row.revision ? { revision: row.revision(typed) } : answer.value)
    },
  })

const ACTOR_FAULTS: readonly ClientCode[] = ['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended']
const SETTINGS_FAULTS: readonly ClientCode[] = [
  'document.invalid',
  'document.too_many',
  'storage.failed',
  'storage.full',
  'storage.in_use',
]

const restarting = (name: string): Fault =>
  fault('actor.unavailable', `the part ${name} is being restarted; try again in a second`)
