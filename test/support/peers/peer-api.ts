// The API of a service with two rows that are meant for other devices.
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { command } from '../../../api/endpoints/command.ts'
import { area } from '../../../api/endpoints/endpoint.ts'
import { feed } from '../../../api/endpoints/feed.ts'
import { read } from '../../../api/endpoints/read.ts'
import { createApi } from '../../../api/server/server.ts'
import type { Profile } from '../../../machines/http/access.ts'
import { ROBOT, RobotDimensions, rigCollection } from '../../../machines/rig/robot.ts'
import Type from '../../../machines/schema/type.ts'
import { mergeOrder } from '../../../machines/settings/commit.ts'
import type { Certificate } from '../../../native/tls/port.ts'
import { API } from '../../../supervisors/http/branch.ts'
import type { Answered } from '../api/api.ts'
import { type FakeService, fakeService } from '../service.ts'

const Answer = Type.Record(Type.String(), Type.Unknown())
const row = { access: 'peer', summary: 'One' } as const

/** `ping` says who asks, `robot` is a command, `listen` a feed that says nothing. */
const rowsForDevices = area('devices', 'What a test asks as a device.', [
  read('GET', '/v1/interdevice/ping', {
    ...row,
    answer: Answer,
    example: {},
    get: ({ peer }) => ({ peer: peer && { id: peer.id, name: peer.name } }),
  }),
  command('POST', '/v1/interdevice/robot', {
    ...row,
    to: 'settings',
    body: { schema: Type.Object({ length_m: RobotDimensions.properties.length_m }), example: { length_m: 0.8 } },
    send: ({ body }) => mergeOrder(rigCollection, ROBOT, body),
    answer: { schema: Answer, example: {}, of: ({ peer }) => ({ peer: peer?.name ?? 'nobody' }) },
  }),
  feed('GET', '/v1/interdevice/listen', { ...row, messages: [], accept: () => {} }),
])

interface Ask {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: object
  readonly remoteAddress?: string
}

/** An API with such rows. send: asks without a socket; token: as a bearer. */
export interface PeerApi {
  readonly fake: FakeService
  readonly app: FastifyInstance
  readonly send: (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    ask?: Ask,
  ) => Promise<Answered & { readonly headers: Readonly<Record<string, unknown>> }>
}

/** Puts it together as the product does; it ends with the test. tls: served over TLS with this. */
export const peerApi = async (t: TestContext, profile: Profile, tls?: Certificate): Promise<PeerApi> => {
  const fake = await fakeService(t, { options: { profile } })
  const api = fake.resolve(API)
  const areas = [...(await api.areas()), rowsForDevices]
  const app = await createApi({ ...api, areas: () => areas, ...(tls && { tls }) })
  t.after(() => app.close())
  return {
    fake,
    app,
    send: async (method, url, { token, payload, remoteAddress, headers: more } = {}) => {
      const response = await app.inject({
        method,
        url,
        headers: { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }), ...more },
        ...(payload && { payload }),
        ...(remoteAddress && { remoteAddress }),
      })
      const { headers, statusCode: status, body } = response
      return { status, contentType: String(headers['content-type'] ?? ''), body, headers }
    },
  }
}
