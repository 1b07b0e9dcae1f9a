// What a thousand cost a device that listen to its events as other devices do, against `ws` that sends as many of the
// same readers the same bytes, turn about; whether each hears of every event, once and in order; what is left of it in
// memory; and what becomes of the others when one of them reads nothing any more. Of both sides it is what they use
// above one of the same kind to which the same happens in the same seconds and nobody listens: what a change costs by
// itself, from its request to the disk, is no subscriber's. Pings are: both ping each 5 s.
//
// VEDETTE_BENCH_SUBSCRIBERS, VEDETTE_BENCH_SECONDS, VEDETTE_BENCH_ROUNDS: others, for trying.

import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { builtProgram } from '../bare/build.ts'
import { ChangingStream } from '../lab/changing-stream.ts'
import { addStream, getJson, startDaemon } from '../lab/daemon.ts'
import { HEAP_PROBE, heapMb } from '../lab/heap.ts'
import { type Helper, type Lab, type Measurement, start } from '../lab/lab.ts'
import { callsToWrite, processCpuUs, rssMb } from '../lab/processes.ts'
import { agreed, type Row, rowsOver, worst } from '../lab/row.ts'
import { isKept } from '../lab/tcp.ts'

const SUBSCRIBERS = Number(process.env.VEDETTE_BENCH_SUBSCRIBERS ?? 1_000)
const SECONDS = Number(process.env.VEDETTE_BENCH_SECONDS ?? 10) // whole pings
const ROUNDS = Number(process.env.VEDETTE_BENCH_ROUNDS ?? 6)
const RATE = 100
const WARM_UP_ROUNDS = 2
const SETTLE_MS = 1_000 // until the last of them has what it was sent
const STALLED_SECONDS = 30 // of one who answers none of three pings nothing is left after 20
const PATH = '/v1/interdevice/events'
const SENDER = new URL('event-sender.ts', import.meta.url).pathname

export const eventSubscribers: Measurement = async (lab) => {
  const { ours, ...service } = await serviceSide(lab)
  const bare = await bareSide(lab, service.epoch)
  const turns: Turn[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? await heardOf(ours) : undefined
    const theirs = await heardOf(bare)
    const turn = { ours: first ?? (await heardOf(ours)), bare: theirs }
    if (round >= 0) turns.push(turn)
    if (round >= -1) await service.noteMemory()
    lab.say(`of an event and subscriber ${said(turn.ours)}; bare ${said(turn.bare)}`)
  }
  const calm = await heardOf(ours, STALLED_SECONDS)
  const stalled = await withOneStalled(lab, ours, service.url)
  lab.say(`one that reads nothing: ${said(stalled.others)}; cut off after ${stalled.cutOffAfterS?.toFixed(1)} s`)
  return [...rowsOf(turns), ...memoryRows(service.noted), ...stalledRows(calm, stalled)]
}

/**
 * A server with all subscribers, and one of the same kind that has none. happen: so many events at both, RATE in a
 * second; resolves to how many there were.
 */
interface Side {
  readonly watched: { readonly pid: number }
  readonly alone: { readonly pid: number }
  readonly crowd: Helper
  readonly happen: (count: number) => Promise<number>
}

/** Of a service with subscribers above one without, once nobody uses what they have used: MB. */
interface Memory {
  readonly heapMb: number
  readonly rssMb: number
}

/** noted: the memory each time that noteMemory was called. */
interface Service {
  readonly ours: Side
  readonly url: string
  readonly epoch: string
  readonly noted: readonly Memory[]
  readonly noteMemory: () => Promise<void>
}

const serviceSide = async (lab: Lab): Promise<Service> => {
  const started = async (name: string) => {
    const heapFile = join(lab.folder, `${name}-heap`)
    const daemon = await startDaemon(lab, {
      dataDir: join(lab.folder, name),
      nt4: 'off',
      nodeOptions: `--import ${HEAP_PROBE}`,
      env: { VEDETTE_BENCH_HEAP: heapFile },
    })
    await addStream(daemon, { id: 'front', source: { backend: 'synthetic' }, enabled: false })
    const stream = new ChangingStream(daemon, 'front')
    lab.defer(() => stream.end())
    return { daemon, stream, heap: () => heapMb(daemon, heapFile) }
  }
  const [watched, alone] = [await started('watched'), await started('alone')]
  const happen = async (count: number) => {
    const [changed] = await Promise.all([watched, alone].map(({ stream }) => stream.change({ rate: RATE, count })))
    return changed as number
  }
  const noted: Memory[] = []
  const noteMemory = async () => {
    const heaps = [await watched.heap(), await alone.heap()] as const
    const rss = rssMb(watched.daemon.pid) - rssMb(alone.daemon.pid)
    noted.push({ heapMb: heaps[0] - heaps[1], rssMb: rss })
  }
  const before = rssMb(watched.daemon.pid) - rssMb(alone.daemon.pid)
  lab.say(`before anybody listens they differ by ${before.toFixed(1)} MB`)
  const { url } = watched.daemon
  const { epoch } = await getJson<{ epoch: string }>(`${url}/v1/interdevice/resources`)
  const crowd = await crowdAt(lab, new URL(url).port)
  return { ours: { watched: watched.daemon, alone: alone.daemon, crowd, happen }, url, epoch, noted, noteMemory }
}

