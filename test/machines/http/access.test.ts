// The access policy, case by case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ACCESS_CLASSES,
  type AccessClass,
  accessFault,
  addressedTo,
  classesOpenTo,
  hostOf,
  isPrivateAddress,
  originIsTrusted,
  PROFILES,
  type Profile,
  type TokenState,
} from '../../../machines/http/access.ts'

const SHELL_OFF = { token: 'console.off', none: 'console.off' }
const TOKEN = { token: undefined, none: 'token.required' }
const OPEN = { token: undefined, none: undefined }

/** The table of docs/access.md. */
const TABLE: readonly (readonly [AccessClass, Profile, address: string, console: boolean, typeof OPEN | object])[] = [
  ['open', 'bench', '127.0.0.1', false, OPEN],
  ['open', 'field', '10.1.2.3', false, OPEN],
  ['open', 'field', '8.8.8.8', false, OPEN],
  ['open', 'locked', '127.0.0.1', false, OPEN],
  ['read', 'bench', '127.0.0.1', false, OPEN],
  ['read', 'field', '10.1.2.3', false, OPEN],
  ['read', 'field', '8.8.8.8', false, TOKEN],
  ['read', 'locked', '127.0.0.1', false, TOKEN],
  ['operate', 'bench', '127.0.0.1', false, OPEN],
  ['operate', 'field', '10.1.2.3', false, OPEN],
  ['operate', 'field', '8.8.8.8', false, TOKEN],
  ['operate', 'locked', '127.0.0.1', false, TOKEN],
  ['administer', 'bench', '127.0.0.1', false, OPEN],
  ['administer', 'field', '127.0.0.1', false, TOKEN],
  ['administer', 'field', '8.8.8.8', false, TOKEN],
  ['administer', 'locked', '127.0.0.1', false, TOKEN],
  ['console', 'bench', '127.0.0.1', false, OPEN],
  ['console', 'bench', '127.0.0.1', true, OPEN],
  ['console', 'field', '127.0.0.1', false, SHELL_OFF],
  ['console', 'field', '10.1.2.3', true, TOKEN],
  ['console', 'locked', '127.0.0.1', false, SHELL_OFF],
  ['console', 'locked', '127.0.0.1', true, TOKEN],
  ['peer', 'bench', '127.0.0.1', false, OPEN],
  ['peer', 'field', '10.1.2.3', false, TOKEN],
  ['peer', 'field', '8.8.8.8', false, TOKEN],
  ['peer', 'locked', '127.0.0.1', false, TOKEN],
]

for (const [access, profile, address, console, expected] of TABLE) {
  test(`${access} in ${profile} from ${address}${console ? ', with shells on,' : ''} is as the table says`, () => {
    const found = (token: TokenState, isPeer = false) =>
      accessFault({ profile, console }, access, { token, isPeer, address })

    assert.deepEqual({ token: found('valid'), none: found('none') }, expected)
    for (const isPeer of [false, true]) assert.equal(found('invalid', isPeer), 'token.invalid')
    const ofPeer = ['open', 'peer'].includes(access) ? undefined : 'trust.not_here'
    assert.equal(found('none', true), ofPeer, 'a peer has no business elsewhere, in no profile')
  })
}

test('the table speaks of every class in every profile', () => {
  const spoken = new Set(TABLE.map(([access, profile]) => `${access} ${profile}`))

  assert.equal(spoken.size, ACCESS_CLASSES.length * PROFILES.length)
})

test('what is open to somebody is told without the page itself', () => {
  const open = (profile: Profile, token: TokenState, console = false, isPeer = false) =>
    classesOpenTo({ profile, console }, { token, isPeer, address: '10.1.2.3' })

  assert.deepEqual(open('field', 'none'), ['read', 'operate'])
  assert.deepEqual(open('field', 'valid'), ['read', 'operate', 'administer', 'peer'])
  assert.deepEqual(open('locked', 'valid', true), ['read', 'operate', 'administer', 'console', 'peer'])
  assert.deepEqual(open('locked', 'none', true), [])
  assert.deepEqual(open('locked', 'none', true, true), ['peer'])
  for (const profile of PROFILES) assert.deepEqual(open(profile, 'none', true, true), ['peer'])
})

