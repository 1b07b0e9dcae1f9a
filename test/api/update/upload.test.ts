// Bundles that are uploaded over real sockets, in each of the three ways, to the store as it is.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import * as Effect from 'effect/Effect'
import type { Problem } from '../../../api/problems/problem.ts'
import type { UpdateState } from '../../../machines/update/update-state.ts'
import type { StoredUpload } from '../../../machines/update/upload.ts'
import { updateKeyOf } from '../../../native/update/bundle/sign.ts'
import { BUNDLE_STORE, type BundleStore } from '../../../native/update/port.ts'
import { type BundleStoreParts, fileBundleStore } from '../../../native/update/upload-store.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { listeningApi } from '../../support/api/api.ts'
import type { Lifetime } from '../../support/lifetime.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'
import { bundleIn, signingKey } from '../../support/update/releases.ts'

const key = signingKey()
const made = await bundleIn(folderOf({ after }), { keys: [key] })
const bundle = readFileSync(made.path)
const MADE = { hardware: 'linux-x64', base: 'debian-12' }

const TUS = { 'tus-resumable': '1.0.0' }
const OFFSET = 'application/offset+octet-stream'

type Answer = Partial<Problem> & Partial<UpdateState> & { readonly offset?: number }

const judging = async () => ({ keys: [updateKeyOf(key, null)], timeMs: 0, device: MADE })

const storeIn = (folder: string, more: Partial<BundleStoreParts> = {}): BundleStore =>
  fileBundleStore({ folder, judging, minFreeBytes: 0, ...more })

const device = async (t: Lifetime, more: Partial<BundleStoreParts> = {}) => {
  const folder = join(folderOf(t), 'upload')
  return deviceWith(t, folder, storeIn(folder, more))
}

const deviceWith = async (t: Lifetime, folder: string, bundles: BundleStore) => {
  const { url, fake } = await listeningApi(t, {}, { ports: [value(BUNDLE_STORE, bundles)] })
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    // an answer that comes while the body is still being sent can be lost by fetch, which then waits for ever
    const response = await fetch(url + path, { method, signal: AbortSignal.timeout(ANSWER_LIMIT_MS), ...init })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as Answer }
  }
  const state = async () => (await ask('GET', '/v1/ota/state')).body
  const post = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
    ask('POST', '/v1/ota/upload', { body: body ?? null, headers })
  const create = (bytes: number, headers: Record<string, string> = {}, body: Buffer | null = null) =>
    post(body, { ...TUS, 'upload-length': String(bytes), ...headers })
  const patch = (path: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
    ask('PATCH', path, {
      body,
      headers: { ...TUS, 'content-type': OFFSET, 'upload-offset': String(offset), ...headers },
    })
  await until('the updater', async () => (await ask('GET', '/v1/ota/state')).status === 200)
  return { url, fake, folder, ask, state, post, create, patch }
}

const ANSWER_LIMIT_MS = 60_000

const isReady = ({ state }: Answer): boolean => state === 'ready'

/** Sends part of a body, and leaves when the server says that so much has come. */
const leaving = async (
  { url, state }: Awaited<ReturnType<typeof device>>,
  options: { method: string; path: string; headers: Record<string, string | number> },
  part: Buffer,
  bytes: number,
): Promise<void> => {
  const request = httpRequest(url + options.path, options)
  const gone = new Promise((resolve) => request.once('error', resolve))
  request.write(part)
  await until('bytes', state, ({ progress }) => progress?.bytes === bytes)
  request.destroy()
  await gone
}

test('a bundle that is the body of a request is taken, checked and offered', async (t) => {
  const { post, state, ask } = await device(t)

  const { status, body } = await post(bundle)
  const ready = await until('it is ready', state, isReady)

  assert.equal(status, 201)
  assert.ok(['verifying', 'ready'].includes(body.state ?? ''), body.state)
  assert.deepEqual([ready.offered?.version, ready.failure], [made.manifest.version, null])
  assert.equal((await ask('POST', '/v1/ota/cancel')).status, 200)
})

