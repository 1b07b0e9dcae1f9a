// Addresses of other devices, as people write them.
import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUrlOf, readBaseUrl, readPlace } from '../../../machines/discovery/base-url.ts'

test('an address is read with its scheme, host and port, with or without /v1 behind it', () => {
  const read = (text: string) => {
    const found = readBaseUrl(text)
    return found.ok ? found.base : found.reason
  }

  const plain = { origin: 'http://10.12.34.12:5800', isTls: false, host: '10.12.34.12', port: 5800 }
  for (const end of ['', '/', '/v1', '/v1/']) assert.deepEqual(read(`http://10.12.34.12:5800${end}`), plain)
  assert.deepEqual(read('https://Front.local'), {
    origin: 'https://front.local',
    isTls: true,
    host: 'front.local',
    port: 443,
  })
  assert.deepEqual(read('http://[fd00::12]:5800'), {
    origin: 'http://[fd00::12]:5800',
    isTls: false,
    host: 'fd00::12',
    port: 5800,
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
    'http://10.12.34.12/?a=1': /query or a fragment/,
    'http://10.12.34.12/#a': /query or a fragment/,
    'http://a.123': /must be an address like/,
    'http://[fe80::1%25eth0]:5800': /must be an address like/,
    'http://front..local': /must name a host/,
    'http://a"b.local': /must name a host/,
    'http://10.12.34.12:65536': /must be an address like/,
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

/** Texts that look like addresses, more or less. */
const odd = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https', 'ftp'] }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `http://${text}`),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'http:', 'HTTP:\\\\', 'ws://', ''),
      fc.constantFrom('', '@', ':@', 'me@', 'me:secret@'),
      fc.constantFrom(...['10.1.2.3', '0x7f.1', '127.1', '1', 'a.123', 'xn--a.local', 'xn--mgbh0fb.local', 'kästchen']),
      fc.constantFrom(
        '',
        '.',
        '.local',
        '..',
        '_',
        '-',
        `.${'a'.repeat(64)}`,
        '.a'.repeat(130),
        '%2e',
        '\0',
        '\t',
        '"',
      ),
      fc.constantFrom('', ':', ':0', ':00080', ':80', ':443', ':5800', ':65535', ':65536', ':-1', ':1e3'),
      fc.constantFrom('', '/', '/v1', '/v1/', '/V1', '/v1/..', '/../v1', '//', '/a b', '/%', '?', '?secret', '#', '\\'),
    )
    .map((parts) => parts.join('')),
  fc.ipV6().map((address) => `https://[${address}]:5801`),
  fc.constantFrom(
    'http://[fe80::1%25eth0]',
    'http://[::1',
    'http://[v1.a]',
    'http://[::ffff:10.1.2.3]',
    'http://[1.2.3.4]',
  ),
)

test('whatever is read can be called, and reads the same again', () => {
  let read = 0
  const check = (text: string, mayHavePath: boolean) => {
    const found = readBaseUrl(text, { mayHavePath })
    if (!found.ok) return assert.ok(!found.reason.includes('secret'))
    const { origin, isTls, host, port } = found.base
    read += 1
    assert.ok(Number.isInteger(port) && port >= 1 && port <= 65_535)
    assert.ok(isIP(host) > 0 || /^[a-z0-9_.-]{1,253}$/.test(host), host)
    assert.equal(new URL(origin).origin, origin)
    assert.deepEqual(readBaseUrl(origin), { ok: true, base: found.base, path: '' })
    assert.deepEqual(baseUrlOf(host, port, isTls), found.base)
    assert.deepEqual(readBaseUrl(origin + found.path, { mayHavePath }), found)
    assert.equal(mayHavePath || found.path === '', true)
  }

  fc.assert(fc.property(odd, fc.boolean(), check), { numRuns: 5_000 })
  assert.ok(read > 500, `${read}`)
})

test('a host and a port that were said apart are read by the same rule', () => {
  const read = (host: string, port = 5800) => {
    const found = readPlace(host, port)
    return found.ok ? found.base.origin : undefined
  }

  assert.equal(read('Front.local', 80), 'http://front.local')
  assert.equal(read('FD00::12'), 'http://[fd00::12]:5800')
  assert.equal(read('xn--a.local'), 'http://xn--a.local:5800')
  for (const host of ['a.123', 'fe80::1%eth0', 'me@front', 'front/x', 'front:80', '::::', '', ' '])
    assert.equal(read(host), undefined, host)
  fc.assert(
    fc.property(fc.oneof(odd, fc.string(), fc.domain(), fc.ipV6()), (host) => {
      const found = readPlace(host, 5800)
      if (found.ok) assert.equal(new URL(found.base.origin).origin, found.base.origin)
    }),
  )
})
