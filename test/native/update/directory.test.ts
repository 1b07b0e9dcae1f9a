// Installing beside what runs, on a real disk.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type { Fault } from '../../../machines/errors/fault.ts'
import { PACKAGED } from '../../../machines/update/release.ts'
import { prepareStart } from '../../../native/launcher/prepare.ts'
import { sqliteSettings } from '../../../native/launcher/settings.ts'
import { directoryBackend, launchedBy } from '../../../native/update/directory.ts'
import { type Disk, realDisk } from '../../../native/update/disk.ts'
import type { VerifiedBundle } from '../../../native/update/port.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { releaseOf } from '../../support/update/power-cuts.ts'

/** A device on which the packaged version was started. */
const device = async (t: TestContext, disk: Disk = realDisk) => {
  const root = temporaryFolder()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const places = { system: join(root, 'system'), packaged: join(root, 'packaged'), dataDir: join(root, 'data') }
  mkdirSync(places.packaged)
  writeFileSync(
    join(places.packaged, 'release.json'),
    JSON.stringify({ version: '1.0.0', built_at_ms: 7, minimum_version: '0.9.0' }),
  )
  const ends: string[] = []
  const backend = (running: string = PACKAGED) =>
    directoryBackend({ ...places, running, disk, nowMs: () => 5, end: () => void ends.push(running) })
  const start = () =>
    prepareStart({ ...places, disk: realDisk, settings: sqliteSettings, nowMs: () => 4, warn: assert.fail })
  await start()
  return { ...places, versions: join(places.system, 'versions'), backend, start, ends }
}

const run = <Value>(effect: Effect.Effect<Value, Fault>): Promise<Value> => Effect.runPromise(effect)
const refusal = (effect: Effect.Effect<unknown, Fault>): Promise<Fault> => Effect.runPromise(Effect.flip(effect))
const quiet = () => {}

test('a bundle is a folder of its own then, with its programs, and how far it is can be seen', async (t) => {
  const { backend, versions } = await device(t)
  const { bundle, name, files } = releaseOf('1.1.0', 9)
  const progress: (readonly [number, number | null])[] = []

  assert.equal(await run(backend().install(bundle, (...each) => void progress.push(each))), name)

  assert.deepEqual(readdirSync(versions), [name])
  for (const { path, content } of files) assert.deepEqual(readFileSync(join(versions, name, path)), content)
  assert.deepEqual(readFileSync(join(versions, name, 'release.json')), bundle.manifestBytes)
  assert.equal(statSync(join(versions, name, 'bin/node')).mode & 0o777, 0o755)
  assert.equal(statSync(join(versions, name, '.bundle/main.mjs')).mode & 0o777, 0o644)
  const total = files.reduce((sum, { content }) => sum + content.length, 0)
  assert.deepEqual(progress.at(-1), [total, total])
  assert.equal(progress.length, files.length)
})

test('what runs, what else there is, and what is chosen are told apart', async (t) => {
  const { backend } = await device(t)
  const { bundle, name } = releaseOf('1.1.0', 9)
  const running = { name: PACKAGED, version: '1.0.0', built_at_ms: 7 }
  const slots = { running, other: null, isTrial: false, chosen: PACKAGED, failed: null, floor: '0.9.0' }
  const other = { name, version: '1.1.0', built_at_ms: 9 }

  assert.deepEqual(await run(backend().slots), slots)
  await run(backend().install(bundle, quiet))
  assert.deepEqual(await run(backend().slots), { ...slots, other })
  await run(backend().activate(name))
  assert.deepEqual(await run(backend().slots), { ...slots, other, chosen: name })
})

test('the new version is on trial until it is committed, and may give itself up', async (t) => {
  const { backend, start } = await device(t)
  const { bundle, name } = releaseOf('1.1.0', 9)
  await run(backend().install(bundle, quiet))
  await run(backend().activate(name))

  assert.equal((await start()).name, name)
  const trial = await run(backend(name).slots)
  assert.deepEqual([trial.isTrial, trial.chosen, trial.other?.name], [true, name, PACKAGED])
  await run(backend(name).goBack('it sees nothing'))
  assert.deepEqual((await run(backend(name).slots)).chosen, PACKAGED)
  assert.equal((await start()).name, PACKAGED)

  const { failed, other } = await run(backend().slots)
  assert.deepEqual([failed?.version, failed?.reason, other?.name], [name, 'it sees nothing', name])
})

test('only the current, the previous and the new version stay on the disk', async (t) => {
  const { backend, start, versions } = await device(t)
  const releases = [1, 2, 3, 4].map((n) => releaseOf(`1.${n}.0`, n))
  let running: string = PACKAGED
  for (const { bundle, name } of releases) {
    await run(backend(running).install(bundle, quiet))
    await run(backend(running).activate(name))
    await start()
    await run(backend(name).commit)
    running = name
  }

  assert.deepEqual(
    readdirSync(versions).toSorted(),
    releases.slice(-3).map(({ name }) => name),
  )
})

