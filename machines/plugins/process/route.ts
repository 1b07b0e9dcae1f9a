// A request to a route of a plugin and its answer, as the rooms hand them to one another.

export interface PluginRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind `/v1/plugins/{name}/api`, with a slash in front. */
  readonly path: string
  /** Without its question mark; may be empty. */
  readonly query: string
  /** Of the body; null: there is none. */
  readonly media_type: string | null
  readonly body: Uint8Array | undefined
}

export interface PluginAnswer {
  readonly status: number
  /** null: it has no body. */
  readonly media_type: string | null
  readonly body: Uint8Array
}

/** So long a program may take for an answer. */
export const ROUTE_LIMIT_MS = 10_000

/** What a body may be: a type without parameters that a page could not be run from. */
export const isShownMediaType = (type: string): boolean => SHOWN.test(type)

const SHOWN = new RegExp(
  `^(${[
    'application/(json|octet-stream|pdf|zip|geo[+]json|cbor|msgpack)',
    'text/(plain|csv|html)',
    'image/(png|jpeg|webp|gif)',
    'audio/(wav|mpeg)',
    'video/mp4',
  ].join('|')})(; ?charset=utf-8)?$`,
  'i',
)
