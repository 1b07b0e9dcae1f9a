// Files of the device over HTTP: who may have a stream read which, and what the answers give away.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Profile } from '../../machines/http/access.ts'
import { fakeMediaRoots } from '../../native/media-roots/fake.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { fakeApi } from '../support/api/api.ts'

const OUTSIDE = ['/etc/shadow', '/etc/nothing', '/pictures/link', '/pictures/dangling', '/dev/zero', '/']

const mediaApi = async (t: TestContext, profile: Profile = 'bench') => {
  const media = fakeMediaRoots(['/pictures', '/data'], { '/pictures/link': '/etc/shadow', '/pictures/dangling': null })
  const api = await fakeApi(t, {}, { options: { profile }, ports: [value(MEDIA_ROOTS, media)] })
  const post = async (path: string, manifest: object, token?: string) => {
    const { statusCode, body } = await api.app.inject({
      method: 'POST',
      url: path,
      headers: { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }) },
      payload: manifest,
      remoteAddress: '192.168.1.7',
    })
    return { status: statusCode, body: JSON.parse(body) }
  }
  const create = (path: unknown, token?: string, more: object = {}) =>
    post('/v1/streams', { source: { backend: 'images', path }, ...more }, token)
  return { ...api, media, post, create }
}

test('pictures inside the roots are taken, be they there or not', async (t) => {
  const { create } = await mediaApi(t)

  assert.equal((await create('/pictures')).status, 200)
  assert.equal((await create(['/data/not/there/yet.png', '/pictures/a.png'])).status, 200)
})

for (const profile of ['bench', 'field'] as const)
  test(`in ${profile}, places outside are refused without a token, all with the same answer`, async (t) => {
    const { create, post, media } = await mediaApi(t, profile)

    const answers = []
    for (const path of OUTSIDE) {
      const made = await create(path)
      const checked = await post('/v1/streams/validate', { source: { backend: 'images', path } })
      for (const { status, body } of [made, checked])
        answers.push(JSON.stringify([status, body.code, body.detail, body.errors]).replaceAll(`\\"${path}\\"`, 'PATH'))
    }

    assert.equal(new Set(answers).size, 1, [...new Set(answers)].join('\n'))
    assert.match(answers[0] ?? '', /manifest\.invalid.*\/source\/path.*VEDETTE_MEDIA_ROOTS/)
    assert.ok(!media.asked.some((path) => path.startsWith('/etc') || path.startsWith('/dev')), 'none was looked at')
  })

test('NUL, relative paths and paths that go back are refused with a sentence each', async (t) => {
  const { create } = await mediaApi(t)

  const messages = []
  for (const path of ['/pictures/a.png\0', 'pictures', '/pictures/../etc/shadow']) {
    const { body } = await create(path)
    assert.equal(body.code, 'manifest.invalid')
    messages.push(body.errors.map(({ message }: { message: string }) => message).join())
  }

  assert.match(messages.join('\n'), /NUL.*\n.*absolute.*\n.*\.\./)
})

test('one file of a list that lies outside is named by its place', async (t) => {
  const { create } = await mediaApi(t)

  const { body } = await create(['/pictures/a.png', '/etc/b.png', '/pictures/link'])

  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/source/path/1', '/source/path/2'],
  )
})

test('with a valid token a place outside is taken, and what was allowed is stored with the stream', async (t) => {
  const { create } = await mediaApi(t, 'field')

  const { status, body } = await create('/srv/pictures', 'good-token')

  assert.equal(status, 200)
  assert.deepEqual(body.spec.media_grants, ['/srv/pictures'])
  assert.equal((await create('/srv/pictures')).status, 422, 'it was allowed for that stream alone')
})

test('a grant that is sent along counts for nothing', async (t) => {
  const { create } = await mediaApi(t, 'field')

  const forged = await create('/etc/shadow', undefined, { media_grants: ['/etc'] })
  const harmless = await create('/pictures', undefined, { media_grants: ['/etc'] })

  assert.equal(forged.status, 422)
  assert.equal(harmless.status, 200)
  assert.equal(harmless.body.spec.media_grants, undefined)
})
