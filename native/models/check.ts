// The child that checks a model: it prints what the model is, or why it cannot be used, as JSON, and ends. argument:
// the path of the model's file.
import { writeSync } from 'node:fs'
import type { Model } from '../../machines/models/model.ts'
import { NotModel, openModel } from './open-model.ts'
import { DEFAULT_SIDE_PX, modelInput, runTrial } from './trial.ts'

/** What it prints. why: goes on after the name of the model. */
export type Checked = { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly why: string }

const MICROSECONDS = 1000

const checked = async (path: string): Promise<Checked> => {
  try {
    const open = await openModel(path, 1)
    const input = modelInput(open, DEFAULT_SIDE_PX)
    await runTrial(open, input) // the first time it also finds its memory
    const started = performance.now()
    await runTrial(open, input)
    const run_ms = Math.round((performance.now() - started) * MICROSECONDS) / MICROSECONDS
    return { ok: true, model: { ...open.model, run_ms } }
  } catch (error) {
    if (error instanceof NotModel) return { ok: false, why: error.message }
    throw error
  }
}

const said = Buffer.from(`${JSON.stringify(await checked(process.argv[2] ?? ''))}\n`)
for (let at = 0; at < said.length; ) at += writeSync(1, said, at)
process.exit(0) // without waiting for the runtime's threads