const bareSide = async (lab: Lab, epoch: string): Promise<Side> => {
  const [watched, alone] = [
    start(lab, process.execPath, [SENDER, epoch]),
    start(lab, process.execPath, [SENDER, epoch]),
  ]
  const [port] = [await watched.line(), await alone.line()]
  const happen = async (count: number) => {
    for (const sender of [watched, alone]) sender.tell(`${RATE} ${count}`)
    for (const sender of [watched, alone]) await sender.line()
    return count
  }
  return { watched, alone, crowd: await crowdAt(lab, port), happen }
}

const crowdAt = async (lab: Lab, port: string): Promise<Helper> => {
  const crowd = start(lab, await builtProgram('listen'), [port, PATH, String(SUBSCRIBERS)])
  await crowd.line()
  return crowd
}

/** What a crowd has heard since the last time, as `listen` tells it. */
interface Told {
  readonly open: number
  readonly events: number
  readonly least: number
  readonly most: number
  readonly disordered: number
  readonly bytes: number
  readonly closed: number
  readonly p50_us: number
  readonly p99_us: number
  readonly worst_us: number
}

/** One round of a side. */
interface Heard extends Told {
  /** Of CPU, for one event and subscriber. */
  readonly us: number
  /** Calls of the kernel, for the same. */
  readonly writes: number
  /** Events in a second. missing, disordered: of all; closed: subscribers. */
  readonly rate: number
  readonly missing: number
}

interface Turn {
  readonly ours: Heard
  readonly bare: Heard
}

const heardOf = async ({ watched, alone, crowd, happen }: Side, seconds = SECONDS): Promise<Heard> => {
  await toldBy(crowd)
  const above = (read: (pid: number) => number) => read(watched.pid) - read(alone.pid)
  const [us, writes, startMs] = [above(processCpuUs), above(callsToWrite), performance.now()]
  const events = await happen(RATE * seconds)
  const tookS = (performance.now() - startMs) / 1000
  await delay(SETTLE_MS)
  const used = { us: above(processCpuUs) - us, writes: above(callsToWrite) - writes }
  const told = await toldBy(crowd)
  if (told.events === 0) throw new Error('nobody hears of anything')
  return {
    ...told,
    us: used.us / told.events,
    writes: used.writes / told.events,
    rate: events / tookS,
    missing: events * SUBSCRIBERS - told.events,
  }
}

const toldBy = async (crowd: Helper): Promise<Told> => {
  crowd.tell('')
  return JSON.parse(await crowd.line()) as Told
}

interface Stalled {
  /** What the subscribers have heard meanwhile. */
  readonly others: Heard
  /** Until the one that reads nothing has no connection any more; undefined: it had one to the end. */
  readonly cutOffAfterS: number | undefined
}

/** One more who listens and reads nothing, no pings either: it does not take what fills the buffers of the kernel. */
const withOneStalled = async (lab: Lab, side: Side, url: string): Promise<Stalled> => {
  const { host, port } = new URL(url)
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const socket = connect(Number(port), '127.0.0.1').pause()
  socket.on('error', () => {})
  lab.defer(() => socket.destroy())
  socket.write(`${[`GET ${PATH} HTTP/1.1`, `Host: ${host}`, ...upgrade, key].join('\r\n')}\r\n\r\n`)
  await delay(SETTLE_MS)
  const startMs = performance.now()
  let cutOffAfterS: number | undefined
  const look = setInterval(() => {
    if (cutOffAfterS === undefined && !isKept(socket.localPort as number))
      cutOffAfterS = (performance.now() - startMs + SETTLE_MS) / 1000
  }, 100)
  const others = await heardOf(side, STALLED_SECONDS)
  clearInterval(look)
  socket.destroy()
  return { others, cutOffAfterS }
}

const MS = 1e-3 // per microsecond

