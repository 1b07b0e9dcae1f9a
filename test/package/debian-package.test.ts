// The package for Debian: what it says of itself, what it may on a device, and that it is made the same each time.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LAMPS_NOTE } from '../../native/lighting/linux.ts'
import { controlFile, debianVersion, makePackage } from '../../native/package/debian-package.ts'
import { VISION_PROGRAMS } from '../../native/package/parts.ts'
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

const OWN_USER = 'vedette:x:995:995:Vedette:/var/lib/vedette:/usr/sbin/nologin'

/** A purge, with a folder for the data and one for programs that only say that they were run. */
const purge = (t: TestContext, first: string, user = OWN_USER) => {
  const root = folderOf(t)
  const data = join(root, 'var/lib/vedette')
  mkdirSync(join(data, 'settings'), { recursive: true })
  mkdirSync(join(root, 'programs'))
  for (const name of ['userdel', 'groupdel', 'deb-systemd-helper', 'systemctl'])
    writeFileSync(join(root, 'programs', name), `#!/bin/sh\necho "${name} $*" >&3\n`, { mode: 0o755 })
  writeFileSync(join(root, 'programs/getent'), `#!/bin/sh\necho '${user}'\n`, { mode: 0o755 })
  const script = readFileSync(join(FILES, 'postrm'), 'utf8').replaceAll(/ \/(?=var|etc)/g, ` ${root}/`)
  writeFileSync(join(root, 'postrm'), script)
  const { status, output } = spawnSync('unshare', ['--mount', 'sh', '-c', `${first}; sh ${root}/postrm purge`], {
    encoding: 'utf8',
    env: { PATH: `${join(root, 'programs')}:${process.env.PATH}`, DATA: data },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  return { status, said: output[2] ?? '', ran: (output[3] ?? '').split('\n') }
}

const noMount = spawnSync('unshare', ['--mount', 'true']).status !== 0 && 'nothing can be mounted here'

test('purged where the data lies on a partition of its own, it empties that, and nothing is left half done', {
  skip: noMount,
}, (t) => {
  const mounted = 'mount -t tmpfs none "$DATA" && mkdir "$DATA/streams"'

  const { status, said, ran } = purge(t, `${mounted} && trap 'ls "$DATA" >&3' EXIT`)

  assert.equal(status, 0, said)
  assert.ok(ran.includes('userdel vedette'), ran.join())
  assert.ok(!ran.includes('streams'))
  assert.match(said, /rm: cannot remove '.*\/var\/lib\/vedette': Device or resource busy/)
})

test('purged, it takes its own user with it, and nobody who is called the same', { skip: noMount }, (t) => {
  const isRemoved = (user: string) => purge(t, ':', user).ran.includes('userdel vedette')

  assert.equal(isRemoved(OWN_USER), true)
  assert.equal(isRemoved('vedette:x:1000:1000:,,,:/home/vedette:/bin/bash'), false)
})

/** The commands that udev runs for a device: what the rules say of a subsystem, filled in as udev does. */
const commandsFor = (subsystem: string, values: Readonly<Record<string, string>>): readonly string[] => {
  const rules = readFileSync(join(FILES, '60-vedette.rules'), 'utf8').replaceAll('\\\n', '').split('\n')
  const own = rules.filter((rule) => new RegExp(`SUBSYSTEM=="([a-z|]+\\|)?${subsystem}(\\||")`).test(rule))
  const files = own.flatMap((rule) => /ENV\{VEDETTE_FILES\}="([^"]*)"/.exec(rule)?.[1] ?? []).at(-1)
  const acting = files === undefined ? own : rules.filter((rule) => rule.startsWith('ENV{VEDETTE_FILES}=="?*"'))
  return acting
    .flatMap((rule) => [...rule.matchAll(/RUN\+="([^"]*)"/g)].map(([, run]) => run as string))
    .map((run) =>
      Object.entries({ ...values, '$env{VEDETTE_FILES}': files ?? '' })
        .reduce((text, [from, to]) => text.replaceAll(from, to), run)
        .replaceAll('$$', '$')
        .replaceAll('%%', '%')
        .replaceAll('chgrp -f vedette', `chgrp -f ${OTHER_GROUP}`)
        .replaceAll('chgrp vedette', `chgrp ${OTHER_GROUP}`),
    )
}

const OTHER_GROUP = 'daemon' // every Debian has it
const notRoot = process.getuid?.() !== 0 && 'only root gives files to a group'

const groupAndRights = (path: string): string =>
  execFileSync('stat', ['-c', '%G %A', path], { encoding: 'utf8' }).trim().slice(0, -3)

test('udev gives the group of the service the files of LEDs and of PWM, each that is there', { skip: notRoot }, (t) => {
  const folder = folderOf(t)
  for (const name of ['brightness', 'multi_intensity', 'max_brightness', 'export', 'pwm2/duty_cycle']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), '0', { mode: 0o644 })
  }

  for (const subsystem of ['leds', 'pwm'])
    for (const command of commandsFor(subsystem, { '/sys%p': folder })) execFileSync('sh', ['-c', command])

  for (const name of ['brightness', 'multi_intensity', 'export', 'pwm2/duty_cycle'])
    assert.equal(groupAndRights(join(folder, name)), `${OTHER_GROUP} -rw-rw-`, name)
  assert.equal(groupAndRights(join(folder, 'max_brightness')), 'root -rw-r--')
})

test('udev gives it lines and buses of root, and leaves those to a group that has them', { skip: notRoot }, (t) => {
  const folder = folderOf(t)
  const [lines, bus, i2c] = [join(folder, 'gpiochip0'), join(folder, 'spidev0.0'), join(folder, 'i2c-1')]
  for (const path of [lines, bus, i2c]) writeFileSync(path, '', { mode: 0o600 })
  execFileSync('chgrp', ['tty', bus])

  for (const [subsystem, path] of [
    ['gpio', lines],
    ['spidev', bus],
    ['i2c-dev', i2c],
  ] as const)
    for (const command of commandsFor(subsystem, { $devnode: path })) execFileSync('sh', ['-c', command])

  assert.equal(groupAndRights(lines), `${OTHER_GROUP} -rw-rw-`)
  assert.equal(groupAndRights(i2c), `${OTHER_GROUP} -rw-rw-`)
  assert.equal(groupAndRights(bus), 'tty -rw----')
})

test('the unit puts off what was left lit, by a program that each release has', () => {
  const unit = readFileSync(UNIT, 'utf8')

  const [, program = '', note = ''] = /^ExecStopPost=-(\S+) --put-off (\S+)$/m.exec(unit) ?? []
  const [first = ''] = unit.match(/^ExecStopPost=.*$/m) ?? []
  assert.match(first, /^ExecStopPost=-/, 'where it fails, as on a full disk, nothing would be put off any more')
  assert.equal(basename(dirname(note)), 'data')
  assert.equal(basename(note), LAMPS_NOTE)
  assert.ok(VISION_PROGRAMS.some((name) => program === `/usr/lib/vedette/release/native/addon/build/${name}`))
})
