// What an editor asks of this device.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { IdeConnection } from '../../../machines/ide/connection.ts'
import type { IdeProjects, WholeIdeProject } from '../../../machines/ide/project.ts'
import { FakeIde } from '../../../native/ide/fake.ts'
import { IDE } from '../../../native/ide/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import type { Lifetime } from '../../support/lifetime.ts'

const device = async (t: Lifetime) => {
  const ide = new FakeIde()
  const { app } = await fakeApi(t, {}, { ports: [value(IDE, ide)] })
  const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { host: '10.12.34.11:5800' }
    const answered = await app.inject({ method, url: `/v1/device/ide${path}`, headers, ...(payload && { payload }) })
    const contentType = String(answered.headers['content-type'])
    return { status: answered.statusCode, contentType, body: answered.body, bytes: answered.rawPayload, answered }
  }
  return { ide, ask }
}

test('an editor is told where the device is, what runs there, and what it completes by', async (t) => {
  const { ask } = await device(t)

  const known = JSON.parse((await ask('GET', '')).body) as IdeConnection

  assert.equal(known.api_base, 'http://10.12.34.11:5800')
  assert.ok(known.addresses.every((each) => each.startsWith('http://') && each.endsWith(':5800')))
  assert.equal(known.runtimes.python, '3.11.2')
  const { properties } = known.schemas.manifest as { properties: Record<string, object> }
  assert.ok(properties.permissions && properties.provides)
  assert.deepEqual(
    known.permissions.map(({ permission }) => permission),
    ['read', 'operate', 'topics', 'network'],
  )
})

test('a typed client is made by what the tests of this project make one with', async (t) => {
  const { ask } = await device(t)

  const { typed_client } = JSON.parse((await ask('GET', '')).body) as IdeConnection

  const { dependencies } = JSON.parse(readFileSync('test/client/generator/package.json', 'utf8'))
  const { dependencies: own } = JSON.parse(readFileSync('package.json', 'utf8'))
  const generator = `openapi-typescript@${dependencies['openapi-typescript']}`
  const description = 'http://10.12.34.11:5800/v1/openapi.json'
  assert.deepEqual(typed_client, {
    command: `npx ${generator} ${description} -o vedette.d.ts`,
    library: `openapi-fetch@${own['openapi-fetch']}`,
  })
})

test('the links of an editor lead somewhere', async (t) => {
  const { app } = await fakeApi(t)
  const { links } = (
    await app.inject({ url: '/v1/device/ide', headers: { host: 'localhost' } })
  ).json() as IdeConnection
  const { upload: _, install: _also, events: _too, ...readable } = links

  for (const url of Object.values(readable))
    assert.equal((await app.inject({ url, headers: { host: 'localhost' } })).statusCode, 200, url)
})

test('a project is made, listed, and taken along as texts or as a zip', async (t) => {
  const { ask } = await device(t)

  const made = await ask('POST', '/projects', { name: 'note-finder', template: 'program-python' })
  const listed = JSON.parse((await ask('GET', '/projects')).body) as IdeProjects
  const shown = JSON.parse((await ask('GET', '/projects?name=note-finder')).body) as IdeProjects
  const zip = await ask('GET', '/projects?name=note-finder&as=zip')

  assert.equal(made.status, 200)
  const project = JSON.parse(made.body) as WholeIdeProject
  assert.deepEqual([project.title, project.test], ['Note finder', 'python3 -m unittest'])
  assert.ok(project.files.some(({ path }) => path === 'vedette-plugin.json'))
  assert.deepEqual([listed.items.map(({ name }) => name), listed.project], [['note-finder'], null])
  assert.deepEqual(shown.project, project)
  assert.equal(zip.contentType, 'application/zip')
  assert.match(String(zip.answered.headers['content-disposition']), /filename="note-finder.zip"/)
  assert.equal(zip.bytes.subarray(0, 4).toString('latin1'), 'PK\x03\x04')
})

test('what cannot be had is refused in words', async (t) => {
  const { ask, ide } = await device(t)
  await ask('POST', '/projects', { name: 'note-finder', template: 'program-python' })

  const again = await ask('POST', '/projects', { name: 'note-finder', template: 'node-python' })
  const nobody = await ask('GET', '/projects?name=nobody')
  const zipOfAll = await ask('GET', '/projects?as=zip')
  const reserved = await ask('POST', '/projects', { name: 'install', template: 'node-python' })
  ide.fault = { code: 'storage.failed', detail: 'the disk is gone' }
  const broken = await ask('GET', '/projects')

  assertProblem(again, 'document.exists')
  assertProblem(nobody, 'document.unknown')
  assertProblem(zipOfAll, 'query.invalid')
  assertProblem(reserved, 'body.invalid')
  assertProblem(broken, 'storage.failed')
})
