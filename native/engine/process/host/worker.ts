// A worker that does the work of one step: the whole of a thread of an engine. It ends with its engine, or when that
// has no use for it.
import { parentPort, workerData } from 'node:worker_threads'
import { loadAddon } from '../addon.ts'
import type { HostedStep } from './module.ts'
import { hostTypeOf } from './modules.ts'

/** What it is started with. number: of its channel. */
export interface WorkerOrder {
  readonly number: number
  readonly step: HostedStep
}

/** What it says, once. */
export type WorkerReport =
  | { readonly type: 'ready'; readonly labels: readonly string[] }
  | { readonly type: 'refused'; readonly why: string }

const MAX_SENTENCE_LENGTH = 300 // more would not help anybody to find the mistake

const tell = (report: WorkerReport): void => parentPort?.postMessage(report)

/** What is thrown may be anything, also something that throws when it is looked at. */
const sentenceOf = (error: unknown): string => {
  try {
    const said = (error as { readonly message?: unknown } | null | undefined)?.message ?? error
    return String(said).slice(0, MAX_SENTENCE_LENGTH) || 'it threw an error without a message'
  } catch {
    return 'it threw something that cannot be shown'
  }
}

const begin = async ({ number, step }: WorkerOrder): Promise<void> => {
  const type = hostTypeOf(step.type)
  if (!type) throw new Error(`there is nothing that does the work of ${step.type}`)
  const { hosts } = loadAddon()
  hosts.keepStacksPlain()
  const { prepare } = await type.load()
  const work = await prepare(step)
  const { inputBytes: input_bytes, outputBytes: output_bytes, facts = [], labels = [] } = work
  const { answer, fail, ...memory } = hosts.attach(number, { input_bytes, output_bytes, facts }, (bytes) => {
    try {
      const given = run(bytes)
      if (typeof given === 'number') answer(given)
      else given.then(answer, (error) => fail(sentenceOf(error)))
    } catch (error) {
      fail(sentenceOf(error))
    }
  })
  const run = work.start(memory)
  tell({ type: 'ready', labels })
}

process.on('unhandledRejection', () => {}) // of promises that a script has left: nobody waits for them
begin(workerData as WorkerOrder).catch((error) => tell({ type: 'refused', why: sentenceOf(error) }))
