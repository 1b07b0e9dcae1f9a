// The settings of the start, as people give them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../../machines/schema/one-line.ts'
import { BadOption, helpText, mediaRoots, type Options, readOptions } from '../../supervisors/options.ts'

const read = (args: readonly string[], env: NodeJS.ProcessEnv = {}, isTerminal = false): Options => {
  const started = readOptions(args, env, isTerminal)
  if (!('run' in started)) throw new Error(`it would print the ${started.print}`)
  return started.run
}

const refusal = (args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  try {
    read(args, env)
  } catch (error) {
    if (error instanceof BadOption) return error.message
  }
  throw new Error('it was not refused')
}

test('nothing needs to be set', () => {
  assert.deepEqual(read([]), {
    dataDir: `${process.cwd()}/.vedette`,
    settingsFolder: `${process.cwd()}/.vedette`,
    mediaRoots: [],
    pluginHosts: [],
    http: { host: '127.0.0.1', port: 5800 },
    tls: null,
    nt4: 'serve',
    profile: 'bench',
    console: false,
    origins: [],
    bandwidthMbitS: null,
    guard: true,
    demo: true,
    engine: 'native',
    device: { kind: 'linux' },
    log: { form: 'json', level: 'info' },
  })
})

test('the profile bench is for this device itself, whatever its name for itself', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '[::1]', 'localhost', '[::ffff:127.0.0.1]'])
    assert.equal(read([`--http=${host}:80`, `--tls=${host}:443`]).profile, 'bench', host)
  assert.equal(read(['--tls=0.0.0.0:443']).profile, 'field')
})

test('a flag wins over the environment, the environment over the default', () => {
  const env = { VEDETTE_HTTP: '0.0.0.0:80', VEDETTE_NT4: 'team:1234', VEDETTE_DATA_DIR: '/var/lib/vedette' }

  const { http, nt4, dataDir } = read(['--http', '[::1]:8080', '--nt4=10.12.34.2'], env)

  assert.deepEqual(
    { http, nt4, dataDir },
    { http: { host: '::1', port: 8080 }, nt4: '10.12.34.2', dataDir: '/var/lib/vedette' },
  )
})

test('settings lie in the data directory, or in a folder of their own', () => {
  assert.equal(read(['--data-dir=/data']).settingsFolder, '/data')
  const env = { VEDETTE_SETTINGS_FOLDER: '/data/settings/0.2.0-abc' }
  assert.equal(read(['--data-dir=/data'], env).settingsFolder, '/data/settings/0.2.0-abc')
})

test('files are read from the data directory and named folders, on the bench from the home as well', () => {
  const named = ['--data-dir=/data', '--media-roots=/mnt/usb/:/srv/pictures']

  assert.deepEqual(mediaRoots(read(named), '/home/team'), ['/data', '/mnt/usb', '/srv/pictures', '/home/team'])
  assert.deepEqual(mediaRoots(read(['--data-dir=/data', '--profile=field']), '/home/team'), ['/data'])
  assert.deepEqual(mediaRoots(read(['--data-dir=/data']), '/'), ['/data'])
})

test('pages from elsewhere are trusted by their origins', () => {
  const { origins } = read([], { VEDETTE_ORIGINS: 'https://dash.example, http://10.12.34.2:5800' })

  assert.deepEqual(origins, ['https://dash.example', 'http://10.12.34.2:5800'])
  for (const text of ['dash.example', 'https://dash.example/', 'null', 'https://dash.example,*'])
    assert.match(refusal(['--origins', text]), /--origins is ".*", but .* is no origin/)
})

test('the bandwidth of previews is a number of megabits a second, or not limited', () => {
  assert.equal(read(['--bandwidth-mbit-s=3.5']).bandwidthMbitS, 3.5)
  assert.equal(read([], { VEDETTE_BANDWIDTH_MBIT_S: '7' }).bandwidthMbitS, 7)
  assert.equal(read(['--bandwidth-mbit-s=off']).bandwidthMbitS, null)
  for (const text of ['0', '-1', '4000000', 'fast', '', 'NaN', '4 Mbit/s'])
    assert.match(
      refusal([`--bandwidth-mbit-s=${text}`]),
      /it must be 0\.1 to 10000 million bits a second, like 3, or off/,
    )
})