test('a bundle that comes in a form, as curl sends it, is taken like any other', async (t) => {
  const { url, state, post } = await device(t)

  const told = await promisify(execFile)('curl', [
    '-sS',
    '-F',
    'note=ours',
    '-F',
    `bundle=@${made.path}`,
    `${url}/v1/ota/upload`,
  ])
  assert.ok('state' in JSON.parse(told.stdout), told.stdout)
  assert.equal((await until('it is ready', state, isReady)).offered?.version, made.manifest.version)

  const form = new FormData()
  form.append('bundle', new Blob([bundle]), 'release.vedette')
  assert.equal((await post(form)).status, 201)
  await until('it is ready', state, isReady)
})

test('a form without a file, with two, cut short, or that is none, is refused with a sentence', async (t) => {
  const { post, state, folder } = await device(t)
  const form = (...files: readonly Buffer[]) => {
    const all = new FormData()
    all.append('note', 'ours')
    for (const file of files) all.append('bundle', new Blob([file]), 'release.vedette')
    return all
  }
  const whole = Buffer.from(await new Response(form(bundle)).arrayBuffer())
  const type = { 'content-type': `multipart/form-data; boundary=${whole.subarray(2, whole.indexOf('\r\n'))}` }
  const tries: readonly [RequestInit['body'], Record<string, string>, RegExp][] = [
    [form(), {}, /the form has no file in it/],
    [form(bundle, bundle), {}, /two files/],
    [whole.subarray(0, -60), type, /no form as its content-type says, or ends too early/],
    ['nothing', { 'content-type': 'multipart/form-data' }, /no form as/],
    ['nothing', { 'content-type': 'multipart/form-data; boundary=x' }, /no form as|no file in it/],
  ]
  for (const [body, headers, message] of tries) {
    const { status, body: problem } = await post(body, headers)
    assert.deepEqual([status, problem.code], [400, 'request.malformed'], problem.detail)
    assert.match(problem.detail ?? '', message)
    assert.equal((await state()).state, 'failed')
  }
  await until(
    'nothing is left',
    async () => readdirSync(folder),
    ({ length }) => length === 0,
  )
})

test('damage on the way, and what is no bundle, are answered at once', async (t) => {
  const { post, state } = await device(t)
  const changed = Buffer.from(bundle)
  changed[900] = (changed[900] ?? 0) ^ 4

  for (const [body, message] of [
    [changed, /damaged or cut short/],
    [bundle.subarray(0, -1), /damaged or cut short/],
    [Buffer.from('PK\x03\x04'.padEnd(100_000)), /it is no bundle/],
    [Buffer.alloc(0), /it is no bundle/],
  ] as const) {
    const { status, body: problem } = await post(body)
    assert.deepEqual([status, problem.code], [400, 'update.refused'])
    assert.match(problem.detail ?? '', message)
    assert.equal(
      (await until('it has failed', state, ({ state: now }) => now === 'failed')).failure?.code,
      problem.code,
    )
  }
})

test('what does not fit is refused before it comes: 413 by the limit, 507 by the disk', async (t) => {
  const small = await device(t, { maxBytes: bundle.length - 1 })
  const full = await device(t, { minFreeBytes: 2 ** 60 })
  const form = () => {
    const all = new FormData()
    all.append('bundle', new Blob([bundle]), 'release.vedette')
    return all
  }

  for (const answer of [await small.post(bundle), await small.post(form()), await small.create(bundle.length)])
    assert.deepEqual([answer.status, answer.body.code], [413, 'body.too_large'])
  for (const answer of [await full.post(bundle), await full.post(form()), await full.create(bundle.length)])
    assert.deepEqual([answer.status, answer.body.code], [507, 'storage.full'])
  assert.equal((await small.post(bundle, { 'content-encoding': 'gzip' })).status, 415)
})

