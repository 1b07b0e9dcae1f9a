// The access policy, case by case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accessFault,
  addressedTo,
  hostOf,
  isPrivateAddress,
  originIsTrusted,
  PROFILES,
} from '../../../machines/http/access.ts'

test('what needs a token is what the architecture says', () => {
  const needs = (profile: (typeof PROFILES)[number], remote: string) =>
    (['open', 'read', 'operate', 'administer'] as const).filter((access) =>
      accessFault(profile, access, 'none', remote),
    )

  assert.deepEqual(needs('bench', '127.0.0.1'), [])
  assert.deepEqual(needs('field', '10.1.2.3'), ['administer'])
  assert.deepEqual(needs('field', '8.8.8.8'), ['read', 'operate', 'administer'])
  assert.deepEqual(needs('locked', '127.0.0.1'), ['read', 'operate', 'administer'])
})

test('a valid token opens everything, a wrong one nothing', () => {
  for (const profile of PROFILES) {
    for (const access of ['read', 'operate', 'administer'] as const) {
      assert.equal(accessFault(profile, access, 'valid', '8.8.8.8'), undefined)
      assert.equal(accessFault(profile, access, 'invalid', '127.0.0.1'), 'token.invalid')
    }
  }
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
