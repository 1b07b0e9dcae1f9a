// The release for arm64, made on an x64 machine: its addons are loaded, their tests run and the service started by a
// processor that is emulated. Whole engines are not: a process that starts another one leaves the emulator.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { arm64Compiler, arm64System } from '../../native/package/arm64.ts'
import { systemNeeds } from '../../native/package/content.ts'
import { partsOfThisMachine } from '../../native/package/parts.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { IS_LONG } from '../support/long.ts'
import { Daemon } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const EMULATOR = 'qemu-aarch64-static'

const why = (): string | false => {
  if (!IS_LONG) return 'it takes minutes: npm run test:long'
  if (process.arch !== 'x64') return 'the other architecture is emulated on x64'
  const missing = [EMULATOR, 'aarch64-linux-gnu-g++'].filter((tool) => spawnSync(tool, ['--version']).error)
  return missing.length > 0 ? `apt-get install qemu-user-static g++-aarch64-linux-gnu is needed` : false
}
const SKIP = why()

const lifetime = fileLifetime()
let release = ''
let system = ''

before(() => {
  if (SKIP) return
  const out = folderOf(lifetime)
  const { depends, recommends } = systemNeeds(partsOfThisMachine(ROOT))
  system = arm64System([...depends, ...recommends])
  execFileSync(process.execPath, ['native/package/main.ts', '--arch', 'arm64', '--deb', 'none', '--out', out], {
    cwd: ROOT,
    env: { ...process.env, SOURCE_DATE_EPOCH: '1600000000' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  release = join(out, 'release')
})

/** What runs a program of arm64. */
const emulated = (...command: readonly string[]): readonly [string, ...string[]] => {
  const libraries = ['', '/blas', '/lapack'].map((folder) => join(system, 'usr/lib/aarch64-linux-gnu', folder))
  return [EMULATOR, '-L', system, '-E', `LD_LIBRARY_PATH=${libraries.join(':')}`, ...command]
}

const outputOf = ([program, ...args]: readonly [string, ...string[]], options = {}): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], ...options })

test('the addons are loaded by the Node of the release', { skip: SKIP }, () => {
  const addons = ['addon/build/vedette', 'libav/build/vedette_libav', 'notify/build/notify']
  const load = addons.map((name) => `Object.keys(require('${release}/native/${name}.node')).length > 0`).join(' && ')

  const said = outputOf(emulated(join(release, 'bin/node'), '-p', `${load} && process.arch`))

  assert.equal(said, 'arm64\n')
})

test('the programs beside it run', { skip: SKIP }, () => {
  outputOf(emulated(join(release, 'native/addon/build/cameras')))
  const codecs = outputOf(emulated(join(release, 'native/libav/build/codecs')))

  assert.match(codecs, /"kind":"decoder","codec":"mjpeg"/)
})

test('the tests of the nodes pass, compiled for arm64', { skip: SKIP }, () => {
  const build = join(ROOT, 'native/addon/build/arm64')
  mkdirSync(build, { recursive: true })
  const program = join(build, 'node_test')
  const making = ['-s', '-j2', '-C', 'native/addon', `BUILD=${build}`, `CXX=${arm64Compiler(system)}`, program]
  execFileSync('make', making, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })

  outputOf(emulated(program), { cwd: join(ROOT, 'native/addon') }) // it ends with 0 when all have passed
})

test('the service answers, with made-up pictures', { skip: SKIP }, async (t) => {
  const scratch = folderOf(t)
  const command = emulated(join(release, 'bin/node'), '--max-semi-space-size=1', join(release, '.bundle/main.mjs'))
  const flags = { 'data-dir': join(scratch, 'data'), engine: 'fake', http: '127.0.0.1:0', nt4: 'off', log: 'json:info' }
  const daemon = new Daemon(flags, command, { PATH: '/usr/bin:/bin', TMPDIR: scratch })
  t.after(() => daemon.end('SIGKILL'))

  await daemon.ready()

  assert.equal((await daemon.stream('demo', 'live')).status.state, 'live')
  assert.equal((await fetch(daemon.url)).status, 200)
})
