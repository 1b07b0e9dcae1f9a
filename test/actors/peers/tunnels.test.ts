// Who shares which connection to a peer, when it is opened and when it ends: on a fake wire, with a clock that is moved
// by hand.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type PeerWay, Tunnels } from '../../../actors/peers/tunnels.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { PeerAnswer, PeerTarget } from '../../../native/peers/port.ts'
import type { PreviewTunnel, PreviewViewer, TunnelPort } from '../../../native/tunnels/port.ts'
import { peerTunnels } from '../../../native/tunnels/tunnels.ts'
import { until } from '../../support/until.ts'

/** A tunnel that a test opens, lets fail and ends. inside: the ways to leave of those who were let in. */
interface HeldTunnel {
  readonly path: string
  readonly opens: (result: Effect.Effect<void, Fault>) => void
  readonly ends: (fault: Fault) => void
  readonly inside: (() => void)[]
  isReleased: boolean
}

const gone: Fault = { code: 'peer.unreachable', detail: 'gone' }
const lied: Fault = { code: 'peer.bad_answer', detail: 'lied' }
const unknown: Fault = { code: 'stream.not_found', detail: 'unknown' }

const aViewer = {} as PreviewViewer
const of = { peer_id: 'b', stream_id: 'front', query: {} }
const wayTo = (id: string): PeerWay => ({
  target: { origin: `http://${id}`, fingerprint: null, token: null },
  state: 'linked',
})

const tunnelsFor = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opened: HeldTunnel[] = []
  const recorded: Fault[] = []
  const accessTo = new Map<string, PeerWay>(['b', 'c'].map((id) => [id, wayTo(id)]))
  const asked: ((answer: PeerAnswer) => void)[] = []
  const looks: string[] = []
  let ended = 0
  const preview: TunnelPort['preview'] = (_, { path }) =>
    Effect.gen(function* () {
      const [opening, end] = [Promise.withResolvers<Effect.Effect<void, Fault>>(), Promise.withResolvers<Fault>()]
      const held: HeldTunnel = { path, opens: opening.resolve, ends: end.resolve, inside: [], isReleased: false }
      opened.push(held)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          held.isReleased = true
        }),
      )
      yield* Effect.flatten(Effect.promise(() => opening.promise))
      return {
        mediaType: 'x/y',
        join: (_viewer, left) => held.inside.push(left),
        ended: Effect.flatMap(
          Effect.promise(() => end.promise),
          (fault) => Effect.fail(fault),
        ),
      } satisfies PreviewTunnel
    })
  const tunnels = new Tunnels({
    wire: {
      dial: () => Effect.succeed({} as Socket),
      ask: () =>
        Effect.callback((resume) => {
          asked.push((answer) => resume(Effect.succeed(answer)))
          return Effect.sync(() => {
            ended += 1
          })
        }),
    },
    port: { preview, picture: peerTunnels.picture } as TunnelPort,
    accessTo: (id) => {
      looks.push(id)
      return accessTo.get(id) ?? { code: 'document.unknown', detail: `no ${id}` }
    },
    record: (fault) => recorded.push(fault),
    lingerMs: 1_500,
  })
  t.after(() => tunnels.closeAll())
  const nth = (n: number) => until(`opening ${n}`, () => opened[n]) as Promise<HeldTunnel>
  return {
    tunnels,
    opened,
    nth,
    recorded,
    accessTo,
    asked,
    looks,
    ended: () => ended,
    tick: (ms: number) => t.mock.timers.tick(ms),
  }
}

/** Asks, and has it opened. */
const openTunnel = async ({ tunnels, nth, opened }: ReturnType<typeof tunnelsFor>, what = of) => {
  const n = opened.length
  const asked = tunnels.preview(what)
  const held = await nth(n)
  held.opens(Effect.void)
  const shared = await asked
  if (isFault(shared)) throw new Error(shared.detail)
  return { held, ...shared }
}

test('all who want the same share one opening, and one tunnel', async (t) => {
  const { tunnels, opened, nth } = tunnelsFor(t)
  const asked = [tunnels.preview(of), tunnels.preview({ ...of }), tunnels.preview(of)]
  const held = await nth(0)

  held.opens(Effect.void)
  const shared = await Promise.all([...asked, tunnels.preview(of)])
  for (const each of shared) if (!isFault(each)) each.join(aViewer)

  assert.equal(opened.length, 1)
  assert.equal(held.inside.length, 4)
  assert.equal(held.path, '/v1/interdevice/streams/front/preview')
})

