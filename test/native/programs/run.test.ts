// Programs of the system: what they print, and what is said when they fail.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { runProgram } from '../../../native/programs/run.ts'
import { isRunning } from '../../support/processes/daemon.ts'
import { dataFolder, faultOf } from '../../support/processes/documents.ts'
import { until } from '../../support/until.ts'

const detail = async (program: string, ...args: readonly string[]): Promise<string> => {
  const { code, detail } = await Effect.runPromise(faultOf(runProgram(program, ...args)))
  assert.equal(code, 'device.failed')
  return detail
}

test('what a program prints is the answer, and its arguments go through no shell', async () => {
  assert.equal(await Effect.runPromise(runProgram('printf', '%s', '$HOME; a b')), '$HOME; a b')
})

test('a program that is not there, fails or is killed says so, with its last words', async () => {
  assert.equal(await detail('/no/such/program'), '/no/such/program is not there')
  assert.equal(await detail('sh', '-c', 'echo first >&2; echo no room >&2; exit 3'), 'sh failed with 3: no room')
  assert.equal(await detail('sh', '-c', 'kill -TERM $$'), 'sh was ended by SIGTERM')
})

test('a program that nobody waits for any more is ended', async (t) => {
  const file = join(dataFolder(t), 'pid')
  const running = Effect.runFork(runProgram('sh', '-c', `echo $$ >${file}; exec sleep 600`))
  const pid = await until('the program', () => existsSync(file) && Number(readFileSync(file, 'utf8')))

  await Effect.runPromise(Fiber.interrupt(running))

  await until(
    'its end',
    () => isRunning(Number(pid)),
    (is) => !is,
  )
})
