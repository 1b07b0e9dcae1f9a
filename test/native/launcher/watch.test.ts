// Who watches the service is stopped himself: by Ctrl-Z, or with all that is in its container.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'

const WATCHING = fileURLToPath(new URL('../../support/processes/watching.ts', import.meta.url))
const WHILE_STOPPED = 40 // of 20 a second: twice as long as the service may say nothing
const GOES_ON = 10
const LIMIT_MS = 10_000

test('a service that has said all the time that it is well is not ended when its watcher goes on', async (t) => {
  const file = join(folderOf(t), 'well')
  const watcher = spawn(process.execPath, [WATCHING, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  watcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  t.after(() => {
    watcher.kill('SIGKILL')
    try {
      process.kill(-Number.parseInt(said, 10), 'SIGKILL')
    } catch {} // it was ended
  })
  const times = () => (existsSync(file) ? statSync(file).size : 0)
  const goesOn = async (more: number) => {
    const before = times()
    await until('it to go on', times, (now) => now >= before + more, LIMIT_MS)
  }
  await goesOn(GOES_ON)

  watcher.kill('SIGSTOP')
  await goesOn(WHILE_STOPPED)
  watcher.kill('SIGCONT')

  await goesOn(GOES_ON)
  assert.match(said, /^\d+\n$/)
})