test('one bundle comes at a time; one that broke off is gone, and makes way', async (t) => {
  const api = await device(t)
  const headers = { 'content-length': bundle.length }
  const request = httpRequest(`${api.url}/v1/ota/upload`, { method: 'POST', headers })
  const gone = new Promise((resolve) => request.once('error', resolve))
  request.write(bundle.subarray(0, 600))
  await until('bytes', api.state, ({ progress }) => progress?.bytes === 600)

  const second = await api.post(bundle)
  const third = await api.create(bundle.length)
  assert.deepEqual(
    [second.status, second.body.code, third.status, third.body.code],
    [409, 'update.busy', 409, 'update.busy'],
  )

  request.destroy()
  await gone
  const failed = await until('it has failed', api.state, ({ state }) => state === 'failed')
  assert.match(failed.failure?.detail ?? '', /the connection ended before/)
  assert.equal((await api.post(bundle)).status, 201)
  await until('it is ready', api.state, isReady)
})

test('an upload by tus is created, goes on in pieces, and is whole with its last one', async (t) => {
  const { create, patch, ask, state } = await device(t)

  const created = await create(bundle.length)
  const path = created.headers.get('location') ?? ''
  const first = await patch(path, 0, bundle.subarray(0, 700))
  const read = await ask('GET', path)
  const last = await patch(path, 700, bundle.subarray(700))
  const again = await patch(path, bundle.length, Buffer.alloc(0))

  assert.equal(created.status, 201)
  assert.match(path, /^\/v1\/ota\/upload\/[\w-]+$/)
  assert.equal(created.body.state, 'receiving')
  assert.deepEqual([created.headers.get('tus-resumable'), created.headers.get('upload-offset')], ['1.0.0', '0'])
  assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '700'])
  assert.deepEqual([read.body.offset, read.headers.get('upload-length')], [700, String(bundle.length)])
  assert.equal(read.headers.get('cache-control'), 'no-store')
  assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, String(bundle.length)])
  assert.equal(again.status, 204)
  await until('it is ready', state, isReady)
})

test('after a connection broke off, HEAD says where to go on', async (t) => {
  const api = await device(t)
  const path = (await api.create(bundle.length)).headers.get('location') ?? ''
  const headers = { ...TUS, 'content-type': OFFSET, 'upload-offset': 0, 'content-length': bundle.length }

  await leaving(api, { method: 'PATCH', path, headers }, bundle.subarray(0, 500), 500)
  const waiting = await until('it waits', api.state, ({ upload }) => upload?.interrupted === true)
  const head = await fetch(api.url + path, { method: 'HEAD' })
  const went = await api.patch(path, 500, bundle.subarray(500))

  assert.equal(waiting.state, 'receiving')
  assert.deepEqual(
    ['upload-offset', 'upload-length', 'tus-resumable', 'cache-control'].map((name) => head.headers.get(name)),
    ['500', String(bundle.length), '1.0.0', 'no-store'],
  )
  assert.equal(await head.text(), '')
  assert.equal(went.status, 204)
  await until('it is ready', api.state, isReady)
})

test('after a link that died without a word, a request that goes on ends the one before', async (t) => {
  const api = await device(t)
  const path = (await api.create(bundle.length)).headers.get('location') ?? ''
  const headers = { ...TUS, 'content-type': OFFSET, 'upload-offset': 0, 'content-length': bundle.length }
  const silent = httpRequest(api.url + path, { method: 'PATCH', headers })
  const answered = new Promise<number | undefined>((resolve) => {
    silent.once('response', (response) => resolve(response.resume().statusCode))
    silent.once('error', () => resolve(undefined))
  })
  silent.write(bundle.subarray(0, 500))
  await until('bytes', api.state, ({ progress }) => progress?.bytes === 500)

  const elsewhere = await api.patch(path, 499, bundle.subarray(499))
  const went = await api.patch(path, 500, bundle.subarray(500))

  assert.deepEqual([elsewhere.status, elsewhere.body.code], [409, 'update.other_offset'])
  assert.deepEqual([went.status, went.body.code], [204, undefined])
  assert.equal(await answered, 409)
  silent.destroy()
  await until('it is ready', api.state, isReady)
})

