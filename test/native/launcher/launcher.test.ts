// The launcher with the real service: a version that is no good is gone back from, with its reason.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { PACKAGED } from '../../../machines/update/release.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import { shortOrLong } from '../../support/long.ts'
import { until } from '../../support/until.ts'
import { type BadMain, LaunchedDevice, type Patience } from '../../support/update/launched-device.ts'
import { listenAt } from '../../support/update/notify-socket.ts'

/** As on a device only in the long run: here a hang shall not take a minute. */
const PATIENCE: Patience = shortOrLong({ readyS: 10, watchdogS: 5 }, {})
const LIMIT_MS = 60_000

const STREAM = { id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } }

const streamsAt = async (url: string): Promise<readonly string[]> => {
  const { items } = (await (await fetch(`${url}/v1/streams`)).json()) as { items: readonly { id: string }[] }
  return items.map(({ id }) => id)
}

const addStream = async (url: string, id: string): Promise<void> => {
  const body = JSON.stringify({ ...STREAM, id })
  const { status } = await fetch(`${url}/v1/streams`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 200)
}

/** A device whose packaged version runs, with a stream. */
const runningDevice = async (t: Lifetime) => {
  const device = new LaunchedDevice(t, PATIENCE)
  device.start()
  await addStream(await device.ready(), 'front')
  return device
}

/** Chooses a version, and ends the run as the service would. */
const change = async (device: LaunchedDevice, name: string): Promise<number> => {
  const since = device.output.length
  await Effect.runPromise(device.backend().activate(name))
  await Effect.runPromise(device.backend().restart)
  return since
}

/** Hangs, and leaves the processor to others. */
const HANG = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

const BAD: Readonly<Record<string, readonly [main: BadMain, reason: RegExp]>> = {
  'crashes at once': [() => 'process.exit(3)', /it ended with code 3$/],
  'throws at once': [() => 'null.no', /it ended with code 1$/],
  'is killed': [() => "process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)", /killed by SIGSEGV$/],
  'leaks until it is killed': [
    // as the kernel kills what takes all there is
    (service) => `
      const leaked = []
      setInterval(() => {
        leaked.push(Buffer.alloc(20e6, 1))
        if (process.memoryUsage.rss() > 500e6) process.kill(process.pid, 'SIGKILL')
      }, 50)
      await import('${service}')`,
    /it was killed \(SIGKILL\), as the system does with what takes all the memory/,
  ],
  'hangs before it is ready': [() => HANG, /it was not ready in time, and was killed$/],
  'hangs when it runs': [
    (service) => `
      const write = process.stdout.write
      process.stdout.write = (text, ...more) => {
        if (text.includes('is ready')) setTimeout(() => ${HANG}, 500)
        return write.call(process.stdout, text, ...more)
      }
      await import('${service}')`,
    /it hung, and was killed: it did not say any more that it was well$/,
  ],
  'cannot read its settings': [
    (service) => `
      import { DatabaseSync } from 'node:sqlite'
      const db = new DatabaseSync(process.env.VEDETTE_SETTINGS_FOLDER + '/vedette.db')
      db.exec('PRAGMA user_version = 99')
      db.close()
      await import('${service}')`,
    /it ended with code 78: .* has schema 99, but this version knows only up to \d+/,
  ],
}

/** One of each kind: it crashes, never gets ready, hangs, refuses. */
const PLAYED = shortOrLong(
  ['crashes at once', 'hangs before it is ready', 'hangs when it runs', 'cannot read its settings'],
  Object.keys(BAD),
)

for (const [what, [main, reason]] of Object.entries(BAD).filter(([what]) => PLAYED.includes(what)))
  test(`a new version that ${what} is gone back from within a minute, with its reason`, async (t) => {
    const device = await runningDevice(t)
    const name = device.add('1.1.0', main)

    const startedMs = performance.now()
    const since = await change(device, name)
    await device.heard(/packaged is started: it was gone back to/, since)
    const url = await device.ready(since + device.output.slice(since).indexOf('it was gone back to'))
    const tookMs = performance.now() - startedMs

    t.diagnostic(`back after ${(tookMs / 1000).toFixed(1)} s`)
    const { current, tries, failed } = device.state()
    assert.deepEqual([current, tries], [PACKAGED, null])
    assert.equal(failed?.version, name)
    assert.match(failed?.reason ?? '', /^it was started 2 times/)
    assert.match(failed?.reason ?? '', reason)
    assert.deepEqual(await streamsAt(url), ['front'])
    assert.ok(tookMs < LIMIT_MS, `it took ${tookMs} ms`)
  })

