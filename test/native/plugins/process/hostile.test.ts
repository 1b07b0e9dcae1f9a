// Plugins that mean harm, as real processes behind the real launcher: what becomes of each, and that nothing of it is
// left. What others notice of them is the subject of the bench `plugin-hostile`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { CONFINE_PROGRAM } from '../../../../native/programs/confine.ts'
import { DEAF, type Hostile, hostileProgram, LATE, LOCKS, MAPS, SPLIT } from '../../../support/plugins/hostile.ts'
import { pluginFolder } from '../../../support/plugins/plugin-folder.ts'
import { startedProgram } from '../../../support/plugins/started-program.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { killedAfter } from '../../../support/processes/killed.ts'
import { arrival, until } from '../../../support/until.ts'

const skip = !existsSync('/usr/bin/python3') && 'there is no Python here'
const limits = { memory_mb: 64, cpu_percent: 50, disk_mb: 8, processes: 12 }

const MUST_HOLD = ['rights', 'own processes', 'processes', 'memory', 'disk', 'files', 'network', 'system calls']

/** Starts it, sees that it is held, and has it begin. */
const begun = async (t: TestContext, which: Hostile) => begunProgram(t, which, hostileProgram(which))

const begunProgram = async (t: TestContext, name: string, program: string) => {
  const plugin = pluginFolder(t)(name, { runtime: 'python', program, manifest: { limits } })
  const started = await startedProgram(t, plugin)
  await started.next('ready')
  const held = started.confinement()
  const loose = MUST_HOLD.filter((means) => !held.some((each) => each.means === means && each.holds))
  assert.deepEqual(loose, [], 'what does not hold: it is not let loose')
  const request = { type: 'request', request: 1, method: 'GET', path: '/', query: '', media_type: null } as const
  started.program.send(request)
  return { ...started, plugin }
}

