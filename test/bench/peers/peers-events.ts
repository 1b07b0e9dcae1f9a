// How long an event takes from the device where it happens to somebody who listens to another, against two bare hops of
// `ws` in the same seconds: two services as they are started, the second of which has the first as a peer. The camera
// of a stream of the first, which does not run, is placed again each time.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { poseExample } from '../../../api/stream/wire.ts'
import { epochUs } from '../../../native/clock/system.ts'
import { addStream, type Daemon, startDaemon } from '../lab/daemon.ts'
import { type Measurement, start } from '../lab/lab.ts'
import { linkTo } from '../lab/linked.ts'
import { quantile, rowsOver } from '../lab/row.ts'

const ROUNDS = Number(process.env.VEDETTE_BENCH_ROUNDS ?? 5)
const EVENTS = 200 // of a round
const WARM_UP_EVENTS = 60
const EVERY_MS = 50
const SETTLE_MS = 1_000 // the last of them has arrived
const HOPS = new URL('peers-hops.ts', import.meta.url).pathname

/** How long events took, ms. lost: that did not come. */
interface Round {
  readonly ours: readonly number[]
  readonly bare: readonly number[]
  readonly lost: number
}

export const eventHops: Measurement = async (lab) => {
  const [source, receiver] = [
    await startDaemon(lab, { dataDir: join(lab.folder, 'source'), nt4: 'off' }),
    await startDaemon(lab, { dataDir: join(lab.folder, 'receiver'), nt4: 'off' }),
  ]
  await addStream(source, { id: 'front', source: { backend: 'url', url: 'http://127.0.0.1:9/' }, enabled: false })
  await linkTo(receiver, [source.url])
  const bareSource = start(lab, process.execPath, [HOPS, 'source', String(EVERY_MS)])
  const relay = start(lab, process.execPath, [HOPS, 'relay', await bareSource.line()])

  const happened = new Map<unknown, number>()
  const [ours, bare] = [new Map<unknown, number>(), new Map<unknown, number>()]
  const listen = async (url: string, heard: (event: Heard) => void): Promise<void> => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    lab.defer(() => socket.terminate())
    socket.on('message', (message) => heard(JSON.parse(String(message)) as Heard))
    await once(socket, 'open')
  }
  await listen(eventsOf(source), ({ kind, revision, timestamp_ms }) => {
    if (kind === 'stream_changed') happened.set(revision, timestamp_ms)
  })
  await listen(eventsOf(receiver), ({ kind, revision, resource_ref }) => {
    if (kind === 'stream_changed' && resource_ref?.peer_id !== undefined) ours.set(revision, epochUs() / 1000)
  })
  await listen(await relay.line(), ({ n, timestamp_ms }) => bare.set(n, epochUs() / 1000 - timestamp_ms))

  const rounds: Round[] = []
  for (let round = -1; round < ROUNDS; round++) {
    for (const each of [happened, ours, bare]) each.clear()
    await place(source, round < 0 ? WARM_UP_EVENTS : EVENTS)
    await delay(SETTLE_MS)
    const found = [...happened].map(([revision, atMs]) => (ours.get(revision) ?? Number.NaN) - atMs)
    const came = found.filter((ms) => !Number.isNaN(ms))
    if (round >= 0) rounds.push({ ours: came, bare: [...bare.values()], lost: EVENTS - came.length })
    lab.say(`events: ${quantile(came, 0.5).toFixed(2)} ms, bare ${quantile([...bare.values()], 0.5).toFixed(2)} ms`)
  }
  return rowsOf(rounds)
}

/** As much of a message as is looked at. */
interface Heard {
  readonly kind: string
  readonly revision: number | null
  readonly timestamp_ms: number
  readonly resource_ref?: { readonly peer_id?: string }
  readonly n?: number
}

const eventsOf = ({ url }: Daemon): string => `${url.replace('http', 'ws')}/v1/events`

const place = async ({ url }: Daemon, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    const next = delay(EVERY_MS)
    const response = await fetch(`${url}/v1/streams/front/pose`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...poseExample, yaw_deg: n % 90 }),
    })
    if (!response.ok) throw new Error(`the stream is not changed: ${await response.text()}`)
    await response.arrayBuffer()
    await next
  }
}

const rowsOf = (rounds: readonly Round[]) => {
  const row = rowsOver(rounds, `${rounds.length} rounds of ${EVENTS} events`)
  const above = (q: number) => (round: Round) => quantile(round.ours, q) - quantile(round.bare, q)
  return [
    row('an event at a peer to a subscriber here, above two bare hops of ws, p50', 'ms', above(0.5), { atMost: 2 }),
    row('  the same, p99', 'ms', above(0.99), { atMost: 10 }),
    row('  ours, p50', 'ms', ({ ours }) => quantile(ours, 0.5)),
    row('  ours, p99', 'ms', ({ ours }) => quantile(ours, 0.99)),
    row('  two bare hops, p50', 'ms', ({ bare }) => quantile(bare, 0.5)),
    row('  two bare hops, p99', 'ms', ({ bare }) => quantile(bare, 0.99)),
    {
      ...row('  events that did not come', '', ({ lost }) => lost, { atMost: 0 }),
      measured: Math.max(...rounds.map(({ lost }) => lost)),
    },
  ]
}
