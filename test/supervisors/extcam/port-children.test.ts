// Ports of their own: who is let in there, and which stream they show.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { WebSocket } from 'ws'
import { EXTCAM_TABLES } from '../../../actors/extcam/tokens.ts'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import { PortChildren } from '../../../supervisors/extcam/port-children.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { freePort } from '../../support/processes/free-port.ts'
import type { ServiceParts } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Wanted = Parameters<PortChildren['isSame']>[0]

const source = { backend: 'images', path: '/pictures', fps: 100 } as const

/** A stream whose results and whose pushed results are at ports of their own. */
const served = async (t: TestContext, options: ServiceParts['options'] = {}) => {
  const service = await liveStreams(t, { options })
  const [results_port, push_port] = await Promise.all([freePort(), freePort()])
  const manifest = { id: 'front', source, extcam: { results_port, push_port } }
  await service.addStream(manifest)
  const partOf = (sort: string) => service.directory.parts().find(({ name }) => name === `extcam-ports/front/${sort}`)
  await until('the ports', () => ['results', 'push'].every((sort) => partOf(sort)?.state === 'open.listening'))
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${results_port}${path}`, init)
  const listen = (headers: Record<string, string> = {}) => {
    const socket = new WebSocket(`ws://127.0.0.1:${push_port}`, { headers })
    t.after(() => socket.terminate())
    return socket
  }
  return { ...service, manifest, ask, listen, partOf }
}

test('what needs a token at the API needs one at a stream port, and foreign pages are refused', async (t) => {
  const { ask, listen } = await served(t, { profile: 'locked' })
  const token = { authorization: 'Bearer good-token' }
  const page = { ...token, origin: 'https://evil.example' }

  const refusals = await Promise.all([
    ask('/results'),
    ask('/capture-snapshot', { method: 'POST' }),
    ask('/capture-snapshot', { method: 'POST', headers: page }),
    ask('/capturesnapshot', { headers: { ...token, 'user-agent': 'Mozilla/5.0' } }),
  ])
  const refused = async (headers: Record<string, string>) => {
    const [error] = await once(listen(headers), 'error')
    return (error as Error).message
  }

  assert.deepEqual(
    refusals.map(({ status }) => status),
    [401, 401, 403, 403],
  )
  assert.match(await refused({}), /401/)
  assert.match(await refused(page), /403/)
  assert.equal((await ask('/results', { headers: token })).status, 200)
  await once(listen(token), 'message')
})

test('a port is opened anew for another stream, another table and another number, and for nothing else', async (t) => {
  const { streams, resolve, directory, put, drop, manifest } = await served(t)
  const tables = resolve(EXTCAM_TABLES)
  const children = new PortChildren({
    directory,
    streams,
    tables,
    own: () => [],
    serve: () => Effect.never,
    record: () => {},
  })
  const wanted = () => children.wanted().get('extcam-ports/front/results') as Wanted
  const before = wanted()
  const isSame = () => children.isSame(before, wanted())
  const { extcam } = manifest

  const after: boolean[] = []
  for (const changed of [
    { ...manifest, alias: 'The front' },
    { ...manifest, extcam: { ...extcam, table: 'limelight-9' } },
    { ...manifest, extcam: { ...extcam, results_port: extcam.push_port, push_port: extcam.results_port } },
    manifest,
  ]) {
    await put(changed)
    after.push(isSame())
  }
  await drop('front')
  await put(manifest)
  after.push(isSame())

  assert.deepEqual(after, [true, false, false, true, false])
})

test('a ninth who listens at a port is refused before he is let in, until one of the others has gone', async (t) => {
  const { listen } = await served(t)
  const sockets = Array.from({ length: 8 }, () => listen())
  await Promise.all(sockets.map((socket) => once(socket, 'message')))

  const ninth = listen()
  const [error] = await Promise.race(['error', 'open'].map((end) => once(ninth, end)))
  sockets[0]?.close()
  await once(sockets[0] as WebSocket, 'close')

  assert.match(String(error), /429/)
  await once(listen(), 'message')
})

test('no stream gets a port that the service itself listens on or is set to', async (t) => {
  const [http, tls, nt4] = await Promise.all([freePort(), freePort(), freePort()])
  const host = '127.0.0.1'
  const options = { http: { host, port: http }, tls: { host, port: tls }, nt4: `serve:${host}:${nt4}` }
  const service = await liveStreams(t, { options })

  await service.addStream({ id: 'front', source, extcam: { results_port: http, stream_port: tls, push_port: nt4 } })

  for (const [sort, what] of Object.entries({ results: 'HTTP', stream: 'HTTPS', push: 'NT4 server' })) {
    const part = () => service.directory.parts().find(({ name }) => name === `extcam-ports/front/${sort}`)
    const shown = await until(sort, part, (found) => found?.state !== undefined && !/binding/.test(found.state))
    assert.equal(shown?.state, 'refused')
    assert.match(shown?.fault?.detail ?? '', new RegExp(`belongs to the .*${what}.* of this service`))
  }
})

test('an open port is given up to the NT4 server, and opened again when that moves elsewhere', async (t) => {
  const { directory, manifest, listen, partOf } = await served(t)
  const { push_port } = manifest.extcam
  const aimAt = (target: string, revision: number) =>
    directory.settings.trigger.committed({
      collection: nt4Collection.name,
      id: NT4_DOCUMENT,
      collectionRevision: revision,
      collectionBase: 0,
      revision,
      value: { emulate_extcam_api: true, target },
    })
  const socket = listen()
  await once(socket, 'message')

  const gone = once(socket, 'close')
  aimAt(`serve:127.0.0.1:${push_port}`, 1)
  await gone
  const refused = await until(
    'the refusal',
    () => partOf('push'),
    (part) => part?.state === 'refused',
  )
  const other = partOf('results')?.state
  aimAt('off', 2)
  await until('the port', () => partOf('push')?.state === 'open.listening')

  assert.match(
    refused?.fault?.detail ?? '',
    /belongs to the NT4 server of this service; set another push_port .* of the stream front/,
  )
  assert.equal(other, 'open.listening')
})
