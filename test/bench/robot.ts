// A robot in a process of its own: an NT4 server that nobody reads from. Prints its port; ends when told to.
import * as Effect from 'effect/Effect'
import { wsNt4 } from '../../native/nt4/ws-port.ts'

const serve = Effect.gen(function* () {
  const server = yield* wsNt4.serve({ host: '127.0.0.1', port: 0, persistentFile: null }, (fault) =>
    console.error(fault.detail),
  )
  console.log(server.port)
  return yield* Effect.never
})

process.once('SIGTERM', () => process.exit())
await Effect.runPromise(Effect.scoped(serve))
