// What a peer's refusal means here: its own words where it has some that are understood.
import { type FaultCode, isFaultCode } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { badAnswer } from './answer.ts'
import type { TunnelAsk } from './port.ts'

/** Codes that say the same of a picture here as there. */
const PASSED_ON: ReadonlySet<FaultCode> = new Set([
  ...(['stream.not_found', 'stream.no_picture', 'output.not_found', 'output.other_kind'] as const),
  ...(['picture.too_many_kinds', 'viewer.too_many', 'query.invalid', 'service.busy'] as const),
])

/** What a status says when the words beside it do not. */
const BY_STATUS: Readonly<Record<number, FaultCode>> = {
  401: 'peer.refuses_us',
  403: 'peer.refuses_us',
  404: 'stream.not_found',
  429: 'viewer.too_many',
  503: 'stream.no_picture',
}

const LONGEST_DETAIL = 400

/** The fault of an answer that is no success. body: as far as it is known, a problem document if all is well. */
export const refusalOf = (ask: TunnelAsk, status: number, body: Buffer): Fault => {
  const { code, detail } = problemIn(body)
  const { origin } = ask.target
  const said = detail === undefined ? `${origin} answers ${status}` : `${origin} says: ${detail}`
  const meaning = BY_STATUS[status]
  if (meaning === 'peer.refuses_us')
    return { code: meaning, detail: `${said}. Let this device be trusted there, and register it here anew` }
  if (code !== undefined && PASSED_ON.has(code)) return { code, detail: said }
  return meaning ? { code: meaning, detail: said } : badAnswer(ask, `${status} instead of pictures`)
}

const problemIn = (body: Buffer): { readonly code?: FaultCode; readonly detail?: string } => {
  try {
    const { code, detail } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    return {
      ...(isFaultCode(code) && { code }),
      ...(typeof detail === 'string' && { detail: detail.slice(0, LONGEST_DETAIL) }),
    }
  } catch {
    return {} // no words
  }
}