test('a version that is there whole is not written again, and one that was damaged is', async (t) => {
  const { backend, versions } = await device(t)
  const { bundle, name } = releaseOf('1.1.0', 9)
  const program = join(versions, name, 'bin/node')
  await run(backend().install(bundle, quiet))
  const { ino } = statSync(program)

  await run(backend().install(bundle, quiet))
  assert.equal(statSync(program).ino, ino)
  writeFileSync(program, 'rubbish')
  await run(backend().install(bundle, quiet))
  assert.equal(readFileSync(program, 'utf8'), 'bin/node of 1.1.0')
  assert.deepEqual(readdirSync(versions), [name])
})

/** A bundle whose second file breaks off. */
const breaking = (fault: unknown): VerifiedBundle => {
  const { bundle } = releaseOf('1.1.0', 9)
  const files = async function* () {
    let n = 0
    for await (const file of bundle.files()) {
      n += 1
      yield n < 2
        ? file
        : {
            ...file,
            content: Readable.from(
              (function* () {
                yield Buffer.from('half')
                throw fault
              })(),
            ),
          }
    }
  }
  return { ...bundle, files }
}

test('what cannot be installed leaves nothing behind, and says why', async (t) => {
  const { backend, versions } = await device(t)
  const refused: Fault = { code: 'device.failed', detail: 'the bundle has changed since it was verified' }

  assert.deepEqual(await refusal(backend().install(breaking(refused), quiet)), refused)
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  assert.equal((await refusal(backend().install(breaking(full), quiet))).code, 'storage.full')
  assert.equal((await refusal(backend().install(breaking(new Error('EIO')), quiet))).code, 'device.failed')

  assert.deepEqual(readdirSync(versions), [])
})

test('one that is cancelled leaves nothing behind when the cancelling is done', async (t) => {
  const { backend, versions } = await device(t)
  const begun = Promise.withResolvers<void>()
  const fibre = Effect.runFork(backend().install(releaseOf('1.1.0', 9).bundle, () => begun.resolve()))
  await begun.promise

  await Effect.runPromise(Fiber.interrupt(fibre))

  assert.deepEqual(readdirSync(versions), [])
})

test('where there is too little room, nothing is begun', async (t) => {
  const { backend, versions } = await device(t, { ...realDisk, free: async () => 1_000 })

  const { code, detail } = await refusal(backend().install(releaseOf('1.1.0', 9).bundle, quiet))

  assert.equal(code, 'storage.full')
  assert.match(detail, /^the new version takes \d+ MB in .*, and 1 MB are free; delete some media and repeat$/)
  assert.deepEqual(readdirSync(versions), [])
})

test('what is not whole, what runs, and what was not chosen is refused', async (t) => {
  const { backend, versions } = await device(t)
  const { bundle, name } = releaseOf('1.1.0', 9)
  await run(backend().install(bundle, quiet))

  assert.match((await refusal(backend().activate('1.2.0-0123456789ab'))).detail, /not installed, or not whole/)
  assert.match((await refusal(backend(name).activate(name))).detail, /it is what runs/)
  assert.match((await refusal(backend(name).install(bundle, quiet))).detail, /^this very build of .* runs already/)
  assert.match((await refusal(backend(name).commit)).detail, /packaged is chosen, and 1\.1\.0-\w+ runs/)
  writeFileSync(join(versions, name, 'complete'), 'rubbish')
  assert.match((await refusal(backend().activate(name))).detail, /not installed, or not whole/)
})

test('a version that had settings once is given those of now', async (t) => {
  const { backend, dataDir, start } = await device(t)
  const { bundle, name } = releaseOf('1.1.0', 9)
  const stale = join(dataDir, 'settings', name)
  await run(backend().install(bundle, quiet))
  mkdirSync(stale, { recursive: true })
  writeFileSync(join(stale, 'vedette.db'), 'stale')

  await run(backend().activate(name))
  await start()

  assert.deepEqual(readdirSync(join(dataDir, 'settings')), [])
})

test('a restart ends this run, and nothing else', async (t) => {
  const { backend, ends } = await device(t)

  await run(backend().restart)

  assert.deepEqual(ends, [PACKAGED])
})

test('a start without a launcher is told apart by its environment', () => {
  const env = { VEDETTE_SYSTEM: '/s', VEDETTE_RUNNING: PACKAGED, VEDETTE_PACKAGED: '/p' }

  assert.deepEqual(launchedBy(env), { system: '/s', running: PACKAGED, packaged: '/p' })
  for (const name of Object.keys(env)) assert.equal(launchedBy({ ...env, [name]: undefined }), undefined)
  assert.equal(launchedBy({ ...env, VEDETTE_SYSTEM: 's' }), undefined)
})
