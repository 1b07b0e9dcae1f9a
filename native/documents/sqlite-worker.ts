// The thread that has the store. It does one thing after the other, in the order in which it was asked, and answers
// when that is on the disk.
import { parentPort, workerData } from 'node:worker_threads'
import type { Fault } from '../../machines/errors/fault.ts'
import { storageFault } from './sqlite-faults.ts'
import { type Operations, openStore, type StoreFile } from './sqlite-store.ts'

/** A question to the thread. */
export type StoreCall = { [Name in keyof Operations]: Call<Name> }[keyof Operations] | { readonly type: 'close' }

interface Call<Name extends keyof Operations> {
  readonly type: 'call'
  readonly number: number
  readonly name: Name
  readonly values: Parameters<Operations[Name]>
}

/** What the thread says: once how the opening went, then an answer to each call. */
export type StoreReport =
  | { readonly type: 'opened'; readonly faults: readonly Fault[] }
  | { readonly type: 'refused'; readonly fault: Fault }
  | { readonly type: 'answer'; readonly number: number; readonly value: unknown }
  | { readonly type: 'fault'; readonly number: number; readonly fault: Fault }

const where = workerData as StoreFile
const port = parentPort as NonNullable<typeof parentPort>
const say = (report: StoreReport): void => port.postMessage(report)

const serve = ({ faults, operations, close }: ReturnType<typeof openStore>): void => {
  port.on('message', (call: StoreCall) => {
    if (call.type === 'close') {
      close()
      return port.close()
    }
    const { number, name, values } = call
    try {
      const operation = operations[name] as (...each: readonly unknown[]) => unknown
      say({ type: 'answer', number, value: operation(...values) })
    } catch (error) {
      say({ type: 'fault', number, fault: storageFault(where.file, error) })
    }
  })
  say({ type: 'opened', faults })
}

const opened = () => {
  try {
    return openStore(where)
  } catch (error) {
    say({ type: 'refused', fault: storageFault(where.file, error) })
    return undefined
  }
}

const store = opened()
if (store) serve(store)