test('the log is pretty on a terminal, unless something else was said', () => {
  const logs = [
    read([], {}, true),
    read(['--log=json'], {}, true),
    read(['--log=debug'], {}, true),
    read(['--log=pretty:warn']),
  ]

  assert.deepEqual(
    logs.map(({ log }) => `${log.form} ${log.level}`),
    ['pretty info', 'json info', 'pretty debug', 'pretty warn'],
  )
})

test('a value that cannot be used is refused with a sentence that names where it came from', () => {
  const refusals = [
    refusal(['--http=5800']),
    refusal(['--http=example.org:80']),
    refusal(['--http=127.0.0.1:65536']),
    refusal(['--tls=on']),
    refusal(['--demo=yes']),
    refusal(['--log=loud']),
    refusal(['--data-dir=']),
    refusal(['--media-roots=/pictures:videos']),
    refusal([], { VEDETTE_NT4: 'team:0' }),
    refusal([], { VEDETTE_PROFILE: 'boss' }),
    refusal(['--profile=bench', '--http=0.0.0.0:5800']),
    refusal(['--tls=[::]:5801'], { VEDETTE_PROFILE: 'bench' }),
    refusal(['--profile=bench'], { VEDETTE_HTTP: '10.12.34.11:80' }),
    refusal(['--color', 'red']),
    refusal(['stray']),
    refusal(['--http']),
  ]

  assert.deepEqual(refusals, [
    '--http is "5800", but it must be host:port, like 127.0.0.1:5800.',
    '--http is "example.org:80", but its host must be an IP address of this device, or localhost.',
    '--http is "127.0.0.1:65536", but it must be host:port, like 127.0.0.1:5800.',
    '--tls is "on", but it must be host:port, like 127.0.0.1:5800.',
    '--demo is "yes", but it must be one of 1, 0.',
    '--log is "loud", but it must be pretty or json, and one of error, warn, info, debug, like json:info.',
    '--data-dir is "", but it must name a folder.',
    '--media-roots is "/pictures:videos", but it must be absolute paths of folders with : between them.',
    'VEDETTE_NT4 is "team:0", but it must name a team from 1 to 25599, not "0".',
    'VEDETTE_PROFILE is "boss", but it must be one of bench, field, locked.',
    oneLine`
      --profile is "bench", but in bench everybody may do everything, and --http lets a network in; use field or locked,
      or listen on 127.0.0.1.
    `,
    oneLine`
      VEDETTE_PROFILE is "bench", but in bench everybody may do everything, and --tls lets a network in; use field or
      locked, or listen on 127.0.0.1.
    `,
    oneLine`
      --profile is "bench", but in bench everybody may do everything, and VEDETTE_HTTP lets a network in; use field or
      locked, or listen on 127.0.0.1.
    `,
    "Unknown option '--color'; --help lists what there is.",
    "Unexpected argument 'stray'; --help lists what there is.",
    "Option '--http <value>' argument missing; --help lists what there is.",
  ])
})

test('the help names every setting with its variable, and is printed whatever else is said', () => {
  assert.deepEqual(readOptions(['--nt4=serve', '-h'], {}, true), { print: 'help' })
  assert.deepEqual(readOptions(['--version'], { VEDETTE_HTTP: 'nonsense' }, true), { print: 'version' })

  const settings = [...helpText().matchAll(/^ {2}--([a-z0-9-]+) +(VEDETTE_[A-Z0-9_]+) {2,}\S/gm)].map(
    ([, flag, name]) => [flag, name],
  )
  assert.deepEqual(
    settings.map(([flag]) => flag),
    [
      'data-dir',
      'settings-folder',
      'media-roots',
      'plugin-hosts',
      'http',
      'tls',
      'nt4',
      'profile',
      'console',
      'origins',
      'bandwidth-mbit-s',
      'guard',
      'demo',
      'engine',
      'device',
      'log',
    ],
  )
  for (const [flag, name] of settings) assert.equal(name, `VEDETTE_${flag?.toUpperCase().replaceAll('-', '_')}`)
})

test('a made-up device has the troubles that it is given', () => {
  assert.deepEqual(read(['--device', 'fake']).device, { kind: 'fake', troubles: [] })
  assert.deepEqual(read(['--device', 'fake:no-journal,hot,hot']).device, {
    kind: 'fake',
    troubles: ['hot', 'no-journal'],
  })
  assert.match(refusal(['--device', 'fake:ill']), /--device is "fake:ill", but what can be wrong .* is hot, /)
  assert.match(refusal(['--device', 'linux:hot']), /it must be linux, fake, or fake:/)
})
