// A bad network in front of a server: what comes from there is later, by a steady part and one at random, and now and
// then something is lost, so that it and all behind it wait for the time of a retransmission. The same on each
// connection, so that two who use it one after the other have the same network. TCP loses, doubles and reorders no
// bytes.
//
//   bad-network.ts ORIGIN
//
// Prints its own origin.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

const [DELAY_MS, JITTER_MS] = [20, 5]
const [LOSS, RESEND_MS] = [0.005, 200] // of each slot: once in two seconds
const SLOT_MS = 10
const MAX_HELD_BYTES = 4_000_000

const { hostname, port } = new URL(process.argv[2] ?? '')

/** 0 to 1, the same each time. */
const random = (seed: number, slot: number): number => {
  let mixed = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** chunk null: the end. */
interface Late {
  readonly chunk: Buffer | null
  readonly dueMs: number
}

const passLate = (from: Socket, to: Socket): void => {
  const sinceMs = performance.now()
  const late: Late[] = []
  let held = 0
  let lastMs = 0
  const take = (chunk: Buffer | null) => {
    const nowMs = performance.now()
    const slot = Math.floor((nowMs - sinceMs) / SLOT_MS)
    const lostMs = random(1, slot) < LOSS ? RESEND_MS : 0
    lastMs = Math.max(lastMs, nowMs + DELAY_MS + JITTER_MS * random(2, slot) + lostMs)
    late.push({ chunk, dueMs: lastMs })
    held += chunk?.length ?? 0
    if (held > MAX_HELD_BYTES) from.pause()
    if (late.length === 1) wait()
  }
  const wait = () => {
    const [first] = late
    if (first) setTimeout(send, Math.max(0, first.dueMs - performance.now()))
  }
  const send = () => {
    for (let first = late[0]; first && first.dueMs <= performance.now(); first = late[0]) {
      late.shift()
      held -= first.chunk?.length ?? 0
      if (first.chunk) to.write(first.chunk)
      else to.end()
    }
    if (held <= MAX_HELD_BYTES) from.resume()
    wait()
  }
  from.on('data', take)
  from.on('end', () => take(null))
}

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ host: hostname, port: Number(port), noDelay: true })
  passLate(far, near)
  near.pipe(far)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const)
    one.on('error', () => other.destroy())
  near.on('close', () => far.destroy())
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit())
