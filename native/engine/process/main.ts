// An engine process: one camera, one plan, and the wire to the control process on descriptor 3. It ends with its wire,
// so it never outlives its parent.
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { FrameReader, MAX_ORDER_BYTES } from '../protocol/frames.ts'
import { badOrder, type Order } from '../protocol/orders.ts'
import { loadAddon } from './addon.ts'
import { carryOutOrders } from './carry-out.ts'
import { VisionEngine } from './engine.ts'
import { ReportOutbox } from './report-outbox.ts'
import { takeViewers } from './viewer-sockets.ts'

const WIRE_FD = 3
const CLOSE_LIMIT_MS = 500 // a driver that does not let go is left to the kernel

const addon = loadAddon()
const wire = new Socket({ fd: WIRE_FD, readable: true, writable: true })
const outbox = new ReportOutbox(wire)
const engine = new VisionEngine({ addon, outbox })

const end = (): void => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_LIMIT_MS)
  engine.end().finally(() => process.exit(0))
}

// A terminal's Ctrl-C and a service manager's stop reach every process at once; the control process decides when an
// engine ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const reader = new FrameReader<Order>(
  carryOutOrders(engine, outbox),
  (error) => engine.warn(badOrder(error.message)),
  MAX_ORDER_BYTES,
)
wire.on('data', (chunk) => reader.push(chunk))
wire.on('error', () => {}) // the control process is gone; `close` follows
wire.once('close', end)
takeViewers(engine.stream, (report) => outbox.send(report))
outbox.send({ type: 'ready' })
flushCompileCache()