test('each peer, stream and query has a tunnel of its own, whatever the order of the parameters', async (t) => {
  const parts = tunnelsFor(t)
  const { tunnels, opened } = parts
  const questions = [
    of,
    { ...of, peer_id: 'c' },
    { ...of, stream_id: 'a/b?' },
    { ...of, stream_id: '..' },
    { ...of, query: { fps: 5, quality: 60 } },
  ]

  for (const each of questions) await openTunnel(parts, each)
  await tunnels.preview({ ...of, query: { quality: 60, output: undefined, fps: 5 } })

  assert.deepEqual(
    opened.map(({ path }) => path.replace('/v1/interdevice/streams/', '')),
    ['front/preview', 'front/preview', 'a%2Fb%3F/preview', '%2E%2E/preview', 'front/preview?fps=5&quality=60'],
  )
  assert.equal(tunnels.size, 5)
})

test('why it does not open is told to all who wait, and the next one asks anew', async (t) => {
  const { tunnels, nth, recorded } = tunnelsFor(t)
  const asked = [tunnels.preview(of), tunnels.preview(of)]
  const held = await nth(0)

  held.opens(Effect.fail(unknown))

  assert.deepEqual(await Promise.all(asked), [unknown, unknown])
  assert.equal(tunnels.size, 0)
  void tunnels.preview(of)
  await nth(1)
  assert.deepEqual(recorded, [])
})

test('an unknown peer is told of without asking anybody', async (t) => {
  const { tunnels, opened } = tunnelsFor(t)

  const found = [await tunnels.preview({ ...of, peer_id: 'x' }), await tunnels.picture({ ...of, peer_id: 'x' }, {})]

  for (const each of found) assert.deepEqual(each, { code: 'document.unknown', detail: 'no x' })
  assert.equal(opened.length, 0)
})

test('a tunnel outlives its last viewer by a moment, in which another may come', async (t) => {
  const parts = tunnelsFor(t)
  const { held, join } = await openTunnel(parts)
  join(aViewer)
  parts.tick(60_000)
  held.inside[0]?.()
  parts.tick(1_499)
  join(aViewer)
  parts.tick(60_000)

  const before = parts.tunnels.size
  held.inside[1]?.()
  parts.tick(1_500)

  assert.equal(before, 1)
  assert.equal(parts.tunnels.size, 0)
  await until('its end', () => held.isReleased)
  assert.equal(isFault(await openTunnel(parts)), false)
  assert.equal(parts.opened.length, 2)
})

test('with one of two gone it stays', async (t) => {
  const parts = tunnelsFor(t)
  const { held, join } = await openTunnel(parts)
  join(aViewer)
  join(aViewer)

  held.inside[0]?.()
  parts.tick(60_000)

  assert.equal(parts.tunnels.size, 1)
})

test('one that nobody comes to is closed', async (t) => {
  const parts = tunnelsFor(t)
  const { held } = await openTunnel(parts)

  parts.tick(1_500)

  await until('its end', () => held.isReleased)
  assert.equal(parts.tunnels.size, 0)
})

/** What may become of a peer after which nothing of before may go on. */
const CHANGES: Readonly<Record<string, (accessTo: Map<string, PeerWay>) => void>> = {
  'another address': (accessTo) => accessTo.set('b', wayTo('moved')),
  'another certificate': (accessTo) => accessTo.set('b', changed({ fingerprint: 'f' })),
  'another token': (accessTo) => accessTo.set('b', changed({ token: 't' })),
  deleted: (accessTo) => accessTo.delete('b'),
  'its link is lost': (accessTo) => accessTo.set('b', { ...wayTo('b'), state: 'stale' }),
}

const changed = (more: Partial<PeerTarget>): PeerWay => ({ ...wayTo('b'), target: { ...wayTo('b').target, ...more } })

for (const [what, change] of Object.entries(CHANGES))
  test(`what comes from a peer ends with it as it was (${what}), and nothing else does`, async (t) => {
    const parts = tunnelsFor(t)
    const { tunnels, nth, accessTo } = parts
    const { held } = await openTunnel(parts)
    const other = await openTunnel(parts, { ...of, peer_id: 'c' })
    const waiting = tunnels.preview({ ...of, stream_id: 'side' })
    const opening = await nth(2)
    tunnels.review()
    assert.equal(tunnels.size, 3)

    change(accessTo)
    tunnels.review()

    assert.deepEqual(
      [held, opening, other.held].map(({ isReleased }) => isReleased),
      [true, true, false],
    )
    assert.equal(isFault(await waiting), true)
    assert.equal(tunnels.size, 1)
  })

