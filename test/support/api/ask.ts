// Asks an API without a socket.
import type { FakeApi } from './api.ts'

/** Sends a request, and gives the status and the body of its answer, read as JSON; undefined: it has none. */
export const askerOf =
  ({ app }: Pick<FakeApi, 'app'>) =>
  async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers: { host: 'localhost' },
      ...(payload && { payload }),
    })
    return { status: statusCode, body: body === '' ? undefined : JSON.parse(body) }
  }
