// A robot whose server is killed and started again: NT4 behind a port that counts what passes through it, and robot
// code that waits for the heartbeat of our table. The server and the robot code are ready before the port listens, so
// that what is measured from then on is ours.
//
//   returning-robot.ts PORT TABLE      port 0: any free one
//
// Prints a line of JSON when it listens, { port }, and one at the first heartbeat, { ms }: since it listened. For each
// line on its standard input it prints { seconds }: bytes of both directions in each whole second since the first byte.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import * as Effect from 'effect/Effect'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'

const [port = '0', table = 'limelight'] = process.argv.slice(2)
const report = (fault: { readonly detail: string }) => console.error(fault.detail)

const seconds: number[] = []
let firstByteMs: number | undefined

const count = (bytes: number): void => {
  firstByteMs ??= performance.now()
  const second = Math.floor((performance.now() - firstByteMs) / 1000)
  while (seconds.length <= second) seconds.push(0)
  seconds[second] = (seconds[second] as number) + bytes
}

/** Passes on what either of them sends, and the end of either. */
const join = (one: Socket, other: Socket): void => {
  one.setNoDelay()
  one.on('data', (bytes) => {
    count(bytes.length)
    other.write(bytes)
  })
  one.on('error', () => {})
  one.on('close', () => other.destroy())
}

const serve = Effect.gen(function* () {
  const inner = yield* wsNt4.serve({ host: '127.0.0.1', port: 0, persistentFile: null }, report)
  const code = yield* wsNt4.connect({ host: '127.0.0.1', port: inner.port, name: 'robot-code' }, report)
  let listenedMs = Number.NaN
  let isBack = false
  code.subscribe([`/${table}/hb`], { all: true, periodic: 0.01 }, () => {
    if (!isBack) console.log(JSON.stringify({ ms: performance.now() - listenedMs }))
    isBack = true
  })
  const outer = createServer((device) => {
    const server = connect(inner.port, '127.0.0.1')
    join(device, server)
    join(server, device)
  })
  outer.listen(Number(port), '127.0.0.1', () => {
    listenedMs = performance.now()
    console.log(JSON.stringify({ port: (outer.address() as AddressInfo).port }))
  })
  createInterface({ input: process.stdin }).on('line', () => {
    console.log(JSON.stringify({ seconds: seconds.slice(0, -1) })) // the last is not over
  })
  return yield* Effect.never
})

process.once('SIGTERM', () => process.exit())
await Effect.runPromise(Effect.scoped(serve))
