// An engine process at the other end of a bare wire: whatever is written reaches it, as no port would let it.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { encodeFrame, FrameReader } from '../../../native/engine/protocol/frames.ts'
import type { Order } from '../../../native/engine/protocol/orders.ts'
import type { Report } from '../../../native/engine/protocol/reports.ts'

const MAIN = fileURLToPath(new URL('../../../native/engine/process/main.ts', import.meta.url))
const PATIENCE_MS = 30_000 // many times what an overloaded machine has ever needed

/** What an engine says when it is asked, but for when it begins with it. */
export type Answer = Exclude<Extract<Report, { readonly ask: number }>, { readonly type: 'began' }>

export interface RawEngine {
  readonly write: (bytes: Uint8Array) => void
  /** Writes an order that need not be one. */
  readonly send: (order: unknown) => void
  /** Sends an order under a number of its own, and waits for what is answered. */
  readonly ask: (order: object) => Promise<Answer>
  /** The faults reported so far, in order. */
  readonly warned: readonly string[]
  readonly exited: () => boolean
  readonly residentMb: () => number
}

/** Starts an engine process that ends with the test. */
export const startRawEngine = async (t: TestContext): Promise<RawEngine> => {
  const child = spawn(process.execPath, [MAIN, `test ${t.name}`], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const wire = child.stdio[3] as Duplex
  const answers = new Map<number, (report: Answer) => void>()
  const warned: string[] = []
  let hasExited = false
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      hasExited = true
      resolve()
    })
  })
  t.after(() => {
    wire.destroy()
    return ended
  })

  const reader = new FrameReader<Report>((report) => {
    if (report.type === 'ready') isReady()
    else if ('ask' in report && report.type !== 'began') answers.get(report.ask)?.(report)
    else if (report.type === 'event' && report.event.type === 'warned') warned.push(report.event.fault.code)
  })
  wire.on('data', (chunk: Buffer) => reader.push(chunk))
  wire.on('error', () => {}) // the process is gone, which the test sees for itself

  const write = (bytes: Uint8Array) => void wire.write(bytes)
  const send = (order: unknown) => {
    for (const chunk of encodeFrame(order as Order)) write(chunk)
  }
  let lastAsk = 0
  const ask = (order: object) => {
    const number = ++lastAsk
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${JSON.stringify(order)?.slice(0, 500)}`)),
        PATIENCE_MS,
      )
      answers.set(number, (report) => {
        clearTimeout(timer)
        resolve(report)
      })
      send({ ...order, ask: number })
    })
  }
  await Promise.race([ready, ended])
  return {
    write,
    send,
    ask,
    warned,
    exited: () => hasExited,
    residentMb: () =>
      Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
  }
}