test('two requests that go on in the same moment never throw the upload away', async (t) => {
  const { create, patch, ask, state } = await device(t)
  const path = (await create(bundle.length)).headers.get('location') ?? ''
  const STEP = 60

  for (let offset = 0; offset + STEP < bundle.length && offset < 12 * STEP; ) {
    const part = bundle.subarray(offset, offset + STEP)
    const answers = await Promise.all([patch(path, offset, part), patch(path, offset, part)])
    for (const { status, body } of answers) assert.ok(status === 204 || status === 409, `${status} ${body.detail}`)
    assert.deepEqual([(await state()).state, (await state()).failure], ['receiving', null])
    offset = (await ask('GET', path)).body.offset ?? 0
  }

  const { offset = 0 } = (await ask('GET', path)).body
  assert.equal((await patch(path, offset, bundle.subarray(offset))).status, 204)
  await until('it is ready', state, isReady)
})

test('an upload that another request got further in the meantime is left as it is', async (t) => {
  const folder = join(folderOf(t), 'upload')
  const inner = storeIn(folder)
  let stale: StoredUpload | undefined
  const bundles = { ...inner, kept: Effect.suspend(() => (stale ? Effect.succeed(stale) : inner.kept)) }
  const { create, patch, state, ask } = await deviceWith(t, folder, bundles)
  const path = (await create(bundle.length)).headers.get('location') ?? ''
  stale = (await Effect.runPromise(inner.kept)) ?? undefined
  assert.equal((await patch(path, 0, bundle.subarray(0, 9))).status, 204)

  const late = await patch(path, 0, bundle)
  stale = undefined

  assert.deepEqual([late.status, late.body.code], [409, 'update.other_offset'])
  assert.deepEqual([(await state()).state, (await ask('GET', path)).body.offset], ['receiving', 9])
  assert.equal((await patch(path, 9, bundle.subarray(9))).status, 204)
})

test('a connection that broke off behind the last byte keeps nobody from the end', async (t) => {
  const api = await device(t)
  const path = (await api.create(bundle.length)).headers.get('location') ?? ''
  const headers = { ...TUS, 'content-type': OFFSET, 'upload-offset': 0, 'transfer-encoding': 'chunked' }
  await leaving(api, { method: 'PATCH', path, headers }, bundle, bundle.length)
  await until('it waits', api.state, ({ upload }) => upload?.interrupted === true)

  const { status, headers: said } = await api.patch(path, bundle.length, Buffer.alloc(0))

  assert.deepEqual([status, said.get('upload-offset')], [204, String(bundle.length)])
  await until('it is ready', api.state, isReady)
})

test('a form whose file does not begin to come gives way to the next upload', async (t) => {
  const api = await device(t, { patience: { windowMs: 200, minBytes: 64, totalMs: 60_000 } })
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 100_000 }
  const request = httpRequest(`${api.url}/v1/ota/upload`, { method: 'POST', headers })
  const answered = new Promise<number | undefined>((resolve) => {
    request.once('response', (response) => resolve(response.resume().statusCode))
    request.once('error', () => resolve(undefined))
  })
  request.write('--x\r\n')

  assert.equal(await answered, 408)
  const { failure } = await until('it has failed', api.state, ({ state }) => state === 'failed')
  assert.equal(failure?.code, 'request.timeout')
  request.destroy()
})

test('an upload may begin with its first bytes, or with all of them', async (t) => {
  const { create, patch, state } = await device(t)

  const some = await create(bundle.length, { 'content-type': OFFSET }, bundle.subarray(0, 10))
  assert.deepEqual([some.status, some.headers.get('upload-offset')], [201, '10'])
  assert.equal((await patch(some.headers.get('location') ?? '', 10, bundle.subarray(10))).status, 204)
  await until('it is ready', state, isReady)

  const all = await create(bundle.length, { 'content-type': OFFSET }, bundle)
  assert.deepEqual([all.status, all.headers.get('upload-offset')], [201, String(bundle.length)])
  await until('it is ready', state, isReady)
})

