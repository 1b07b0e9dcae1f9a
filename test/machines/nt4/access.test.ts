import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nt4Access } from '../../../machines/nt4/access.ts'

const rules = { names: ['camera'], origins: ['https://dash.example', 'http://10.12.34.2:5800'] }

const outcome = (origin: string | undefined, host = '10.12.34.11:5810', rest: object = {}) =>
  nt4Access({ target: '/nt/x', hosts: [host], origin, upgrade: true, ...rest }, rules).outcome

test('a program passes whatever it calls the device: no page is behind a connection without an origin', () => {
  const names = ['10.12.34.11:5810', 'localhost', '[fe80::1]:5810', 'camera', 'CAMERA.local:5810']
  for (const host of [...names, '', 'roborio-1234-frc.local:5810', 'cam.team.example'])
    assert.equal(outcome(undefined, host), 'passes', host)
})

test('a page connects from this device, from its own computer, from an installed program, or when it is listed', () => {
  for (const origin of [
    'http://10.12.34.11:5800',
    'https://10.12.34.11',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://tauri.localhost',
    'tauri://localhost',
    'app://elastic',
    'file://',
    'https://DASH.example',
    'http://10.12.34.2:5800',
  ])
    assert.equal(outcome(origin), 'passes', origin)
})

test('a page from the web does not connect, under whatever name', () => {
  for (const origin of [
    'https://evil.example',
    'http://10.12.34.12:5800',
    'http://10.12.34.11.evil.example',
    'http://evil.example/10.12.34.11',
    'http://10.12.34.11@evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evillocalhost',
    'https://dash.example:8080',
    'HTTPS://EVIL.EXAMPLE',
    'http://',
    'null',
    '',
    'evil.example',
  ])
    assert.equal(outcome(origin), 'foreign', origin)
})

test('a page that calls the device by a foreign name is refused, with and without an origin of the same name', () => {
  assert.equal(outcome('http://evil.example', 'evil.example'), 'misdirected')
  assert.equal(outcome('http://camera', 'camera', { target: 'http://evil.example/nt/x' }), 'misdirected')
  assert.equal(outcome(undefined, 'evil.example', { upgrade: false }), 'misdirected')
  assert.equal(outcome(undefined, 'camera', { target: 'http://evil.example/', upgrade: false }), 'misdirected')
})

test('a page that a robot forwards connects, and none under an empty name', () => {
  assert.equal(outcome('http://roborio-1234-frc.local:5800', 'roborio-1234-frc.local:5810'), 'passes')
  assert.equal(outcome('http://evil.example', ''), 'foreign')
})

test('a request has one Host header, and the path of a target that names the host is found', () => {
  assert.equal(outcome(undefined, '', { hosts: [] }), 'malformed')
  assert.equal(outcome(undefined, '', { hosts: ['camera', 'camera'] }), 'malformed')
  assert.deepEqual(
    nt4Access({ target: 'http://camera:5810/nt/x?y', hosts: ['camera'], origin: undefined, upgrade: true }, rules),
    { outcome: 'passes', path: '/nt/x?y' },
  )
})

test('a foreign page may ask for the page and the saved topics: its browser keeps the answer from it', () => {
  assert.equal(outcome('https://evil.example', 'camera', { upgrade: false }), 'passes')
})