for (const state of ['stale', 'backing-off', 'offline', 'refused', 'dialling', 'synchronising'] as const)
  test(`a tunnel opened while the link is ${state} lasts until it fails or a later link is lost`, async (t) => {
    const parts = tunnelsFor(t)
    const { tunnels, accessTo } = parts
    const become = (next: PeerWay['state']) => {
      accessTo.set('b', { ...wayTo('b'), state: next })
      tunnels.review()
    }
    become(state)

    const { held } = await openTunnel(parts)
    for (const next of [state, 'dialling', 'backing-off', 'greeting', 'offline', 'linked', 'dialling'] as const)
      become(next)
    const lasted = tunnels.size === 1 && !held.isReleased
    become('backing-off')

    await until('its end', () => held.isReleased)
    assert.equal(lasted, true)
    assert.equal(tunnels.size, 0)
  })

test('a tunnel that was opened without a link ends with the peer as it was', async (t) => {
  for (const change of ['another address', 'deleted']) {
    const parts = tunnelsFor(t)
    const { tunnels, accessTo } = parts
    accessTo.set('b', { ...wayTo('b'), state: 'backing-off' })
    const { held } = await openTunnel(parts)

    CHANGES[change]?.(accessTo)
    tunnels.review()

    await until('its end', () => held.isReleased)
    t.mock.timers.reset()
  }
})

const jpeg = { status: 200, headers: { 'content-type': 'image/jpeg' }, body: Buffer.from('ffd8ffd9', 'hex') }

for (const [what, change] of [['as it was', () => {}] as const, ...Object.entries(CHANGES)])
  test(`a picture is shown if the peer is still who was asked (${what})`, async (t) => {
    const { tunnels, accessTo, asked } = tunnelsFor(t)
    const picture = tunnels.picture(of, {})
    const answer = await until('the question', () => asked[0])

    change(accessTo)
    answer?.(jpeg)

    const isSame = ['as it was', 'its link is lost'].includes(what)
    assert.equal(isFault(await picture), !isSame)
  })

test('who asks for a picture that is on its way shares it, and another question is another one', async (t) => {
  const { tunnels, asked } = tunnelsFor(t)
  const ten = Array.from({ length: 10 }, () => tunnels.picture({ ...of }, {}))
  const others = [
    tunnels.picture({ ...of, query: { quality: 60 } }, {}),
    tunnels.picture(of, { 'if-none-match': '"7"' }),
    tunnels.picture({ ...of, peer_id: 'c' }, {}),
  ]
  await until('the questions', () => asked.length === 4)

  for (const answer of asked) answer(jpeg)
  const found = await Promise.all([...ten, ...others])
  const next = tunnels.picture(of, {})
  await until('the next question', () => asked.length === 5)
  asked[4]?.(jpeg)

  for (const each of [...found, await next]) assert.deepEqual(isFault(each) ? each : [...each.bytes], [...jpeg.body])
})

for (const [what, change] of Object.entries(CHANGES))
  test(`a picture that is on its way is not waited for when the peer is not who was asked (${what})`, async (t) => {
    const { tunnels, accessTo, asked, ended } = tunnelsFor(t)
    const pictures = [tunnels.picture(of, {}), tunnels.picture(of, {})]
    await until('the question', () => asked[0])

    change(accessTo)
    tunnels.review()

    if (what === 'its link is lost')
      asked[0]?.(jpeg) // that one may still come
    else await until('the end of the question', () => ended() === 1)
    for (const each of await Promise.all(pictures)) assert.equal(isFault(each), what !== 'its link is lost')
  })

test('whether anything may go on is asked once for each peer, and of none of which nothing comes', async (t) => {
  const parts = tunnelsFor(t)
  const { tunnels, asked, looks } = parts
  await openTunnel(parts)
  await openTunnel(parts, { ...of, query: { fps: 5 } })
  const pictures = [of, { ...of, stream_id: 'side' }, { ...of, peer_id: 'c' }].map((each) => tunnels.picture(each, {}))
  await until('the questions', () => asked.length === 3)
  looks.length = 0

  tunnels.review()

  assert.deepEqual(looks, ['b', 'c'])
  tunnels.closeAll()
  await Promise.all(pictures)
})

test('a lie is entered in the error history with the name of the peer; a mere end is not', async (t) => {
  const parts = tunnelsFor(t)
  const { recorded, tunnels } = parts

  for (const fault of [gone, lied]) {
    const { held } = await openTunnel(parts)
    held.ends(fault)
    await until('its end', () => held.isReleased && tunnels.size === 0)
  }

  assert.deepEqual(recorded, [{ ...lied, resource: 'peers/b' }])
})
