// Engines whose service was killed while they could not notice: the next one on the same data directory ends them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endLeftEngines } from '../../../../native/engine/service/left-engines.ts'
import { MODEL_FOLDER } from '../../../../native/models/folder.ts'
import { site } from '../../../support/processes/daemon.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { arrival, until } from '../../../support/until.ts'

/** The letter under which the system knows its state; undefined: it is gone, or waits for its parent to notice. */
const stateOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    return state === 'Z' ? undefined : state
  } catch {
    return undefined
  }
}

/** A process that looks like an engine for a folder, does not end by itself, and is nobody's child here. */
const hungEngine = async (t: TestContext, folder: string, name = 'main.ts'): Promise<number> => {
  const place = join(folderOf(t), 'engine/process')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, name), 'setInterval(() => {}, 1e6)')
  const starter = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, [${JSON.stringify(join(place, name))}], { detached: true, stdio: 'ignore' })
    process.stdout.write(String(child.pid), () => process.exit())`
  const env = { ...process.env, [MODEL_FOLDER]: folder }
  const parent = spawn(process.execPath, ['-e', starter], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await arrival('its process id', once(parent.stdout, 'data'))
  if (parent.exitCode === null) await arrival('the end of its parent', once(parent, 'exit'))
  const pid = Number(said)
  t.after(() => stateOf(pid) && process.kill(pid, 'SIGKILL'))
  const seen = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name)
  await until('the process', seen)
  return pid
}

test('an engine that was stopped when its service was killed is gone once the next one has started', async (t) => {
  const { start } = site(t)
  const first = await start()
  const { status } = await first.addStream({ id: 'front', source: { backend: 'synthetic', fps: 15 } })
  assert.equal(status.state, 'live')
  const { engine_pid } = await first.metrics('front')
  const pid = Number(engine_pid)
  t.after(() => stateOf(pid) && process.kill(pid, 'SIGKILL'))

  process.kill(pid, 'SIGSTOP')
  await until('it to stand', () => stateOf(pid) === 'T')
  await first.end('SIGKILL')
  assert.equal(stateOf(pid), 'T', 'it stays by itself')
  const second = await start()
  await second.stream('front', 'live')

  await until('its end', () => stateOf(pid) === undefined)
  assert.notEqual((await second.metrics('front')).engine_pid, pid)
  await until('the word of it', () => second.log.some(({ message }) => message.includes(String(pid))))
})

test('one that hangs is killed, however its folder is named; those of others and other programs stay', async (t) => {
  const [folder, other] = [folderOf(t), folderOf(t)]
  const link = join(folderOf(t), 'link')
  symlinkSync(folder, link)
  const [hung, ofOther, noEngine] = await Promise.all([
    hungEngine(t, folder),
    hungEngine(t, other),
    hungEngine(t, folder, 'mine.ts'),
  ])
  process.kill(hung, 'SIGSTOP')

  const ended = await endLeftEngines(link)

  assert.deepEqual(ended, [hung])
  await until('its end', () => stateOf(hung) === undefined)
  assert.ok(stateOf(ofOther) && stateOf(noEngine))
})
