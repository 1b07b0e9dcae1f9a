// What a peer's refusal means here: its own words where it has some that are understood.
import type { FaultCode } from '../../machines/errors/catalogue.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { problemIn } from '../../machines/interdevice/problem.ts'
import { badAnswer } from './answer.ts'
import type { TunnelAsk } from './port.ts'

/** Codes that say the same of a picture here as there. */
const PASSED_ON: ReadonlySet<FaultCode> = new Set([
  ...(['stream.not_found', 'stream.no_picture', 'output.not_found', 'output.other_kind'] as const),
  ...(['picture.too_many_kinds', 'viewer.too_many', 'query.invalid', 'service.busy', 'peer.other_device'] as const),
])

/** What a status says when the words beside it do not. */
const BY_STATUS: Readonly<Record<number, FaultCode>> = {
  404: 'stream.not_found',
  429: 'viewer.too_many',
  503: 'stream.no_picture',
}

/** The fault of an answer that is no success. body: as far as it is known, a problem document if all is well. */
export const refusalOf = (ask: TunnelAsk, status: number, body: Buffer): Fault => {
  const { code, detail, refusesUs } = problemIn(status, body.toString())
  const { origin } = ask.target
  const said = detail === undefined ? `${origin} answers ${status}` : `${origin} says: ${detail}`
  if (refusesUs)
    return { code: 'peer.refuses_us', detail: `${said}. Let this device be trusted there, and register it here anew` }
  if (code !== undefined && PASSED_ON.has(code)) return { code, detail: said }
  const meaning = BY_STATUS[status]
  return meaning ? { code: meaning, detail: said } : badAnswer(ask, `${status} instead of pictures`)
}
