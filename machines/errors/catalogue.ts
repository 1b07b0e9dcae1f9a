// Every code that a fault can have, with its title and who may meet it. Codes are stable: programs go by them. The API adds its status numbers in
// api/problems/faults.ts; the codes of the engine are compared with its C++ sources by a test.

/**
 * Who meets a fault. client: in a problem document. history: in the error history, a status or the log. engine: the same, but it was raised by the
 * addon, whose sources name it.
 */
type Who = 'client' | 'history' | 'engine'

/** code: [title, who may meet it]. By name. */
export const CATALOGUE = {
  'actor.crashed': ['A part of the service broke', 'client', 'history'],
  'actor.ended': ['A part of the service stopped', 'client'],
  'actor.not_now': ['Not possible in the present state', 'client'],
  'actor.timeout': ['A part of the service did not answer', 'client'],
  'actor.unavailable': ['A part of the service is being restarted', 'client'],
  'body.invalid': ['The body does not fit its schema', 'client'],
  'body.malformed': ['The body is not well-formed JSON', 'client'],
  'body.too_large': ['The body is too large', 'client'],
  'camera.busy': ['Another program uses the camera', 'engine'],
  'camera.control_refused': ['The camera did not take a control', 'engine'],
  'camera.failed': ['The camera did not answer', 'client'],
  'camera.in_use': ['Another stream has the camera', 'client', 'history'],
  'camera.intrinsics_mismatch': ['The calibration is for another camera', 'engine'],
  'camera.lost': ['The camera went away', 'engine'],
  'camera.missing': ['There is no camera', 'engine'],
  'camera.mode': ['The camera does not have this mode', 'engine'],
  'camera.no_bandwidth': ['The USB controller has no room for the camera', 'engine'],
  'camera.no_stream': ['No stream has the camera', 'client'],
  'camera.not_found': ['There is no such camera', 'client'],
  'camera.not_open': ['The camera is not open', 'client'],
  'camera.recovered': ['The camera gives pictures again', 'history'],
  'camera.reset': ['The USB device of a camera was reset', 'history'],
  'camera.silent': ['The camera gives no pictures', 'history'],
  'camera.unreadable': ['The camera cannot be read', 'engine'],
  'certificate.broken': ["The device's certificate was broken and made anew", 'history'],
  'certificate.not_kept': ["The device's certificate could not be stored", 'history'],
  'certificate.unusable': ['The certificate cannot be used', 'history'],
  'child.failed': ['A part of the service crashed too often', 'history'],
  'child.stuck': ['A part of the service cannot be started', 'history'],
  'console.off': ['There is no shell on this device', 'client'],
  'control.adjusted': ['The camera took another value', 'client'],
  'control.out_of_range': ['The control does not have this value', 'client'],
  'control.refused': ['The camera refused a control', 'client'],
  'control.unknown': ['The camera has no such control', 'client', 'engine'],
  'cursor.unknown': ['The cursor is not one of this list', 'client'],
  'device.failed': ['The system of the device did not do it', 'client'],
  'document.exists': ['There is such a document already', 'client'],
  'document.invalid': ['The change would leave a document that does not fit', 'client'],
  'document.too_many': ['There are too many such documents', 'client'],
  'document.unknown': ['There is no such document', 'client'],
  'engine.bad_order': ['The engine was given an order that it does not know', 'history'],
  'engine.bad_task': ['The engine was given a task that makes no sense', 'engine'],
  'engine.crashed': ['The vision engine crashed', 'history'],
  'engine.failed': ['The vision engine failed unexpectedly', 'engine'],
  'engine.hung': ['The vision engine hung', 'history'],
  'engine.unavailable': ['The vision engine cannot be started', 'history'],
  'extcam.link_lost': ['The link to the robot went away while it was written to', 'history'],
  'extcam.table_taken': ['Two streams want the same table', 'history'],
  'header.too_large': ['The headers are too large', 'client'],
  'host.missing': ['The request names no host', 'client'],
  'host.repeated': ['The request names more than one host', 'client'],
  'host.unknown': ['This device does not go by that name', 'client'],
  'http.cannot_listen': ['The API cannot listen at its address', 'history'],
  'http.port_taken': ["The API's port is taken", 'history'],
  'http.stopped': ["The API's server stopped", 'history'],
  'if_match.malformed': ['The If-Match header cannot be read', 'client'],
  'if_match.not_possible': ['There is no revision to compare', 'client'],
  internal: ['The service broke', 'client'],
  'job.interrupted': ['The job was interrupted', 'history'],
  'job.not_found': ['There is no such job', 'client'],
  'job.result_too_long': ['The result of a job is too long', 'history'],
  'job.too_many': ['Too many jobs are waiting', 'client'],
  'manifest.invalid': ['The stream manifest is not valid', 'client'],
  'map.not_found': ['There is no such field map', 'client', 'history'],
  'map.unreadable': ['A field map cannot be read', 'history'],
  'media.found': ['A file among the media was unknown and is listed now', 'history'],
  'media.interrupted': ['A media item was not written to its end', 'history'],
  'media.invalid': ['The content cannot be stored as media', 'client'],
  'media.lost': ['The file of a media item is gone', 'history'],
  'media.no_pictures': ['The item cannot be shown as pictures', 'client'],
  'media.no_side_car': ['Nothing of that sort lies beside the media item', 'client'],
  'media.not_allowed': ['The path leads out of the media roots', 'engine'],
  'media.not_found': ['There is no such media item', 'client'],
  'media.not_ready': ['The media item is still being written', 'client'],
  'media.stray': ['A file among the media is no media item', 'history'],
  'media_type.unsupported': ['The body must be JSON', 'client'],
  'method.not_allowed': ['The method is not possible here', 'client'],
  'nt4.bad_message': ['An NT4 message makes no sense', 'history'],
  'nt4.bad_target': ['The NT4 target cannot be read', 'history'],
  'nt4.bad_value': ['An NT4 value is not of the type of its topic', 'history'],
  'nt4.client_refused': ['An NT4 client was refused', 'history'],
  'nt4.closed': ['The NT4 connection was closed', 'history'],
  'nt4.no_clock': ['The NT4 server tells no time', 'history'],
  'nt4.not_listening': ['The NT4 server cannot listen', 'history'],
  'nt4.persistent_broken': ['The persistent NT4 topics cannot be read', 'history'],
  'nt4.persistent_unsaved': ['The persistent NT4 topics cannot be stored', 'history'],
  'nt4.port_taken': ["The NT4 server's port is taken", 'history'],
  'nt4.refused': ['What answers is no NT4 server', 'history'],
  'nt4.silent': ['The robot has gone silent', 'history'],
  'nt4.too_large': ['An NT4 message is too large', 'history'],
  'nt4.type_conflict': ['Two programs publish a topic with different types', 'history'],
  'nt4.unreachable': ['The robot does not answer', 'history'],
  'origin.foreign': ['The page that asked is not of this device', 'client'],
  'output.not_found': ['The stream has no such output', 'client'],
  'picture.corrupt': ['A picture cannot be decoded', 'engine'],
  'picture.other_size': ['A picture has another size than the first', 'engine'],
  'picture.too_many_kinds': ['Too many kinds of pictures are being watched', 'client'],
  'picture.too_slow': ['A picture took too long to process', 'engine'],
  'picture.unencodable': ['A picture cannot be encoded', 'engine'],
  'pipeline.invalid': ['The pipeline cannot be planned', 'history'],
  'preview.limited': ['The bandwidth budget makes a preview slower or smaller', 'history'],
  'query.invalid': ['The query does not fit its schema', 'client'],
  'range.not_satisfiable': ['The range lies beyond the end of the file', 'client'],
  'recording.failed': ['The recording failed', 'client', 'history', 'engine'],
  'recording.other_size': ['The pictures have another size than those recorded before', 'history'],
  'recording.unavailable': ['This device cannot record', 'client'],
  'request.malformed': ['The request is not well-formed HTTP', 'client'],
  'request.timeout': ['The request did not arrive in time', 'client'],
  'request_id.malformed': ['The request_id or Idempotency-Key cannot be read', 'client'],
  'request_id.reused': ['The request_id was used for another request', 'client'],
  'revision.stale': ['Somebody else changed it first', 'client'],
  'route.not_found': ['There is nothing at this path', 'client'],
  'service.busy': ['Too many connections', 'client'],
  'session.not_kept': ['Sessions could not be stored', 'history'],
  'session.unreadable': ['The stored sessions cannot be read', 'history'],
  'storage.corrupt': ['The settings file was broken and set aside', 'history'],
  'storage.document_invalid': ['A stored document does not fit and was set aside', 'history'],
  'storage.document_restored': ['A stored document that was set aside is used again', 'history'],
  'storage.failed': ['The change could not be stored', 'client', 'history'],
  'storage.full': ['The storage is full', 'client', 'history', 'engine'],
  'storage.in_use': ['The storage is in use by another program', 'client', 'history'],
  'storage.newer_schema': ['A newer version wrote the settings file', 'history'],
  'stream.exists': ['There is such a stream already', 'client'],
  'stream.failed': ['The stream crashed too often', 'client', 'history'],
  'stream.no_picture': ['There is no picture', 'client'],
  'stream.no_truth': ['This stream knows no truth', 'client'],
  'stream.not_found': ['There is no such stream', 'client'],
  'stream.too_many': ['No more streams can be created', 'client'],
  'stream.unknown_fault': ['The stream failed without saying why', 'history'],
  'token.invalid': ['The token is not known here', 'client'],
  'token.not_kept': ['The token could not be stored', 'history'],
  'token.required': ['A token is required', 'client'],
  'token.too_many_tries': ['Too many wrong tokens', 'client'],
  'token.unusable': ['The token file cannot be used', 'history'],
  'upgrade.required': ['This path speaks WebSocket', 'client'],
  'url.malformed': ['The URL cannot be read', 'client'],
  'url.too_long': ['The URL is too long', 'client'],
  'viewer.too_many': ['Too many viewers', 'client'],
} as const satisfies Record<string, readonly [title: string, ...who: readonly [Who, ...Who[]]]>

/** A code of the catalogue. */
export type FaultCode = keyof typeof CATALOGUE

type MetBy<Kind extends Who> = {
  [Code in FaultCode]: Kind extends (typeof CATALOGUE)[Code][number] ? Code : never
}[FaultCode]

/** A code that a problem document can have. */
export type ClientCode = MetBy<'client'>

/** Whether it is in the catalogue; what comes from another process, or from a file, may not be. */
export const isFaultCode = (code: unknown): code is FaultCode =>
  typeof code === 'string' && Object.hasOwn(CATALOGUE, code)

/** What a code means, in a few words. */
export const titleOf = (code: FaultCode): string => CATALOGUE[code][0]

/** All codes of a kind, by name. */
export const codesFor = <Kind extends Who>(kind: Kind): readonly MetBy<Kind>[] =>
  (Object.keys(CATALOGUE) as FaultCode[]).filter((code): code is MetBy<Kind> =>
    (CATALOGUE[code] as readonly string[]).slice(1).includes(kind),
  )
