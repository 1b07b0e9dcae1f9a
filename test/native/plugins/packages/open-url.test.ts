// Packages from other hosts: only those that were named, by addresses that were judged, and through no redirect.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { isFault } from '../../../../machines/errors/fault.ts'
import { isHost } from '../../../../machines/plugins/package/hosts.ts'
import type { Lookup } from '../../../../native/names/lookup.ts'
import { urlOpener } from '../../../../native/plugins/packages/open-url.ts'

const serve = async (t: TestContext): Promise<number> => {
  const server = createServer(({ url, headers }, response) => {
    if (url === '/moved.zip') response.writeHead(302, { location: 'http://10.0.0.9/a.zip' }).end()
    else if (url === '/none.zip') response.writeHead(404).end()
    else response.end(`for ${headers.host?.split(':')[0]}, ${headers['accept-encoding']}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const means =
  (address: string): Lookup =>
  (_host, _options, found) =>
    found(null, [{ address, family: 4 }])

const open = async (url: string, address = '127.0.0.1') => {
  const found = await urlOpener({ hosts: ['plugins.example'], lookup: means(address) })(url)
  if (isFault(found)) return `${found.code}: ${found.detail}`
  return Buffer.concat(await found.body.toArray()).toString()
}

test('a package is fetched from an allowed host, over http in a private network', async (t) => {
  const port = await serve(t)

  assert.equal(await open(`http://plugins.example:${port}/a.zip`), 'for plugins.example, identity')
})

test('redirects, refusals, silence and other hosts are told in sentences', async (t) => {
  const port = await serve(t)
  const host = `http://plugins.example:${port}`

  assert.match(await open(`${host}/moved.zip`), /^plugin.unreachable: .* leads on to another address/)
  assert.match(await open(`${host}/none.zip`), /^plugin.unreachable: .* it answered 404/)
  assert.match(await open('http://plugins.example:1/a.zip'), /^plugin.unreachable: .*ECONNREFUSED/)
  assert.match(await open(`https://plugins.example:${port}/a.zip`), /^plugin.unreachable: /)
  assert.match(await open(`http://other.example:${port}/a.zip`), /^plugin.foreign_host: .*VEDETTE_PLUGIN_HOSTS/)
  assert.match(await open(`http://127.0.0.1:${port}/a.zip`), /^plugin.foreign_host: /)
  assert.match(await open('file:///etc/passwd'), /^plugin.foreign_host: /)
  assert.match(await open(`http://me:secret@plugins.example:${port}/a.zip`), /^plugin.foreign_host: /)
})

test('over http, a name that leads out of private networks is not connected to', async () => {
  assert.match(await open('http://plugins.example/a.zip', '93.184.216.34'), /^plugin.foreign_host: .*over https/)
})

test('hosts are names and addresses, without ports and paths', () => {
  for (const host of ['plugins.example', '10.12.34.5', 'fe80::1']) assert.ok(isHost(host), host)
  for (const text of ['http://a', 'a:80', 'a/b', '', '-a', 'a b']) assert.ok(!isHost(text), text)
})