test('a good version has a copy of the settings, and stays when it is committed', async (t) => {
  const device = await runningDevice(t)
  const name = device.add('1.1.0')

  const since = await change(device, name)
  const url = await device.ready(since)
  assert.deepEqual(await streamsAt(url), ['front'])
  await addStream(url, 'rear')
  await Effect.runPromise(device.backend(name).commit)
  const { isTrial, running, other } = await Effect.runPromise(device.backend(name).slots)
  assert.deepEqual([isTrial, running.version, other?.name], [false, '1.1.0', PACKAGED])
  const again = device.output.length
  device.endService('SIGKILL')

  assert.deepEqual(await streamsAt(await device.ready(again)), ['front', 'rear'])
  assert.equal(device.state().current, name)
  assert.equal(await device.stop(), 0)
})

test('a version that gives itself up is gone back from, and what was written meanwhile is named', async (t) => {
  const device = await runningDevice(t)
  const name = device.add('1.1.0')

  const url = await device.ready(await change(device, name))
  await addStream(url, 'rear')
  const since = device.output.length
  await Effect.runPromise(device.backend(name).goBack('no stream runs that ran before'))
  device.endService('SIGTERM')

  assert.deepEqual(await streamsAt(await device.ready(since)), ['front'])
  const { current, failed } = device.state()
  assert.equal(current, PACKAGED)
  assert.equal(failed?.reason, 'no stream runs that ran before')
  assert.deepEqual(failed?.left_behind, ['streams/rear'])
})

test('under systemd the launcher becomes the service, which says that it is ready and well', async (t) => {
  const device = new LaunchedDevice(t)
  const socket = `@${device.system}`
  const heard = await listenAt(t, socket)
  const count = (message: string) => heard.filter((each) => each === message).length

  device.start({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1500000' })
  await addStream(await device.ready(), 'front')

  assert.match(readFileSync(`/proc/${device.pid}/cmdline`, 'utf8'), /\.bundle\/main\.mjs/)
  await until('some rounds', () => count('WATCHDOG=1') >= 3)
  assert.equal(heard[0], 'READY=1')
  assert.equal(await device.stop(), 0)
})

test('under systemd a version that ends again and again is given up at the third start', async (t) => {
  const device = new LaunchedDevice(t)
  const start = async () => {
    const since = device.output.length
    device.start({ NOTIFY_SOCKET: '@nobody' })
    return since
  }
  await start()
  await addStream(await device.ready(), 'front')
  const name = device.add('1.1.0', BAD['throws at once']?.[0])
  await Effect.runPromise(device.backend().activate(name))
  assert.equal(await device.stop(), 0)

  for (const exit of ['success exited 0', 'exit-code exited 1']) {
    writeFileSync(join(device.system, 'last-exit'), `${exit}\n`) // as ExecStopPost does
    await start()
    assert.equal(await device.ended, 1)
  }
  writeFileSync(join(device.system, 'last-exit'), 'exit-code exited 1\n')

  assert.deepEqual(await streamsAt(await device.ready(await start())), ['front'])
  assert.match(device.state().failed?.reason ?? '', /started 2 times .*: it ended with code 1$/)
})

test('a service whose launcher is killed ends, and nothing half written outlives a start', async (t) => {
  const device = await runningDevice(t)
  const [service] = device.services
  device.add('1.1.0')
  const versions = join(device.system, 'versions')
  const [name = ''] = readdirSync(versions)

  await device.stop('SIGKILL')
  await until('the end of the service', () => !existsSync(`/proc/${service}`))
  for (const part of ['1.2.0-abc.part', `${name}.old.part`]) device.leave(part)
  const since = device.output.length
  device.start()
  await device.ready(since)

  assert.deepEqual(readdirSync(versions), [name])
})
