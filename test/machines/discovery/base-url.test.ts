// Addresses of other devices, as people write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBaseUrl } from '../../../machines/discovery/base-url.ts'

test('an address is read with its scheme, host and port, with or without /v1 behind it', () => {
  const read = (text: string) => {
    const found = readBaseUrl(text)
    return found.ok ? found.base : found.reason
  }

  const plain = { origin: 'http://10.12.34.12:5800', isTls: false, host: '10.12.34.12', port: 5800 }
  for (const end of ['', '/', '/v1', '/v1/']) assert.deepEqual(read(`http://10.12.34.12:5800${end}`), plain)
  assert.deepEqual(read('https://Front.local'), {
    ...{ origin: 'https://front.local', isTls: true, host: 'front.local', port: 443 },
  })
  assert.deepEqual(read('http://[fd00::12]:5800'), {
    ...{ origin: 'http://[fd00::12]:5800', isTls: false, host: 'fd00::12', port: 5800 },
  })
})

test('what is no such address is refused with a reason', () => {
  const reasons: Readonly<Record<string, RegExp>> = {
    '10.12.34.12:5800': /must be an address like/,
    'front.local:5800': /must be an address like|must begin with/,
    'ftp://10.12.34.12': /must begin with http/,
    'file:///etc/passwd': /must be an address like|must begin with/,
    'http://me:secret@10.12.34.12': /name or password/,
    'http://me@10.12.34.12': /name or password/,
    'http://10.12.34.12/video': /must end after the port/,
    'http://10.12.34.12/v1/streams': /must end after the port/,
    'http://10.12.34.12/?a=1': /must end after the port/,
    'http://10.12.34.12/#a': /must end after the port/,
    'http://10.12.34.12:0': /port from 1/,
    'http://10.12.34.12:70000': /must be an address like/,
    'http://': /must be an address like/,
    '': /must be an address like/,
  }

  for (const [text, reason] of Object.entries(reasons)) {
    const found = readBaseUrl(text)
    assert.equal(found.ok, false, text)
    assert.match(found.ok ? '' : found.reason, reason, text)
  }
})