const said = ({ us, rate, missing, disordered, closed, p50_us, p99_us }: Heard): string =>
  oneLine`
    ${us.toFixed(2)} µs, ${rate.toFixed(0)} events a second, ${missing} missing, ${disordered} out of order, ${closed}
    closed, ${(p50_us * MS).toFixed(1)} and ${(p99_us * MS).toFixed(1)} ms late
  `

const rowsOf = (turns: readonly Turn[]): Row[] => {
  const row = rowsOver(turns, `${turns.length} rounds of ${SECONDS} s, ${SUBSCRIBERS} subscribers`)
  const none = (what: string, of: (turn: Turn) => number) => worst(row(what, '', of, { atMost: 0 }))
  return [
    agreed(
      row(
        oneLine`
          CPU of a device for an event and subscriber, ${SUBSCRIBERS} of them and ${RATE} events a second, against bare
          ws that sends the same
        `,
        '',
        ({ ours, bare }) => ours.us / bare.us,
        { atMost: 1.1 },
      ),
    ),
    row('  ours', 'µs', ({ ours }) => ours.us),
    row('  bare ws', 'µs', ({ bare }) => bare.us),
    row('  calls that write, for an event and subscriber, ours', '', ({ ours }) => ours.writes),
    row('  the same, bare ws', '', ({ bare }) => bare.writes),
    row(
      '  CPU for such a call, ours against bare ws',
      '',
      ({ ours, bare }) => ours.us / ours.writes / (bare.us / bare.writes),
    ),
    row('  events in a second, ours', '', ({ ours }) => ours.rate, { atLeast: 0.95 * RATE }),
    row('  the same, bare ws', '', ({ bare }) => bare.rate, { atLeast: 0.95 * RATE }),
    none('  events that somebody does not hear of, or more than once', ({ ours }) =>
      Math.max(Math.abs(ours.missing), ours.most - ours.least),
    ),
    none('  events out of order', ({ ours }) => ours.disordered),
    none('  subscribers that were cut off', ({ ours }) => ours.closed + SUBSCRIBERS - ours.open),
    none('  the same three of bare ws', ({ bare }) => Math.abs(bare.missing) + bare.disordered + bare.closed),
    row('  from the event to a subscriber, p50, ours', 'ms', ({ ours }) => ours.p50_us * MS),
    row('  the same, bare ws', 'ms', ({ bare }) => bare.p50_us * MS),
    row('  p99, ours', 'ms', ({ ours }) => ours.p99_us * MS),
    row('  the same, bare ws', 'ms', ({ bare }) => bare.p99_us * MS),
    row('  bytes of a message, ours above bare ws', '', ({ ours, bare }) => bytesOf(ours) - bytesOf(bare)),
  ]
}

/** With its frame, and a little for pings. */
const bytesOf = ({ bytes, events }: Heard): number => bytes / events

const memoryRows = (noted: readonly Memory[]): Row[] => {
  const [first, middle, last] = [0, Math.floor(noted.length / 2), noted.length - 1].map((n) => noted[n] as Memory) as [
    ...[Memory, Memory, Memory],
  ]
  const from = `${ROUNDS} rounds of ${SECONDS} s, above a service to which the same happens without subscribers`
  const one = (what: string, measured: number, figure?: Row['figure']): Row => ({
    what,
    unit: 'MB',
    measured,
    low: measured,
    high: measured,
    from,
    ...(figure && { figure }),
  })
  return [
    one('  what the rounds leave on the heap', last.heapMb - first.heapMb, { atMost: 0.5 }),
    one('  growth of memory (RSS) in the rounds', last.rssMb - first.rssMb),
    one('  the same, in the second half of them', last.rssMb - middle.rssMb),
    one(`  memory of ${SUBSCRIBERS} subscribers (RSS)`, last.rssMb),
  ]
}

const stalledRows = (calm: Heard, { others, cutOffAfterS }: Stalled): Row[] => {
  const from = `${STALLED_SECONDS} s, and as many without`
  const one = (what: string, unit: string, measured: number, figure?: Row['figure']): Row => ({
    what,
    unit,
    measured,
    low: measured,
    high: measured,
    from,
    ...(figure && { figure }),
  })
  const lost = Math.abs(others.missing) + others.disordered + others.closed + SUBSCRIBERS - others.open
  return [
    one(
      'one more subscriber that reads nothing: events that others miss or get out of order, and others cut off',
      '',
      lost,
      {
        atMost: 0,
      },
    ),
    one('  how much later the others hear of an event, p50', 'ms', (others.p50_us - calm.p50_us) * MS),
    one('  the same, p99', 'ms', (others.p99_us - calm.p99_us) * MS),
    one('  until it is cut off, since it answers no pings', 's', cutOffAfterS ?? Number.NaN, { atMost: 21 }),
  ]
}
