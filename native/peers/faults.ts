// What the wire to peers says of its failures. An origin has no path and no credentials, so that it may stand in any
// sentence.

import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** No connection was made, so nothing has left. why: the error of the socket. */
export const unreachable = (origin: string, why: string): Fault => ({
  code: 'peer.unreachable',
  detail: `nothing that can be talked to answers at ${origin} (${why}); is the device on, and the address right?`,
})

/** The TLS handshake came to nothing. */
export const noHandshake = (origin: string, why: string): Fault => ({
  code: 'peer.unreachable',
  detail: `${origin} takes the connection and then does not speak TLS as it should (${why}); is it https?`,
})

/** No connection within the limit. */
export const noConnection = (origin: string, limitMs: number): Fault =>
  unreachable(origin, `no connection within ${seconds(limitMs)}`)

/** An open connection that has ended. */
export const ended = (origin: string, why: string): Fault => ({
  code: 'peer.unreachable',
  detail: `the connection to ${origin} has ended (${why})`,
})

/** found: the fingerprint of the certificate that was shown. */
export const wrongCertificate = (origin: string, found: string): Fault => ({
  code: 'peer.wrong_certificate',
  detail: oneLine`
    at ${origin} answers a device with another certificate (${found}) than the one that is trusted. Was it set up anew?
    Then register it again with its new fingerprint (POST /v1/peers); if not, somebody stands between
  `,
  context: { fingerprint: found },
})

/** A certificate is meant, and plain HTTP shows none: anybody might answer there. */
export const noCertificate = (origin: string): Fault => ({
  code: 'peer.wrong_certificate',
  detail: oneLine`
    over plain HTTP nobody at ${origin} can show the certificate that is trusted, so nothing was asked there. Register
    the peer again with its address over TLS (https://), or delete it and register it without a fingerprint
  `,
})

/** Our own certificate was shown to us. */
export const isSelf = (origin: string): Fault => ({
  code: 'peer.self',
  detail: `${origin} leads to this device itself`,
})

/** The request has left, and what became of it is not known: no answer, half of one, or nonsense. */
export const noAnswer = (origin: string, why: string): Fault => ({
  code: 'peer.too_slow',
  detail: oneLine`
    ${origin} has taken the request and given no answer that can be read (${why}): whether it was carried out is not
    known. Repeat it with the same request_id to learn that
  `,
})

/** A question, which changes nothing, has no answer. */
export const unanswered = (origin: string, why: string): Fault => ({
  code: 'peer.too_slow',
  detail: `${origin} has taken the question and given no answer (${why}); ask again`,
})

/** limitMs: for all of it. */
export const tooSlow = (origin: string, limitMs: number, isQuestion: boolean): Fault =>
  (isQuestion ? unanswered : noAnswer)(origin, `none within ${seconds(limitMs)}`)

/** To a question, which changes nothing. why: as the end of a sentence. */
export const badAnswer = (origin: string, why: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `what ${origin} answers makes no sense: ${why}`,
})

/**
 * status: 401 or 403, to a request without the token that the peer gave: the token is only for the holder of its
 * certificate.
 */
export const tokenWithheld = (origin: string, status: number): Fault => ({
  code: 'peer.refuses_us',
  detail: oneLine`
    ${origin} does not let this device in (${status}), and the token that it gave was not sent there: that takes TLS,
    and a certificate that is known to be its own. Register the peer again with its address over TLS (https://) and its
    fingerprint (\`fingerprint\` of GET /v1/interdevice/hello there, compared with what is shown on that device)
  `,
})

/** status: one that speaks of who asks. */
export const refusesUs = (origin: string, status: number): Fault => ({
  code: 'peer.refuses_us',
  detail: oneLine`
    ${origin} does not let this device in (${status}); it has to trust this device first: pair the two by a code that
    people compare (POST /v1/peers/pairing), or enter this one there (POST /v1/peers/trust), and register the peer again
    with the token, if it gave one
  `,
})

/** It sends more than makes sense. what: of which there is too much. */
export const floods = (origin: string, what: string): Fault => ({
  code: 'peer.floods',
  detail: `${origin} has sent ${what} on its link, which was ended here; it is called again, later each time`,
})
