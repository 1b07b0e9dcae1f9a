// The rows of localization of a busy service, asked as a client would.
import type { Answered, FakeApi } from '../api/api.ts'

/** What came back. */
export interface Reply extends Answered {
  readonly etag: string | undefined
  /** The body, read as JSON; an empty one: undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
  readonly json: any
}

/** Asks a row below `/v1/localization/`. body: a text is sent as it is, anything else as JSON. */
export type AskLocalization = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

export const askLocalization =
  ({ app }: Pick<FakeApi, 'app'>): AskLocalization =>
  async (method, path, body, headers = {}) => {
    const response = await app.inject({
      method,
      url: `/v1/localization/${path}`,
      headers: { host: 'localhost', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: response.statusCode,
      contentType: response.headers['content-type'] ?? '',
      body: response.body,
      etag: response.headers.etag,
      json: response.body === '' ? undefined : JSON.parse(response.body),
    }
  }
