// The fault catalogue: every code that can reach a client, with its status and title. Status numbers are written here and nowhere else.

/** Statuses of answers that are not faults. */
export const SUCCESS = { ok: 200, created: 201, empty: 204 } as const
export type Success = keyof typeof SUCCESS

/** code: [status, title]. In order of status; within one, by name. */
export const FAULTS = {
  'body.invalid': [400, 'The body does not fit its schema'],
  'body.malformed': [400, 'The body is not well-formed JSON'],
  'host.missing': [400, 'The request names no host'],
  'host.repeated': [400, 'The request names more than one host'],
  'if_match.malformed': [400, 'The If-Match header cannot be read'],
  'query.invalid': [400, 'The query does not fit its schema'],
  'request.malformed': [400, 'The request is not well-formed HTTP'],
  'url.malformed': [400, 'The URL cannot be read'],
  'token.invalid': [401, 'The token is not known here'],
  'token.required': [401, 'A token is required'],
  'console.off': [403, 'There is no shell on this device'],
  'origin.foreign': [403, 'The page that asked is not of this device'],
  'document.unknown': [404, 'There is no such document'],
  'map.not_found': [404, 'There is no such field map'],
  'output.not_found': [404, 'The stream has no such output'],
  'route.not_found': [404, 'There is nothing at this path'],
  'stream.no_truth': [404, 'This stream knows no truth'],
  'stream.not_found': [404, 'There is no such stream'],
  'method.not_allowed': [405, 'The method is not possible here'],
  'request.timeout': [408, 'The request did not arrive in time'],
  'actor.not_now': [409, 'Not possible in the present state'],
  'document.exists': [409, 'There is such a document already'],
  'document.too_many': [409, 'There are too many such documents'],
  'revision.stale': [409, 'Somebody else changed it first'],
  'stream.exists': [409, 'There is such a stream already'],
  'stream.too_many': [409, 'No more streams can be created'],
  'body.too_large': [413, 'The body is too large'],
  'url.too_long': [414, 'The URL is too long'],
  'media_type.unsupported': [415, 'The body must be JSON'],
  'host.unknown': [421, 'This device does not go by that name'],
  'document.invalid': [422, 'The change would leave a document that does not fit'],
  'manifest.invalid': [422, 'The stream manifest is not valid'],
  'upgrade.required': [426, 'This path speaks WebSocket'],
  'picture.too_many_kinds': [429, 'Too many kinds of pictures are being watched'],
  'viewer.too_many': [429, 'Too many viewers'],
  'header.too_large': [431, 'The headers are too large'],
  'actor.crashed': [500, 'A part of the service broke'],
  internal: [500, 'The service broke'],
  'storage.failed': [500, 'The change could not be stored'],
  'actor.ended': [503, 'A part of the service stopped'],
  'actor.timeout': [503, 'A part of the service did not answer'],
  'actor.unavailable': [503, 'A part of the service is being restarted'],
  'service.busy': [503, 'Too many connections'],
  'storage.in_use': [503, 'The storage is in use by another program'],
  'stream.no_picture': [503, 'There is no picture'],
  'storage.full': [507, 'The storage is full'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type FaultCode = keyof typeof FAULTS

const isKnown = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

/** A code that is not in the catalogue is a bug of the service, and looks like one to the client. */
export const statusOf = (code: string): number => FAULTS[isKnown(code) ? code : 'internal'][0]

export const titleOf = (code: string): string => FAULTS[isKnown(code) ? code : 'internal'][1]
