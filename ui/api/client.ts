// The published interface, typed by its own description (`schema.d.ts`, which is generated). A request that gets no
// answer and one that is refused are answers too; everything else that throws is a bug and is told as one.
import createClient from 'openapi-fetch'
import { noteDeviceTime } from './device-clock.ts'
import type { components, paths } from './schema.d.ts'

/** Every document of the interface, by its name there. */
export type Documents = components['schemas']

/** Why something was not done: the service's own words, or that it was not reached. */
export interface Problem {
  /** `service.away` when there was no answer; else one of the service's. */
  readonly code: string
  readonly detail: string
  readonly context?: Readonly<Record<string, unknown>>
  /** What is wrong with what was sent, place by place. */
  readonly errors?: readonly Flaw[]
}

/** What is wrong at a place. */
export interface Flaw {
  /** RFC 6901, into what was sent; empty: the whole of it. */
  readonly pointer: string
  readonly message: string
}

/** What came of a request. */
export type Answer<T> =
  | {
      readonly ok: true
      readonly value: T
      /** Of the document that was read or written; null where there is none. */
      readonly revision: number | null
    }
  | { readonly ok: false; readonly problem: Problem; readonly status: number }

const AWAY: Problem = {
  code: 'service.away',
  detail: 'The device does not answer. It may be restarting, or this computer has lost its network.',
}

class Unreachable extends Error {}

/** Typed by path: `api.GET('/v1/streams/{id}', { params: { path: { id } } })`. Wrap each call in `ask`. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: async (request) => {
    try {
      const response = await fetch(request)
      noteDeviceTime(Date.parse(response.headers.get('date') ?? ''))
      return response
    } catch (error) {
      throw new Unreachable((error as Error).message)
    }
  },
})

/** Called when the service wants to know who asks. */
let onRefusedToken: () => void = () => {}
export const whenTokenIsWanted = (listener: () => void): void => {
  onRefusedToken = listener
}

interface Raw<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** Waits for an answer of `api`. */
export const ask = async <T>(request: Promise<Raw<T>>): Promise<Answer<T>> => {
  try {
    const { data, error, response } = await request
    if (response.ok) return { ok: true, value: data as T, revision: revisionOf(response) }
    if (response.status === 401) onRefusedToken()
    return { ok: false, problem: problemOf(error, response), status: response.status }
  } catch (error) {
    if (error instanceof Unreachable) return { ok: false, problem: AWAY, status: 0 }
    throw error
  }
}

const revisionOf = ({ headers }: Response): number | null => {
  const [, digits] = /^"(\d+)"$/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

/** Why a request was refused. error: the body of its answer. */
export const problemOf = (error: unknown, { status, statusText }: Response): Problem => {
  const { code, detail, context, errors } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Partial<Problem>
  return {
    code: code ?? `http.${status}`,
    detail: detail ?? `The device answered ${status} ${statusText}.`,
    ...(context && { context }),
    ...(errors && { errors }),
  }
}

/** Reads all pages of a list. */
export const askAll = async <Item>(
  page: (
    cursor: string | undefined,
  ) => Promise<Raw<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>>,
): Promise<Answer<readonly Item[]>> => {
  const items: Item[] = []
  let cursor: string | undefined
  for (;;) {
    const answer = await ask(page(cursor))
    if (!answer.ok) return answer
    items.push(...answer.value.items)
    if (answer.value.next_cursor === null) return { ok: true, value: items, revision: answer.revision }
    cursor = answer.value.next_cursor
  }
}

/** A key under which a write can be repeated. There is no `crypto.randomUUID` on a page from a robot's address. */
export const requestKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A path of the interface below this page's address. */
export const socketUrl = (path: string): string => `${location.origin.replace(/^http/, 'ws')}${path}`
