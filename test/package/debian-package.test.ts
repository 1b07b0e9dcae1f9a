// The package for Debian: what it says of itself, what it may on a device, and that it is made the same each time.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { controlFile, debianVersion, makePackage } from '../../native/package/debian-package.ts'
import { writeRelease } from '../../native/update/bundle/release-folder.ts'
import { folderOf } from '../support/processes/folder.ts'

const FILES = join(import.meta.dirname, '../../native/package/debian')
const UNIT = join(FILES, 'vedette.service')
const MAX_EXPOSURE = 4
const BUILT_AT_MS = 1_600_000_000_000

const noTool = (tool: string) => (spawnSync(tool, ['--version']).error ? `there is no ${tool} here` : false)
const noDpkg = noTool('dpkg-deb')
const noAnalyze = noTool('systemd-analyze')

const PARTS = {
  arch: 'x64',
  version: '1.2.3-rc.1',
  builtAtMs: BUILT_AT_MS,
  depends: ['libc6 (>= 2.36)'],
  recommends: ['libavcodec59'],
  compression: 'xz',
} as const

/** Of a release of a few files. */
const tinyPackage = (t: TestContext): string => {
  const folder = folderOf(t)
  const said = { version: '1.2.3', hardware: [], base: '', minimum_version: '1.0.0', built_at_ms: BUILT_AT_MS }
  const release = join(folder, 'release')
  writeRelease(
    release,
    [
      { path: '.bundle/main.mjs', from: { text: 'run()' } },
      { path: 'bin/node', from: { text: '#!/bin/sh\n' }, executable: true },
      { path: 'LICENSE', from: { text: 'terms' } },
      { path: 'update-keys.json', from: { text: '{ "keys": [] }' } },
    ],
    said,
  )
  const launcher = join(folder, 'launch.mjs')
  writeFileSync(launcher, 'launch()')
  return makePackage({ ...PARTS, release, launcher, scratch: join(folder, 'scratch') }, folder)
}

test('the same release gives the same package, wherever it is made', { skip: noDpkg }, (t) => {
  const sums = [tinyPackage(t), tinyPackage(t)].map((path) =>
    createHash('sha256').update(readFileSync(path)).digest('hex'),
  )

  assert.equal(sums[1], sums[0])
})

test('the package has each file with its sum, owned by root', { skip: noDpkg }, (t) => {
  const path = tinyPackage(t)
  const to = join(folderOf(t), 'unpacked')

  execFileSync('dpkg-deb', ['-R', path, to])
  const listed = execFileSync('dpkg-deb', ['-c', path], { encoding: 'utf8' }).trim().split('\n')

  assert.deepEqual(
    listed.filter((line) => !/^[-d]rw[x-]r-[x-]r-[x-] root\/root /.test(line)),
    [],
  )
  execFileSync('md5sum', ['--check', '--quiet', '--strict', 'DEBIAN/md5sums'], { cwd: to })
  const sums = readFileSync(join(to, 'DEBIAN/md5sums'), 'utf8')
  const files = listed.flatMap((line) => (line.startsWith('-') ? [line.split(' ./')[1] as string] : []))
  assert.deepEqual(
    sums
      .trim()
      .split('\n')
      .map((line) => line.slice(34)),
    files.toSorted(),
  )
  for (const file of ['release/.bundle/main.mjs', 'launcher/launch.mjs'])
    assert.ok(files.includes(`usr/lib/vedette/${file}`), file)
  for (const conffile of readFileSync(join(to, 'DEBIAN/conffiles'), 'utf8').trim().split('\n'))
    assert.ok(files.includes(conffile.slice(1)), conffile)
})

test('the control file names what it needs, and no compiler', () => {
  const text = controlFile(PARTS, 2_000_000)

  assert.match(text, /^Version: 1\.2\.3~rc\.1$/m)
  assert.match(text, /^Architecture: amd64$/m)
  assert.match(text, /^Depends: libc6 \(>= 2\.36\), passwd, systemd$/m)
  assert.match(text, /^Recommends: libavcodec59$/m)
  assert.match(text, /^Installed-Size: 1954$/m)
  assert.doesNotMatch(text, /-dev|g\+\+|gcc|npm/)
  assert.equal(debianVersion('1.2.3'), '1.2.3')
})

test('the unit is exposed to at most 4.0, as systemd-analyze counts it', { skip: noAnalyze }, (t) => {
  const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT], { encoding: 'utf8' })
  const [, exposure = '10'] = /Overall exposure level for vedette\.service: ([\d.]+)/.exec(said) ?? []

  t.diagnostic(`exposure ${exposure}`)
  assert.ok(Number(exposure) <= MAX_EXPOSURE, said)
})

test('the unit leaves the service what it works with', () => {
  const unit = readFileSync(UNIT, 'utf8')

  // V8 compiles, cameras are devices, sysfs is written, groups of devices count, /proc/stat is read
  const breaking = /^(MemoryDenyWriteExecute|PrivateDevices|ProtectKernelTunables|PrivateUsers|ProcSubset)=/m
  assert.doesNotMatch(unit, breaking)
  // whose kinds are looked up when the service starts: a camera that is the first one would stay closed
  assert.doesNotMatch(unit, /^Device(Policy|Allow)=/m)
  assert.match(unit, /^User=vedette$/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  assert.match(unit, /^Type=notify$/m)
  assert.match(unit, /^WatchdogSec=15$/m)
})

test('polkit lets the service do what it asks for and nothing else, in the language that polkit knows', () => {
  const text = readFileSync(join(FILES, '50-vedette.rules'), 'utf8')
  assert.doesNotMatch(text.replaceAll(/\/\/.*/g, ''), /=>|\b(const|let|class)\b|`|\.includes\(|,\s*[\])}]/)

  let rule: (action: { id: string }, subject: { user: string }) => unknown = () => undefined
  const polkit = {
    Result: { YES: 'yes', NOT_HANDLED: 'not handled' },
    addRule: (given: typeof rule) => {
      rule = given
    },
  }
  new Function('polkit', text)(polkit)

  const reboot = { id: 'org.freedesktop.login1.reboot' }
  assert.equal(rule(reboot, { user: 'vedette' }), 'yes')
  assert.equal(rule(reboot, { user: 'somebody' }), 'not handled')
  assert.equal(rule({ id: 'org.freedesktop.systemd1.manage-units' }, { user: 'vedette' }), 'not handled')
})

test('the scripts of the package are shell that can be read', () => {
  for (const name of ['postinst', 'prerm', 'postrm']) {
    const text = readFileSync(join(FILES, name), 'utf8')
    assert.match(text, /^#!\/bin\/sh\nset -e\n/)
    execFileSync('sh', ['-n', join(FILES, name)])
  }
})