test('what does not keep to tus is refused with its own code', async (t) => {
  const { create, patch, ask, post } = await device(t)
  const path = (await create(bundle.length)).headers.get('location') ?? ''
  const codeOf = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer
    return `${status} ${body.code}`
  }

  assert.equal(await codeOf(patch(path, 5, bundle)), '409 update.other_offset')
  assert.equal(await codeOf(patch(path, 0, bundle, { 'upload-offset': '-1' })), '409 update.other_offset')
  assert.equal(await codeOf(patch(path, 0, bundle, { 'tus-resumable': '0.2.2' })), '412 update.other_protocol')
  assert.equal(await codeOf(ask('PATCH', path, { body: bundle })), '412 update.other_protocol')
  assert.equal(await codeOf(patch(path, 0, bundle, { 'content-type': 'text/plain' })), '415 media_type.unsupported')
  assert.equal(await codeOf(patch(`${path}x`, 0, bundle)), '404 update.no_upload')
  assert.equal(await codeOf(ask('GET', `${path}x`)), '404 update.no_upload')
  assert.equal(await codeOf(ask('DELETE', `${path}x`)), '404 update.no_upload')
  assert.equal(await codeOf(post(null, { ...TUS, 'upload-length': 'many' })), '400 request.malformed')
  assert.equal(
    await codeOf(post(null, { 'tus-resumable': '2.0.0', 'upload-length': '1' })),
    '412 update.other_protocol',
  )
  assert.equal((await ask('GET', path)).body.offset, 0, 'nothing of this changed it')
  assert.equal(await codeOf(patch(path, 0, Buffer.concat([bundle, bundle]))), '413 body.too_large')
})

test('an upload can be forgotten, and then is unknown', async (t) => {
  const { create, patch, ask, state, folder } = await device(t)
  const path = (await create(bundle.length)).headers.get('location') ?? ''
  await patch(path, 0, bundle.subarray(0, 100))

  const gone = await ask('DELETE', path, { headers: TUS })

  assert.equal(gone.status, 204)
  assert.equal((await state()).state, 'idle')
  assert.deepEqual(readdirSync(folder), [])
  assert.equal((await ask('GET', path)).status, 404)
  assert.equal((await patch(path, 100, bundle.subarray(100))).status, 404)
})

test('an upload that is cancelled while it comes ends at once', async (t) => {
  const api = await device(t)
  const request = httpRequest(`${api.url}/v1/ota/upload`, { method: 'POST', headers: { 'content-length': 1_000_000 } })
  const answered = new Promise<number | undefined>((resolve) => {
    request.once('response', (response) => resolve(response.resume().statusCode))
    request.once('error', () => resolve(undefined))
  })
  request.write(bundle.subarray(0, 600))
  await until('bytes', api.state, ({ progress }) => progress?.bytes === 600)
  const snapshot = api.fake.directory.actor('update')?.getSnapshot()
  assert.ok(snapshot?.matches({ receiving: { arriving: 'coming' } }), 'it is known that somebody sends')

  const cancelled = await api.ask('POST', '/v1/ota/cancel')

  assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'idle'])
  assert.equal(await answered, 409)
  request.destroy()
  assert.equal((await api.state()).failure, null)
})

test('OPTIONS says which tus is spoken, and how large a bundle may be', async (t) => {
  const { ask, create } = await device(t)
  const path = (await create(bundle.length)).headers.get('location') ?? ''

  for (const [at, methods] of [
    ['/v1/ota/upload', 'POST'],
    [path, 'GET, HEAD, PATCH, DELETE'],
  ] as const) {
    const { status, headers } = await ask('OPTIONS', at)
    assert.deepEqual(
      [status, headers.get('allow'), headers.get('tus-version'), headers.get('tus-extension')],
      [204, methods, '1.0.0', 'creation,creation-with-upload,termination'],
    )
    assert.equal(headers.get('tus-max-size'), String(1024 ** 3))
  }
  assert.equal((await ask('OPTIONS', '/v1/media')).headers.get('tus-version'), null)
})

test('a bundle of a key that is not trusted arrives, and is refused with its sentence', async (t) => {
  const { post, state } = await device(t)
  const foreign = await bundleIn(folderOf(t))

  assert.equal((await post(readFileSync(foreign.path))).status, 201)
  const { failure } = await until('it has failed', state, ({ state: now }) => now === 'failed')

  assert.deepEqual([failure?.code, failure?.state], ['update.refused', 'verifying'])
  assert.match(failure?.detail ?? '', /was signed by [0-9a-f]{16}, and this device trusts/)
})
