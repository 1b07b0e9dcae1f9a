// An order to a stream of another device: what it says, by what it is known in what is stored, and whether it was
// carried out as its client was told.
import assert from 'node:assert/strict'
import type { CanonicalManifest } from '../../../../machines/stream/manifest.ts'
import type { Stored } from './device.ts'
import type { Wish } from './steps.ts'

/** Where the other device is registered. */
export const PEER = '/v1/peers/back'

/** An answer to an order. */
interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly body: string
  readonly revision: number
}

/** An order, and what its client knows of it. sends: how often it was sent. */
export class Order {
  readonly wish: Wish
  readonly hasKey: boolean
  readonly request: { readonly method: 'POST' | 'PUT'; readonly url: string; readonly payload: object }
  readonly shows: (stream: CanonicalManifest) => boolean
  readonly base: number | undefined
  readonly answers: Answer[] = []
  sends = 0
  /** Answers that never came, or that say nothing of the order. */
  open = 0
  mayBeDoubled = false

  constructor(n: number, wish: Wish, wantsKey: boolean, base: number | undefined) {
    const hasKey = wantsKey || wish === 'pose' || wish === 'alias' // a command has to have one
    const value = (n + 1) / 1_000
    const pose = { x_m: value, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
    const key = hasKey ? { request_id: `order-${n}` } : {}
    const expected = base === undefined ? {} : { expected_revision: base }
    const command = (name: string, payload: object) => ({
      method: 'POST',
      url: `${PEER}/streams/front/commands`,
      payload: { command: name, payload, ...key, ...expected },
    })
    this.wish = wish
    this.hasKey = hasKey
    this.base = base
    this.shows = {
      pose: ({ pose: now }: CanonicalManifest) => now?.x_m === value,
      rig: ({ pose: now }: CanonicalManifest) => now?.x_m === value,
      alias: ({ alias }: CanonicalManifest) => alias === `alias-${n}`,
      graph: ({ pipeline }: CanonicalManifest) => pipeline.outputs.some(({ port }) => port === `more-${n}`),
    }[wish]
    this.request = {
      pose: () => command('set_pose', pose),
      alias: () => command('apply_manifest_patch', { patch: { alias: `alias-${n}` } }),
      rig: () => ({
        method: 'PUT',
        url: `${PEER}/rig/cameras/stream-front/pose`,
        payload: { ...pose, ...key, ...expected },
      }),
      graph: () => ({
        method: 'POST',
        url: `${PEER}/streams/front/pipeline/graph/patch`,
        payload: {
          expected_pipeline_revision: base ?? 1,
          ...key,
          patch: [{ op: 'add', path: '/outputs/-', value: { port: `more-${n}`, from: 'tags.detections' } }],
        },
      }),
    }[wish]() as Order['request']
  }
}

/** As much of the body of an answer as matters. */
export interface Said {
  readonly code?: string
  readonly new_revision?: number
  readonly pipeline_revision?: number
}

const DONE = [200, 204]
/** What is told the same whenever it is asked again. */
export const isFinal = (status: number): boolean => status < 500
/** The order has not left, so nothing was done. */
export const NOT_SENT: readonly (string | undefined)[] = [
  'peer.unreachable',
  'peer.not_linked',
  'peer.not_found',
  'peer.not_native',
]

/** The order was carried out as often as its client was told, and never twice. */
export const assertOnce = (order: Order, stored: readonly Stored[], doubles: number): void => {
  const { hasKey, answers, sends, shows, base } = order
  const about = `${JSON.stringify(order.request)}\nanswers ${JSON.stringify(answers)}`
  const stream = stored.filter(({ collection, id }) => collection === 'streams' && id === 'front')
  const has = ({ value }: Stored) => value !== undefined && shows(value as CanonicalManifest)
  const times = stream.filter((each, n) => has(each) && !(n > 0 && has(stream[n - 1] as Stored)))
  const most = hasKey ? 1 : sends + doubles
  assert.ok(times.length <= most, `carried out ${times.length} times: ${about}`)
  const done = answers.filter(({ status }) => DONE.includes(status))
  for (const { revision } of done) {
    const found = stream.find((each) => each.revision === revision)
    assert.ok(found && has(found), `acknowledged as ${revision} and not there: ${about}`)
  }
  if (done.length > 0 && base !== undefined && hasKey)
    assert.equal(times[0]?.revision, base + 1, `carried out on another revision than expected: ${about}`)
  if (!hasKey) return
  const known = answers.filter((each) => isFinal(each.status) && !NOT_SENT.includes(each.code))
  const told = new Set(known.map(({ status, body, revision }) => `${status} ${revision} ${plain(body)}`))
  assert.ok(told.size <= 1, `told differently: ${[...told].join(' | ')}: ${about}`)
  if (known.length > 0 && done.length === 0) assert.equal(times.length, 0, `refused and carried out: ${about}`)
  if (answers.length === sends && !order.mayBeDoubled && answers.every(({ code }) => NOT_SENT.includes(code)))
    assert.equal(times.length, 0, `never sent and carried out: ${about}`)
}

/** Without what belongs to one HTTP exchange. */
const plain = (body: string): string => {
  if (body === '') return ''
  const { request_id: _, instance: __, ...rest } = JSON.parse(body) as Record<string, unknown>
  return JSON.stringify(rest)
}
