// Plugins over HTTP: from the upload of a package to its removal.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENABLED_PLUGINS } from '../../../machines/plugins/enabled.ts'
import type { Plugin } from '../../../machines/plugins/plugin.ts'
import { fakeApi } from '../../support/api/api.ts'
import { packageOf } from '../../support/plugins/packages.ts'
import { until } from '../../support/until.ts'

const HEADERS = { host: 'localhost' }

const service = async (t: TestContext) => {
  const { app, fake } = await fakeApi(t)
  await until('the plugins', () => fake.directory.actor('plugin-keeper')?.getSnapshot().matches('ready'))
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object | Buffer) => {
    const type = payload instanceof Buffer ? { 'content-type': 'application/zip' } : {}
    const response = await app.inject({
      method,
      url: `/v1/plugins${path}`,
      headers: { ...HEADERS, ...type },
      ...(payload && { payload }),
    })
    return {
      status: response.statusCode,
      body: response.body && response.headers['content-type']?.includes('json') ? response.json() : undefined,
      bytes: response.rawPayload,
    }
  }
  const upload = async (more: Readonly<Record<string, unknown>> = {}) => {
    const bytes = await packageOf(more)
    const { status, body } = await send('POST', '/upload', bytes)
    assert.equal(status, 201, JSON.stringify(body))
    return { upload: body.upload as string, bytes }
  }
  const enabled = () => (fake.resolve(ENABLED_PLUGINS).value ?? []).map(({ manifest }) => manifest.version)
  return { send, upload, enabled, fake }
}

test('a plugin is uploaded, installed, disabled, enabled, downloaded and removed', async (t) => {
  const { send, upload, enabled } = await service(t)
  const { upload: name, bytes } = await upload({ permissions: ['read', 'topics'] })

  const installed = await send('POST', '/install', { upload: name, grant: ['topics'] })
  assert.equal(installed.status, 200)
  const { state, granted, manifest } = installed.body as Plugin
  assert.deepEqual([state, granted, manifest?.permissions], ['enabled', ['topics'], ['read', 'topics']])
  assert.deepEqual(enabled(), ['1.0.0'])
  assert.equal((await send('GET', '/disabled/note-finder')).status, 404)

  assert.equal((await send('POST', '/note-finder/disable')).body.state, 'disabled')
  assert.deepEqual(enabled(), [])
  for (const path of ['/note-finder', '/disabled/note-finder', `/uploads/${name}`])
    assert.deepEqual((await send('GET', path)).bytes, bytes, path)

  assert.deepEqual((await send('POST', '/note-finder/enable', { grant: ['read'] })).body.granted, ['read'])
  assert.equal((await send('DELETE', '/note-finder')).status, 204)
  assert.deepEqual((await send('GET', '')).body.items, [])
  assert.deepEqual(enabled(), [])
})

test('an upgrade keeps what was granted of what it still asks for, and a new plugin has nothing', async (t) => {
  const { send, upload, enabled } = await service(t)
  const first = await upload({ permissions: ['read', 'topics'] })
  const second = await upload({ version: '2.0.0', permissions: ['topics', 'network'] })

  const before = await send('POST', '/install', { upload: first.upload })
  await send('POST', '/note-finder/enable', { grant: ['read', 'topics'] })
  const after = await send('POST', '/install', { upload: second.upload })

  assert.deepEqual(before.body.granted, [])
  assert.deepEqual([after.body.version, after.body.granted], ['2.0.0', ['topics']])
  assert.deepEqual(enabled(), ['2.0.0'])
})

/** Orders that are refused, and how. */
const REFUSED: Readonly<Record<string, readonly [path: string, body: object, status: number, code: string]>> = {
  'no package': ['/install', {}, 400, 'body.invalid'],
  'two packages': ['/install', { upload: 'a-b-1.0.0', url: 'https://a' }, 400, 'body.invalid'],
  'an upload that there is not': ['/install', { upload: 'a-b-1.0.0' }, 404, 'plugin.no_upload'],
  'a host that nobody allowed': ['/install', { url: 'https://plugins.example/a.zip' }, 400, 'plugin.foreign_host'],
  'a permission that is not asked for': [
    '/install',
    { upload: 'note-finder-1.0.0', grant: ['network'] },
    400,
    'plugin.not_asked',
  ],
  'a plugin that there is not': ['/note-finder/enable', {}, 404, 'plugin.not_found'],
}

test('what cannot be done is refused with a sentence, and changes nothing', async (t) => {
  const { send, upload, fake } = await service(t)
  await upload()
  const before = fake.directory.settings.getSnapshot().context

  for (const [what, [path, body, status, code]] of Object.entries(REFUSED)) {
    const answer = await send('POST', path, body)

    const message = `${what}: ${JSON.stringify(answer.body)}`
    assert.deepEqual([answer.status, answer.body.code], [status, code], message)
  }
  assert.equal((await send('POST', '/upload', Buffer.from('no zip'))).body.code, 'plugin.refused')
  assert.deepEqual(fake.directory.settings.getSnapshot().context, before)
})

test('the schema of manifests is there for editors', async (t) => {
  const { send } = await service(t)

  const { status, body } = await send('GET', '/schema')

  assert.equal(status, 200)
  assert.deepEqual(
    [body.type, body.required.includes('minimum_api'), body.required.includes('limits')],
    ['object', true, false],
  )
})

test('an order that is based on another revision than the present one is refused, and changes nothing', async (t) => {
  const { send, upload } = await service(t)
  const { upload: name } = await upload()
  const absent = await send('POST', '/install', { upload: name, expected_revision: 1 })
  const { revision } = (await send('POST', '/install', { upload: name })).body as Plugin
  const stale = { expected_revision: revision - 1 }

  const refused = [
    await send('POST', '/install', { upload: name, ...stale }),
    await send('POST', '/note-finder/enable', stale),
    await send('POST', '/note-finder/disable', stale),
    await send('DELETE', '/note-finder', stale),
  ]
  const unchanged = (await send('GET', '')).body.items[0] as Plugin
  const disabled = await send('POST', '/note-finder/disable', { expected_revision: revision })
  const removed = await send('DELETE', '/note-finder', { expected_revision: disabled.body.revision })

  assert.equal(absent.status, 404)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code, body.context]),
    refused.map(() => [409, 'revision.stale', { revision }]),
  )
  assert.equal(unchanged.revision, revision)
  assert.deepEqual([disabled.status, removed.status], [200, 204])
})
