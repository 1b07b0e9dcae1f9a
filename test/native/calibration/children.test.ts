// The programs that calibrate as processes that go wrong: killed, slow, without memory, not there.
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { linuxCalibration } from '../../../native/calibration/linux.ts'
import type { CalibrationProgress } from '../../../native/calibration/port.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'

/** A program of this text. */
const programIn = (folder: string, name: string, script: string): string => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const faultOf = (program: string, limitMs = 60_000) =>
  Effect.runPromise(
    Effect.flip(
      linuxCalibration({ programs: { corners: program, solve: program, guide: program }, limitMs }).solve('1 2 3'),
    ),
  )

test('a child that is killed, fails, says nonsense, nothing or too much, or is not there has died', async (t) => {
  const folder = folderOf(t)
  const scripts = {
    killed: 'kill -KILL $$',
    segfault: 'kill -SEGV $$',
    failed: 'echo "the calibration takes more memory than there is for it" >&2; exit 1',
    nonsense: 'echo "{not json"',
    silent: 'exit 0',
    endless: 'exec yes',
  }

  const said: string[] = []
  for (const [name, script] of Object.entries(scripts)) {
    const { code, detail } = await faultOf(programIn(folder, name, script))
    assert.equal(code, 'calibration.child_died', detail)
    said.push(detail)
  }
  const missing = await faultOf(join(folder, 'nowhere'))

  assert.match(said.join('\n'), /SIGKILL[\s\S]*SIGSEGV[\s\S]*more memory[\s\S]*not json[\s\S]*nothing[\s\S]*more than/)
  assert.equal(missing.code, 'calibration.child_died')
  assert.match(missing.detail, /nowhere is not there; .*sh native\/setup\.sh$/)
})

test('a child that takes too long is ended, and so is one that nobody waits for any more', async (t) => {
  const folder = folderOf(t)
  const pidFile = join(folder, 'pid')
  const slow = programIn(folder, 'slow', `echo $$ > ${pidFile}; exec sleep 600`)
  const { code, detail } = await faultOf(slow, 200)
  assert.equal(code, 'calibration.too_slow', detail)
  const isThere = () => {
    try {
      const pid = Number(readFileSync(pidFile, 'utf8'))
      return pid > 0 && process.kill(pid, 0) // it may have been ended before it had written
    } catch {
      return false
    }
  }
  await until('its end', () => !isThere())
  writeFileSync(pidFile, '')

  const { solve } = linuxCalibration({ programs: { corners: slow, solve: slow, guide: slow } })
  const own = folderOf(t)
  const { TMPDIR } = process.env
  process.env.TMPDIR = own
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  const fiber = Effect.runFork(solve('1 2 3'))
  await until('the child', () => readFileSync(pidFile, 'utf8') !== '')
  const during = readdirSync(own).length
  await Effect.runPromise(Fiber.interrupt(fiber))

  await until('its end', () => !isThere())
  assert.deepEqual([during, readdirSync(own)], [1, []])
})

test('lines of progress are told, and what is none is the answer', async (t) => {
  const folder = folderOf(t)
  const told: CalibrationProgress[] = []
  const program = programIn(
    folder,
    'tells',
    String.raw`printf '{"step":"solve","share":0.5}\n{"step":"predict","share":0.9}\n{"ok":false,"detail":"no"}\n'`,
  )

  const answer = await Effect.runPromise(
    linuxCalibration({ programs: { corners: program, solve: program, guide: program } }).corners(['a'], (each) =>
      told.push(each),
    ),
  )

  assert.deepEqual(answer, { ok: false, detail: 'no' })
  assert.deepEqual(told, [
    { step: 'solve', share: 0.5 },
    { step: 'predict', share: 0.9 },
  ])
})
