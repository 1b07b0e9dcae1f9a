// The runtime of learned models, ONNX Runtime. It is an optional package with much native code, so nothing but engines'
// workers and the child that checks models loads it.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Runtime from 'onnxruntime-node'

const require = createRequire(import.meta.url)

/**
 * Belongs into the environment of every process that loads the runtime, from its start: else that tells its maker over
 * the network how it is used, and leaves files in the folder for temporary ones.
 */
export const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' } as const

/** Throws when it is not installed. */
export const loadRuntime = (): typeof Runtime => {
  const runtime: typeof Runtime = require('onnxruntime-node')
  runtime.env.logLevel = 'fatal' // what goes wrong is thrown as well
  return runtime
}

/** Why there is no such runtime here, as a part of a sentence; undefined: there is. Nothing of it is loaded. */
export const runtimeComplaint = (): string | undefined => {
  try {
    const folder = dirname(require.resolve('onnxruntime-node/package.json'))
    const library = join(folder, 'bin/napi-v6', process.platform, process.arch, 'onnxruntime_binding.node')
    return existsSync(library) ? undefined : `ONNX Runtime has no library for ${process.platform} on ${process.arch}`
  } catch {
    return 'ONNX Runtime is not installed; run `npm ci` with its optional packages'
  }
}

/**
 * A model that can be run. Throws the runtime's error. threads: of it; it keeps no processor busy while there is
 * nothing to do.
 */
export const openSession = (path: string, threads: number): Promise<Runtime.InferenceSession> =>
  loadRuntime().InferenceSession.create(path, {
    executionProviders: ['cpu'],
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
    extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
  })
