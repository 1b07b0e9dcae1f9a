// A robot in a process of its own: an NT4 server whose values nobody reads until it is told to. Prints its port; ends
// when told to.
//
// On its standard input: `read TOPIC` subscribes robot code to a topic, `leave` takes that back. Each is answered by a
// line once the server knows.
import { createInterface } from 'node:readline'
import * as Effect from 'effect/Effect'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'

const report = (fault: { readonly detail: string }) => console.error(fault.detail)

const serve = Effect.gen(function* () {
  const server = yield* wsNt4.serve({ host: '127.0.0.1', port: 0, persistentFile: null }, report)
  const code = yield* wsNt4.connect({ host: '127.0.0.1', port: server.port, name: 'robot-code' }, report)
  let leave = () => {}
  /** The server answers one question after the other. */
  const known = () => {
    const stop = code.subscribe(['$serverpub'], {}, () => {
      stop()
      console.log('known')
    })
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    leave()
    const [word, topic] = line.split(' ')
    leave = word === 'read' && topic ? code.subscribe([topic], { all: true, periodic: 0.01 }, () => {}) : () => {}
    known()
  })
  console.log(server.port)
  return yield* Effect.never
})

process.once('SIGTERM', () => process.exit())
await Effect.runPromise(Effect.scoped(serve))