const childrenOf = (pid: number): readonly number[] => {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Of the launcher, in its process group and below. */
const processesBelow = (pid: number): readonly number[] => {
  const below = childrenOf(pid)
  return [...below, ...below.flatMap(processesBelow)]
}

test('a program that forks without end has as many processes as it may, and all of them end with it', {
  skip,
}, async (t) => {
  const { program } = await begun(t, 'forks')
  await until('processes', () => processesBelow(program.pid).length > limits.processes / 2)

  const seen = processesBelow(program.pid)
  await Effect.runPromise(program.end)

  assert.ok(seen.length <= limits.processes + 1, `${seen.length} processes`)
  assert.deepEqual(
    seen.filter((pid) => existsSync(`/proc/${pid}/exe`)),
    [],
  )
})

test('a program that eats memory is ended, and the fault says with how much', { skip }, async (t) => {
  const { gone } = await begun(t, 'eats')

  const fault = await gone

  assert.match(fault.detail, /^It was ended: it took \d+ MB of memory, and 64 MB are its limit\.$/)
})

for (const which of ['fills', 'hides'] as const)
  test(`a program that ${which} what it writes is ended at its limit of the disk`, { skip }, async (t) => {
    const { gone } = await begun(t, which)

    const fault = await gone

    assert.match(fault.detail, /^It was ended: its files take \d+ MB, and 8 MB are its limit\.$/)
  })

test('a program that writes where its files cannot be counted is ended for that', { skip }, async (t) => {
  const { gone } = await begunProgram(t, 'locks', LOCKS)

  const fault = await gone

  const why = 'it keeps a folder that nobody may look into, so that what lies in it cannot be counted'
  assert.equal(fault.detail, `It was ended: ${why}.`)
})

test('a program that keeps deleted files only in its memory is ended for that', { skip }, async (t) => {
  const { gone } = await begunProgram(t, 'maps', MAPS)

  const fault = await gone

  const why = 'it has a file in its memory that it has deleted and closed, which cannot be counted'
  assert.equal(fault.detail, `It was ended: ${why}.`)
})

test('a program that floods the wire is heard at the rate that it may have', { skip }, async (t) => {
  const { until: when, lines, heard } = await begun(t, 'floods')
  const startedAt = performance.now()
  await when(() => heard.length >= 1500 || undefined)

  const seconds = (performance.now() - startedAt) / 1000

  // 500 at once and 500 each second
  assert.ok(heard.length / (1 + seconds) < 1100, `${heard.length} messages in ${seconds} s`)
  assert.equal(lines.length, 0)
})

test('what a program lies about is refused, and it goes on being heard until its lie has no end', {
  skip,
}, async (t) => {
  const { refusals, until: when } = await begun(t, 'lies')

  await when(() => refusals.length >= 9 || undefined)

  const expected = [
    /the byte 0xdf begins nothing/,
    /2147483647 values are to come in 0 bytes/,
    /more than 65536 values/,
    /more than 65536 values/,
    /a frame of 0 bytes/,
    /^\/topic of the message publish/,
    /^\/status of the message reply must be at least 200/,
    /no message of the type "constructor"/,
    /a frame of 4294967295 bytes/,
  ]
  for (const [n, pattern] of expected.entries()) assert.match(refusals[n] ?? '', pattern)
})

test('what a program prints as if it were what holds it counts for nothing', { skip }, async (t) => {
  const { gone, confinement, lines } = await begun(t, 'forges')
  const held = confinement()

  const fault = await gone

  assert.equal(confinement(), held)
  assert.match(fault.detail, /^It stopped \(exit code 3\)/)
  assert.equal(lines.filter((line) => line.startsWith('vedette-confine: ')).length, 4)
})

test('a program that neither reads nor ends is ended for not reading', { skip }, async (t) => {
  const plugin = pluginFolder(t)('deaf', { runtime: 'python', program: DEAF, manifest: { limits } })
  const { program, next, gone } = await startedProgram(t, plugin, { stuckMs: 100 })
  await next('ready')

  for (let sent = 0; sent < 12; sent += 1) program.send({ type: 'panel', message: 'x'.repeat(500_000) })
  const fault = await gone

  assert.equal(fault.detail, 'It was ended: it does not read what it is told.')
})

test('a program that reads late is spared what has no room, answers the rest, and is not ended', {
  skip,
}, async (t) => {
  const plugin = pluginFolder(t)('late', { runtime: 'python', program: LATE, manifest: { limits } })
  const { program, next, until: when, heard } = await startedProgram(t, plugin)
  await next('ready')
  const request = { type: 'request', method: 'POST', path: '/', query: '', media_type: null } as const
  const body = new Uint8Array(1024 * 1024)

  const taken = [...Array(32).keys()].filter((n) => program.send({ ...request, request: n + 1 }, body))
  const isShortTaken = program.send({ ...request, request: 33 })
  writeFileSync(join(plugin.data_folder, 'go'), '')
  await when(() => heard.length === taken.length + 1 || undefined)

  assert.ok(taken.length >= 3 && taken.length < 32, `${taken.length} requests of 1 MiB`)
  assert.equal(isShortTaken, true)
  assert.deepEqual(
    heard.map(({ message }) => message.type === 'reply' && message.request),
    [...taken.map((n) => n + 1), 33],
  )
  assert.equal(program.send({ ...request, request: 34 }, body), true)
})

test('a program that ignores the order to end is killed', { skip }, async (t) => {
  const plugin = pluginFolder(t)('deaf', { runtime: 'python', program: DEAF, manifest: { limits } })
  const { program, next } = await startedProgram(t, plugin)
  await next('ready')
  const inside = processesBelow(program.pid)

  await Effect.runPromise(program.end)

  assert.equal(inside.length, 2)
  assert.deepEqual(
    inside.filter((pid) => existsSync(`/proc/${pid}/exe`)),
    [],
  )
})

test('what a program has left behind in a session of its own ends with it', { skip }, async (t) => {
  const { program } = await begun(t, 'leaves')
  // it falls to the first process inside, beside the program
  await until('what is left behind', () => childrenOf(childrenOf(program.pid)[0] ?? 0).length === 2)
  const inside = processesBelow(program.pid)

  await Effect.runPromise(program.end)

  assert.deepEqual(
    inside.filter((pid) => existsSync(`/proc/${pid}/exe`)),
    [],
  )
})

/** The launcher where a system lets nobody make name spaces, as Ubuntu does. */
const withoutNamespaces = (t: TestContext): string => {
  const path = join(folderOf(t), 'launcher')
  const refused = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"'
  writeFileSync(path, `#!/bin/sh\nexec ${OWN_SPACE} sh -c '${refused}' ${CONFINE_PROGRAM} "$@"\n`, { mode: 0o755 })
  return path
}
const OWN_SPACE = 'unshare --user --map-user=1 --map-group=1 --keep-caps'
const noSpace = spawnSync('sh', ['-c', `${OWN_SPACE} true`]).status !== 0 && 'nothing can be refused here'

const splitPlugin = (t: TestContext) =>
  pluginFolder(t)('split', { runtime: 'python', program: SPLIT, manifest: { limits } })

for (const how of ['end', 'kill'] as const)
  test(`without name spaces, too, nothing is left of a program by its ${how}`, { skip: skip || noSpace }, async (t) => {
    const {
      program,
      next,
      lines,
      gone,
      confinement,
      until: when,
    } = await startedProgram(t, splitPlugin(t), {
      launcher: withoutNamespaces(t),
    })
    await next('ready')
    const left = await when(() => lines[0])
    assert.equal(confinement().find(({ means }) => means === 'own processes')?.holds, false)

    if (how === 'kill') program.kill('it is a test')
    await arrival<unknown>('its end', how === 'kill' ? gone : Effect.runPromise(program.end))

    assert.ok(!existsSync(`/proc/${left}`))
  })

test('without name spaces, too, nothing is left of a program when the service is killed', {
  skip: skip || noSpace,
}, async (t) => {
  const holder = join(import.meta.dirname, '../../../support/plugins/plugin-holder.ts')

  const [left] = await killedAfter(1, [holder, withoutNamespaces(t), JSON.stringify(splitPlugin(t))])

  await until('its end', () => !existsSync(`/proc/${left}`))
})