test('private is what a robot network is made of, and nothing beside it', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.1.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
  ]
  const outside = [
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '11.0.0.1',
    '8.8.8.8',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    '',
    '300.1.1.1',
  ]

  assert.deepEqual(
    inside.filter((address) => !isPrivateAddress(address)),
    [],
  )
  assert.deepEqual(outside.filter(isPrivateAddress), [])
})

test('a host is read without its port, and only when it is well formed', () => {
  assert.equal(hostOf('LOCALHOST:80'), 'localhost')
  assert.equal(hostOf('[::1]:80'), '::1')
  assert.equal(hostOf('camera.local.'), 'camera.local')
  for (const odd of ['', 'a b', 'a/b', '[::1', 'user@localhost', 'localhost:port'])
    assert.equal(hostOf(odd), undefined, odd)
})

test('an origin is ours when it has the host and port under which we were asked', () => {
  assert.ok(originIsTrusted('http://Camera:5800', 'camera:5800', []))
  assert.ok(!originIsTrusted('http://camera', 'camera:5800', []))
  assert.ok(!originIsTrusted('ftp://camera:5800', 'camera:5800', []))
  assert.ok(!originIsTrusted('null', 'camera:5800', []))
  assert.ok(originIsTrusted('https://dash.example', 'camera:5800', ['https://DASH.example']))
})

test('a request says once whom it means, and its target outdoes its header', () => {
  const read = (target: string, ...hosts: readonly string[]) => {
    const found = addressedTo(target, hosts, ['camera'])
    return found.outcome === 'ours' ? `${found.authority} ${found.path}` : found.outcome
  }

  assert.equal(read('/v1/streams?a=1', 'camera:5800'), 'camera:5800 /v1/streams?a=1')
  assert.equal(read('*', '10.0.0.2'), '10.0.0.2 *')
  assert.equal(read('/', ''), ' /', 'what ntcore sends, and no browser')
  assert.equal(read('/', 'evil.example'), 'host.unknown')
  assert.equal(read('/'), 'host.missing')
  assert.equal(read('/', 'camera', 'camera'), 'host.repeated')
  assert.equal(read('/', 'camera', 'evil.example'), 'host.repeated')

  assert.equal(read('http://camera:80/v1/streams?a=1', 'camera:80'), 'camera:80 /v1/streams?a=1')
  assert.equal(read('HTTPS://Camera.local', 'evil.example'), 'Camera.local /')
  assert.equal(read('http://[::1]?a=1', 'localhost'), '[::1] /?a=1')
  assert.equal(read('http://evil.example/v1/streams', 'camera'), 'host.unknown')
  for (const odd of ['http:///v1', 'http://camera@evil.example/', 'http://evil.example@camera/', 'http://camera:x/'])
    assert.equal(read(odd, 'camera'), 'host.unknown', odd)
  assert.equal(read('http://camera/'), 'host.missing')
})

test('a robot forwards its ports under its own names, which nobody can have on the web', () => {
  const outcomes = (names: readonly string[]) => names.map((name) => addressedTo('/', [name], []).outcome)
  const robots = [
    'roborio-1234-frc.local:5807',
    'roborio-1234-FRC.local.',
    'roborio-9-frc',
    'roborio-10234-frc.lan:5800',
    'roborio-1234-frc.frc-field.local',
    'robot.local:5801',
    '10.12.34.2:5807',
    '172.22.11.2',
  ]
  const others = [
    'roborio-1234-frc.example',
    'roborio-1234-frc.local.example',
    'roborio-frc.local',
    'roborio-123456-frc.local',
    'evil-roborio-1234-frc.local',
    'robot.example',
    'evil.local',
    '1234-frc',
    '10.12.34.2.example',
  ]

  assert.deepEqual(new Set(outcomes(robots)), new Set(['ours']))
  assert.deepEqual(new Set(outcomes(others)), new Set(['host.unknown']))
})
