// The C++ programs that the service is compared with.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const BUILD = fileURLToPath(new URL('../../../native/addon/build/', import.meta.url))

let made: Promise<unknown> | undefined

/** The path of a program, compiled when it is missing or old. */
export const builtProgram = async (name: 'loop' | 'send' | 'forward' | 'read' | 'listen'): Promise<string> => {
  made ??= promisify(execFile)('make', ['-C', HERE])
  await made
  return BUILD + name
}
