// One picture of a peer, as the peer answers it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { PeerAnswer } from '../peers/port.ts'
import { badAnswer } from './answer.ts'
import { MAX_PICTURE_BYTES } from './limits.ts'
import type { PeerPicture, TunnelAsk, TunnelPort } from './port.ts'
import { refusalOf } from './refusal.ts'

const LIMIT_MS = 5_000 // a device waits for a fresh picture for up to two
const [OK, NOT_MODIFIED] = [200, 304]
const IS_JPEG = /^image\/jpeg *(;|$)/i // nothing in which a browser would run a script

/** What is said of the picture itself. All else is between two connections, or nobody's business here. */
const PASSED_ON = [
  ...['content-type', 'content-disposition', 'content-encoding', 'content-language'],
  ...['etag', 'last-modified', 'cache-control', 'x-timestamp', 'x-sequence', 'x-captured-us'],
]

/** As TunnelPort says. */
export const peerPicture: TunnelPort['picture'] = (wire, ask, known) =>
  wire
    .ask(ask.target, {
      method: 'GET',
      path: ask.path,
      headers: { accept: 'image/jpeg', ...known },
      limitMs: LIMIT_MS,
      maxBytes: MAX_PICTURE_BYTES,
    })
    .pipe(Effect.flatMap((answer) => pictureIn(ask, answer)))

const pictureIn = (ask: TunnelAsk, { status, headers, body }: PeerAnswer): Effect.Effect<PeerPicture, Fault> => {
  if (status !== OK && status !== NOT_MODIFIED) return Effect.fail(refusalOf(ask, status, body))
  const isUnchanged = status === NOT_MODIFIED
  const type = headers['content-type'] ?? ''
  if (!isUnchanged && !IS_JPEG.test(type))
    return Effect.fail(badAnswer(ask, `it is no JPEG, but ${JSON.stringify(type.slice(0, 60))}`))
  const passed = PASSED_ON.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
  return Effect.succeed({ isUnchanged, headers: Object.fromEntries(passed), bytes: body })
}
