// Where a device is served to others, by the settings of the start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findServedHosts, isServedAt } from '../../../supervisors/discovery/served-hosts.ts'

const at = (host: string, port: number) => ({ host, port })

test('what listens on this device alone is served to nobody else', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.9.9.9'])
    assert.equal(findServedHosts({ http: at(host, 5800), tls: at(host, 5801) }), null, host)
})

test('it is served where it listens on a network, plain or over TLS', () => {
  const both = findServedHosts({ http: at('0.0.0.0', 5800), tls: at('10.0.0.5', 5801) })
  const secure = findServedHosts({ http: at('127.0.0.1', 5800), tls: at('::', 5801) })

  assert.deepEqual(both, { hosts: ['0.0.0.0', '10.0.0.5'], port: 5800, tlsPort: 5801 })
  assert.deepEqual(secure, { hosts: ['::'], port: 5801, tlsPort: 5801 })
  assert.deepEqual(findServedHosts({ http: at('10.0.0.5', 5800), tls: null })?.tlsPort, null)
})

test('an address is served that is listened on, or all are', () => {
  const one = { hosts: ['10.0.0.5'], port: 5800, tlsPort: null }

  assert.deepEqual([isServedAt(one, '10.0.0.5'), isServedAt(one, '10.0.9.5')], [true, false])
  for (const host of ['0.0.0.0', '::']) assert.ok(isServedAt({ ...one, hosts: [host] }, '10.0.9.5'))
})
