// The name of an operation in a generated client: as a person would call it, with a verb and what is meant.
import type { Endpoint } from '../endpoints/endpoint.ts'

/** `getStreamFrame` of `GET /v1/streams/:id/frame`, `listStreams`, `createStream`, `startStreamRecording`. */
export const operationId = (endpoint: Endpoint): string => {
  const { method, path } = endpoint
  const given = GIVEN[`${method} ${path}`]
  if (given !== undefined) return given
  const words = wordsOf(path)
  const last = words.at(-1) ?? ''
  if (method === 'POST' && VERBS.has(last)) return named(last, words.slice(0, -1))
  if (method === 'POST' && endpoint.answer.mediaType !== undefined && isPlural(last) && endpoint.kind === 'command')
    return named('create', [...words.slice(0, -1), singular(last)])
  return named(method === 'GET' ? readingVerb(endpoint) : WRITING_VERBS[method], words)
}

const WRITING_VERBS = { POST: 'set', PUT: 'set', PATCH: 'update', DELETE: 'delete' } as const

/** The last part of a path that says what is done. */
const VERBS: ReadonlySet<string> = new Set([
  ...['assign', 'confirm', 'discover', 'export', 'patch', 'probe', 'restart', 'scan', 'start', 'stop', 'validate'],
])

/** What no rule finds. */
const GIVEN: Readonly<Record<string, string>> = {
  'POST /v1/streams/bench/formats': 'benchStreamFormats',
  'GET /v1/streams/metrics': 'getAllStreamMetrics',
  'POST /v1/streams/:id/snapshot': 'takeStreamSnapshot',
  'GET /v1/pipelines/graphs/:id/export': 'exportPipelineGraph',
  'POST /v1/media': 'uploadMedia',
  'GET /v1/media': 'listMedia',
  'GET /v1/media/:name': 'getMediaContent',
  'DELETE /v1/media/:name': 'deleteMedia',
  'POST /v1/media/:name/image/edits': 'editMediaImage',
  'POST /v1/media/:name/label': 'attachMediaLabel',
  'POST /v1/media/:name/imu': 'attachMediaImu',
  'DELETE /v1/media/:name/imu': 'detachMediaImu',
  'GET /v1/plugins/:name/api/:path': 'askPlugin',
  'POST /v1/plugins/:name/api/:path': 'orderOfPlugin',
  'PUT /v1/plugins/:name/api/:path': 'putWithPlugin',
  'PATCH /v1/plugins/:name/api/:path': 'changeOfPlugin',
  'DELETE /v1/plugins/:name/api/:path': 'deleteOfPlugin',
  'POST /v1/nt4/topics': 'findNt4Topics',
  'POST /v1/nt4/value': 'readNt4Value',
  'POST /extcam/:table/capture-snapshot': 'captureExtcamSnapshot',
  'GET /extcam/:table/capturesnapshot': 'captureExtcamSnapshotByGet',
  'POST /extcam/:table/pipeline-switch': 'switchExtcamPipeline',
  'GET /extcam/:table/stream.mjpg': 'getExtcamStream',
  'POST /v1/peers/probe': 'probePeer',
  'POST /v1/peers/integrations/extvision/streams': 'findExtvisionStreams',
  'POST /v1/streams/validate': 'validateStream',
  'POST /v1/pipelines/validate': 'validatePipeline',
  'POST /v1/interdevice/streams/:id/commands': 'sendInterdeviceStreamCommand',
  'POST /v1/peers/:peer_id/streams/:remote_stream_id/commands': 'sendPeerStreamCommand',
  'POST /v1/interdevice/pairing': 'callForPairing',
  'POST /v1/interdevice/pairing/reveal': 'revealForPairing',
  'POST /v1/interdevice/pairing/withdraw': 'withdrawFromPairing',
  'POST /v1/interdevice/pairing/state': 'followPairing',
  'GET /v1/peers/pairing': 'getPairing',
  'POST /v1/peers/pairing': 'beginPairing',
  'DELETE /v1/peers/pairing': 'endPairing',
  'POST /v1/peers/pairing/confirm': 'confirmPairing',
  'GET /v1/peers/trust': 'listTrustedDevices',
  'POST /v1/peers/trust': 'createTrustedDevice',
  'GET /v1/peers/trust/:id': 'getTrustedDevice',
  'DELETE /v1/peers/trust/:id': 'deleteTrustedDevice',
  'DELETE /v1/errors': 'clearErrors',
  'GET /v1/errors/export': 'exportErrors',
  'POST /v1/session': 'signIn',
  'DELETE /v1/session': 'signOut',
  'GET /openapi.json': 'getRootOpenApi',
  'GET /v1/openapi.json': 'getOpenApi',
  'GET /asyncapi.json': 'getRootAsyncApi',
  'GET /v1/asyncapi.json': 'getAsyncApi',
}

/** `stream`, `frame` of `/v1/streams/:id/frame`: only what is meant in the end can be many. */
const wordsOf = (path: string): readonly string[] => {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'v1')
  return parts.flatMap((part, n) => {
    if (part.startsWith(':')) return []
    return [n < parts.length - 1 ? singular(part) : part]
  })
}

const isPlural = (word: string): boolean => word.endsWith('s')

const singular = (word: string): string => (isPlural(word) ? word.slice(0, -1) : word)

const readingVerb = ({ answer }: Endpoint): 'list' | 'get' => {
  const { properties = {} } = (answer.schema ?? {}) as { readonly properties?: object }
  return 'items' in properties && 'next_cursor' in properties ? 'list' : 'get'
}

const named = (verb: string, words: readonly string[]): string =>
  [verb, ...words.flatMap((word) => word.split(/[^a-zA-Z0-9]+/)).map(capital)].join('')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
