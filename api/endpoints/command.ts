// The kind `command`: tells an actor to change something and answers with what became of it.
import type { FastifyReply } from 'fastify'
import type { TProperties, TSchema } from 'typebox'
import { askNow, DISK_LIMIT } from '../../actors/ask.ts'
import type { ClientCode, FaultCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { GivenAnswer, RequestMark } from '../../machines/requests/request.ts'
import type { Written } from '../../machines/settings/commit.ts'
import type { ActorName, AnswerOf, Command } from '../../machines/supervision/actors.ts'
import { SUCCESS, type Success, statusOf } from '../problems/faults.ts'
import { fault, type Refusal } from '../problems/problem.ts'
import { documentAnswer, emptyAnswer, problemAnswer, sendAnswer } from './answer.ts'
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
import { etagOf } from './revision.ts'

/**
 * What of an actor's answer is still known when the request is answered by another run of the service. at_ms: when it
 * was carried out, where that is known: Unix time.
 */
type Lasting<Answer> = Pick<Answer, keyof Answer & ('id' | 'revision')> & { readonly at_ms?: number }

/** The result of an order that no actor carries out: its row has done it. */
export class Done {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/**
 * An order for which something was done beforehand. undo: takes that back; called when the order is refused, and not
 * where it may have been carried out.
 */
export class Undoable<Order> {
  readonly order: Order
  readonly undo: () => Awaitable<unknown>

  constructor(order: Order, undo: () => Awaitable<unknown>) {
    this.order = order
    this.undo = undo
  }
}

/** Whether the one who carries an order out was not heard of again: it may be done by now. */
export const isUndecided = ({ code }: Pick<Fault, 'code'>): boolean =>
  code === 'actor.timeout' || code === 'actor.ended'

/**
 * How a row makes its document. call: the request. done: the actor's reply. canBeGone: what it shows can have been
 * deleted since; then it makes none, and the answer has no body.
 */
type Shown<Call, Done> =
  | { readonly canBeGone?: undefined; readonly of: (call: Call, done: Done) => Awaitable<object | Fault> }
  | { readonly canBeGone: true; readonly of: (call: Call, done: Done) => Awaitable<object | Fault | undefined> }

/**
 * A row of the kind `command`.
 *
 * to: the actor's name in the directory, or the function that gives it for each resource. send: the order, or why there
 * is none to give. limitMs: how long the actor may take. conditional: what it writes has a revision. revision: of what
 * was written, where the actor does not answer with it; undefined: it is gone. refusal: what a problem says beside the
 * fault.
 */
export interface CommandRow<
  Path extends string,
  Query extends TProperties,
  Body extends TSchema,
  Name extends ActorName,
> extends RowBase<Query> {
  readonly to: Name | ((call: CallOf<Path, Query, Body>) => Name)
  readonly body?: BodySpec<Body>
  readonly limitMs?: number | ((call: CallOf<Path, Query, Body>) => number | undefined)
  readonly conditional?: boolean
  readonly revision?: (call: CallOf<Path, Query, Body>) => number | undefined
  readonly send: (call: CallOf<Path, Query, Body>) => Awaitable<Command<Name> | Undoable<Command<Name>> | Done | Fault>
  readonly refusal?: (call: CallOf<Path, Query, Body>, found: Fault) => Refusal
  /**
   * Without one the answer has no body. location: where it is found from then on. revision: its ETag, where it has
   * none.
   */
  readonly answer?: Shown<CallOf<Path, Query, Body>, Lasting<AnswerOf<Name>>> & {
    readonly status?: Extract<Success, 'ok' | 'created'>
    readonly schema: TSchema
    readonly example: unknown
    readonly location?: (document: never) => string
    readonly revision?: (document: never) => number
  }
}

export const command = <Path extends string, Query extends TProperties, Body extends TSchema, Name extends ActorName>(
  method: Exclude<Method, 'GET'>,
  path: Path,
  row: CommandRow<Path, Query, Body, Name> & RowParams<Path>,
): Endpoint => {
  const { conditional = false, answer } = row
  const status = answer?.status ?? 'ok'

  const order = async (call: CallOf<Path, Query, Body>, mark: RequestMark | undefined): Promise<unknown | Fault> => {
    // before anything is done
    if (typeof row.to === 'string' && !call.directory.actor(row.to)) return restarting(row.to)
    const wanted = await row.send(call)
    if (isFault(wanted)) return wanted
    if (wanted instanceof Done) return wanted.value
    if (!(wanted instanceof Undoable)) return carriedOut(call, wanted, mark)
    const done = await carriedOut(call, wanted.order, mark)
    if (isFault(done) && !isUndecided(done)) await wanted.undo()
    return done
  }

  const carriedOut = async (
    call: CallOf<Path, Query, Body>,
    wanted: Command<Name>,
    mark: RequestMark | undefined,
  ): Promise<unknown | Fault> => {
    const to = typeof row.to === 'function' ? row.to(call) : row.to
    const actor = call.directory.actor(to)
    if (!actor) return restarting(String(to))
    const marked = mark && KEEPERS[to] ? { ...wanted, request: mark } : wanted
    const limitMs = typeof row.limitMs === 'function' ? row.limitMs(call) : row.limitMs
    const limit = limitMs ?? (KEEPERS[to] ? DISK_LIMIT : undefined)
    const reply = await askNow(actor, marked as typeof wanted, limit)
    return reply.outcome === 'done' ? reply.value : reply.fault
  }

  const answerTo = async (call: CallOf<Path, Query, Body>, done: unknown): Promise<GivenAnswer | Fault> => {
    if (!answer) return emptyAnswer(row.revision ? { revision: row.revision(call) } : conditional ? done : undefined)
    const document = await answer.of(call, done as Lasting<AnswerOf<Name>>)
    if (document === undefined) return goneAnswer(done as Partial<Lasting<Written>>)
    if (isFault(document)) return document
    const given = documentAnswer(status, document)
    return answer.revision ? { ...given, etag: etagOf(answer.revision(document as never)) } : given
  }

  const problem = (call: CallOf<Path, Query, Body>, found: Fault): GivenAnswer =>
    problemAnswer(found, call.request, row.refusal?.(call, found))

  const send = (reply: FastifyReply, given: GivenAnswer): FastifyReply => {
    const { location } = answer ?? {}
    if (location && given.status === SUCCESS[status])
      reply.header('location', location(JSON.parse(given.body) as never))
    return sendAnswer(reply, given)
  }

  return endpoint('command', method, path, row, {
    body: bodyOfCommand(row.body, conditional),
    conditional,
    faults: [
      ...ACTOR_FAULTS,
      ...REQUEST_FAULTS,
      ...(typeof row.to === 'string' ? (KEEPERS[row.to] ?? []) : []),
      ...(conditional ? [] : (['if_match.not_possible'] as const)),
    ],
    answer: answer
      ? {
          status,
          mediaType: 'application/json',
          schema: answer.schema,
          example: answer.example,
          ...(answer.canBeGone && { also: ['empty'] as const }),
          ...(answer.location && { headers: { Location: 'Where it is found from now on.' } }),
        }
      : { status: 'empty' },
    serve: async (anyCall, reply) => {
      const call = anyCall as CallOf<Path, Query, Body>
      const { mark, requests } = call
      const carryOut = async (written: unknown) => {
        const done = written ?? (await order(call, mark))
        const given = isFault(done) ? done : await answerTo(call, done)
        return isFault(given) ? { ...problem(call, given), isFinal: isFinal(given.code) } : { ...given, isFinal: true }
      }
      if (!mark) return send(reply, await carryOut(null))
      const once = await requests.once(mark, carryOut)
      if (isFault(once)) return sendAnswer(reply, problem(call, once))
      if (once.isRepeat) reply.header('idempotent-replayed', 'true')
      return send(reply, once.answer)
    },
  })
}

/** All that is known of what has been deleted since is the revision that it got; a job has none. */
const goneAnswer = ({ revision = 0 }: Partial<Lasting<Written>>): GivenAnswer =>
  emptyAnswer(revision > 0 ? { revision } : undefined)

/** Whether the same request would be told the same again; else it is to be tried again, with the same key. */
const isFinal = (code: FaultCode): boolean => code !== 'actor.not_now' && statusOf(code) < statusOf('internal')

const REQUEST_FAULTS: readonly ClientCode[] = ['request_id.malformed', 'request_id.reused', 'storage.failed']
const ACTOR_FAULTS: readonly ClientCode[] = ['actor.not_now', 'actor.unavailable', 'actor.timeout', 'actor.ended']
const STORAGE_FAULTS: readonly ClientCode[] = ['storage.full', 'storage.in_use', 'storage.unavailable']

/** The actors that keep the mark of a request together with its change, and how that can fail. */
const KEEPERS: Partial<Readonly<Record<ActorName, readonly ClientCode[]>>> = {
  settings: ['document.invalid', 'document.too_many', ...STORAGE_FAULTS],
  'job-keeper': STORAGE_FAULTS,
  media: STORAGE_FAULTS,
}

/** A part that is not there at present. */
export const restarting = (name: string): Fault =>
  fault('actor.unavailable', `the part ${name} is being restarted; try again in a second`)
