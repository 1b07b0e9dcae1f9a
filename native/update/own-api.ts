// One request to this very service, over its real socket.
import { isIPv6 } from 'node:net'
import * as Effect from 'effect/Effect'
import { baseUrlOf } from '../../machines/discovery/base-url.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { ask, isAnswer } from '../discovery/ask.ts'
import type { AskOwnApi } from './port.ts'

const LIMIT_MS = 2_000
const MAX_BYTES = 1024 * 1024 // the health of a device with a thousand parts

/** An answer is an answer also when it refuses: there is somebody who answers. */
export const askOwnApi: AskOwnApi = ({ host, port }) =>
  Effect.flatMap(
    Effect.promise(() => {
      const address = host === '0.0.0.0' || host === 'localhost' ? '127.0.0.1' : host === '::' ? '::1' : host
      const family = isIPv6(address) ? 6 : 4
      return ask({
        at: baseUrlOf(address, port),
        addresses: [{ address, family }],
        path: '/v1/health',
        connectMs: LIMIT_MS,
        totalMs: LIMIT_MS,
        maxBytes: MAX_BYTES,
      })
    }),
    (found) => {
      if (isAnswer(found) && found.status < SERVER_ERROR) return Effect.void
      const why = isAnswer(found)
        ? `with status ${found.status}`
        : `(${found.stage}: ${found.error?.message ?? 'in time'})`
      return Effect.fail<Fault>({ code: 'device.failed', detail: `the API does not answer itself ${why}` })
    },
  )

const SERVER_ERROR = 500
