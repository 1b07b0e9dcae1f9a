// The API of a service with one more area, which a test brings.
import type { TestContext } from 'node:test'
import type { AreaMaker } from '../../../api/endpoints/area.ts'
import type { Area, Endpoint } from '../../../api/endpoints/endpoint.ts'
import { createApi } from '../../../api/server/server.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { type FakeService, fakeService, type ServiceParts } from '../service.ts'
import type { Answered } from './api.ts'

/** An answer, and those of its headers that tests look at. */
export interface OwnAnswer extends Answered {
  readonly location: string | undefined
  readonly isRepeat: boolean
  readonly etag: string | undefined
}

/** An API with an area of the test's own. */
export interface OwnApi {
  readonly fake: FakeService
  readonly rows: readonly Endpoint[]
  readonly areas: readonly Area[]
  readonly send: (method: Endpoint['method'], url: string, payload?: object, headers?: Headers) => Promise<OwnAnswer>
}

type Headers = Readonly<Record<string, string>>

/** Puts it together as the product does; it ends with the test. */
export const ownApi = async (t: TestContext, make: AreaMaker, service: ServiceParts = {}): Promise<OwnApi> => {
  const fake = await fakeService(t, service)
  const api = fake.resolve(API)
  const own = make(fake.resolve, () => areas)
  const areas: readonly Area[] = [...(await api.areas()), own]
  const app = await createApi({ ...api, areas: () => areas })
  t.after(() => app.close())
  return {
    fake,
    areas,
    rows: own.endpoints,
    send: async (method, url, payload, headers = {}) => {
      const response = await app.inject({
        method,
        url,
        headers: { host: 'localhost', ...headers },
        ...(payload && { payload }),
      })
      const { location, etag, 'idempotent-replayed': isRepeat, 'content-type': contentType = '' } = response.headers
      return {
        status: response.statusCode,
        contentType,
        body: response.body,
        location: location as string | undefined,
        isRepeat: isRepeat === 'true',
        etag: etag as string | undefined,
      }
    },
  }
}
