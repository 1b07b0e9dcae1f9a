// The status numbers of the faults that can reach a client. They are written here and nowhere else.
import type { ClientCode, FaultCode } from '../../machines/errors/catalogue.ts'

/** Statuses of answers that are not faults. */
export const SUCCESS = { ok: 200, created: 201, empty: 204, partial: 206, unchanged: 304 } as const
export type Success = keyof typeof SUCCESS

/** In order of status; within one, by name. */
const STATUSES: Readonly<Record<ClientCode, number>> = {
  'body.invalid': 400,
  'body.malformed': 400,
  'cursor.unknown': 400,
  'host.missing': 400,
  'host.repeated': 400,
  'if_match.malformed': 400,
  'if_match.not_possible': 400,
  'media.invalid': 400,
  'query.invalid': 400,
  'request.malformed': 400,
  'request_id.malformed': 400,
  'url.malformed': 400,
  'token.invalid': 401,
  'token.required': 401,
  'console.off': 403,
  'origin.foreign': 403,
  'camera.not_found': 404,
  'document.unknown': 404,
  'job.not_found': 404,
  'map.not_found': 404,
  'media.no_side_car': 404,
  'media.not_found': 404,
  'output.not_found': 404,
  'route.not_found': 404,
  'stream.no_truth': 404,
  'stream.not_found': 404,
  'method.not_allowed': 405,
  'request.timeout': 408,
  'actor.not_now': 409,
  'camera.in_use': 409,
  'document.exists': 409,
  'document.too_many': 409,
  'job.too_many': 409,
  'media.not_ready': 409,
  'revision.stale': 409,
  'stream.exists': 409,
  'stream.too_many': 409,
  'body.too_large': 413,
  'url.too_long': 414,
  'media_type.unsupported': 415,
  'range.not_satisfiable': 416,
  'host.unknown': 421,
  'document.invalid': 422,
  'manifest.invalid': 422,
  'request_id.reused': 422,
  'upgrade.required': 426,
  'picture.too_many_kinds': 429,
  'token.too_many_tries': 429,
  'viewer.too_many': 429,
  'header.too_large': 431,
  'actor.crashed': 500,
  internal: 500,
  'storage.failed': 500,
  'recording.unavailable': 501,
  'device.failed': 502,
  'recording.failed': 502,
  'actor.ended': 503,
  'actor.timeout': 503,
  'actor.unavailable': 503,
  'service.busy': 503,
  'storage.in_use': 503,
  'stream.no_picture': 503,
  'storage.full': 507,
}

/** A fault that clients do not meet is a bug of the service when one does, and looks like one to him. */
export const clientCode = (code: FaultCode): ClientCode =>
  Object.hasOwn(STATUSES, code) ? (code as ClientCode) : 'internal'

export const statusOf = (code: FaultCode): number => STATUSES[clientCode(code)]
