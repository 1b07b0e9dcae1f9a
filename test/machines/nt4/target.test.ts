// The one-line setting that says where NT4 is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressText, type Nt4Target, nt4Targets, parseHost, parseNt4Target } from '../../../machines/nt4/target.ts'

const read = (text: string): Nt4Target => {
  const parsed = parseNt4Target(text)
  if (!parsed.ok) assert.fail(`${text}: ${parsed.reason}`)
  return parsed.target
}

test('every form of the setting is read', () => {
  const forms: Record<string, Nt4Target> = {
    off: { kind: 'off' },
    serve: { kind: 'serve', at: { host: '127.0.0.1', port: 5810 } },
    'serve:0.0.0.0:5811': { kind: 'serve', at: { host: '0.0.0.0', port: 5811 } },
    'serve:[::1]:0': { kind: 'serve', at: { host: '::1', port: 0 } },
    'team:1234': { kind: 'team', team: 1234 },
    '10.12.34.2': { kind: 'host', at: { host: '10.12.34.2', port: 5810 } },
    'roborio-1234-frc.local:6810': { kind: 'host', at: { host: 'roborio-1234-frc.local', port: 6810 } },
    '10.12.34.2, robot.local:5811,[::1],10.12.34.2:5810': {
      kind: 'hosts',
      at: [
        { host: '10.12.34.2', port: 5810 },
        { host: 'robot.local', port: 5811 },
        { host: '::1', port: 5810 },
      ],
    },
    '[fe80::1]': { kind: 'host', at: { host: 'fe80::1', port: 5810 } },
  }

  for (const [text, target] of Object.entries(forms)) assert.deepEqual(read(text), target, text)
})

test('what cannot be a target is refused with what it must be', () => {
  const bad = [
    '',
    ' off',
    'team:',
    'team:0',
    'team:25600',
    'team:12a',
    'team:1,team:2',
    'serve,10.0.0.2',
    'off,10.0.0.2',
    '10.0.0.2,',
    ',',
    'a,b,c,d,e,f,g,h,i',
    'serve:',
    'serve:5810',
    'host:0',
    'host:65536',
    'host:',
    'ws://host',
    'a b',
    '-host',
    '300.1.1.1',
    '10.12.34',
    'fe80::1',
    `${'a'.repeat(64)}.local`,
  ]

  for (const text of bad) {
    const parsed = parseNt4Target(text)
    assert.ok(!parsed.ok, text)
    assert.match(parsed.reason, /^must (be|have|list|name) /)
  }
})

test('a robot is looked for at its radio, by its name and at the USB port', () => {
  const hosts = (team: number) => nt4Targets(read(`team:${team}`)).map(addressText)

  assert.deepEqual(hosts(1234), ['10.12.34.2:5810', 'roboRIO-1234-FRC.local:5810', '172.22.11.2:5810'])
  assert.equal(hosts(7)[0], '10.0.7.2:5810')
  assert.equal(hosts(10_102)[0], '10.101.2.2:5810')
  assert.deepEqual(nt4Targets(read('[fe80::1]:99')).map(addressText), ['[fe80::1]:99'])
  assert.deepEqual([...nt4Targets(read('off')), ...nt4Targets(read('serve'))], [])
})

test('a host alone is a name or an address, IPv6 with or without brackets', () => {
  assert.equal(parseHost('robot.local'), 'robot.local')
  assert.equal(parseHost('10.12.34.2'), '10.12.34.2')
  assert.equal(parseHost('fe80::1'), 'fe80::1')
  assert.equal(parseHost('[::1]'), '::1')
  for (const none of [
    '',
    'a b',
    '10.12.34.2:5810',
    '[::1]:5810',
    'http://robot',
    '10.0.0',
    '1.2.3.400',
    'a/b',
    '::1%eth0',
  ])
    assert.equal(parseHost(none), undefined, none)
})
