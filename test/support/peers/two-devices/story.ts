// Two devices and the wire between them, through whatever happens: one has a stream, the other sends it orders and
// shows what it knows of it. What must be true all the time and in the end is asked here.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { PEER_REGISTRY } from '../../../../actors/peers/tokens.ts'
import type { Inventory } from '../../../../machines/interdevice/inventory.ts'
import type { PeerRecord } from '../../../../machines/peers/peer-record.ts'
import { type Run, SimulatedDevice } from './device.ts'
import { assertOnce, isFinal, NOT_SENT, Order, PEER, type Said } from './order.ts'
import type { Base, Step } from './steps.ts'
import type { SimulatedTime } from './time.ts'
import { assertToldOnce } from './told.ts'
import { BadWire, GOOD, type Lot } from './wire.ts'

const ORIGIN = 'http://127.0.0.1:5800'
const STREAM = { id: 'front', source: { backend: 'synthetic', width_px: 64, height_px: 64, fps: 1 } } as const
const HEADERS = { host: 'localhost' }

/**
 * Of whoever was silent for longer nothing is said to be so now: 15 s, a ping, and the longest that the wire keeps a
 * byte.
 */
const FRESH_MS = 15_000 + 5_000 + 1_000
const READING_MS = 5_000
const PATIENCE_S = 120

export class Story {
  readonly #time: SimulatedTime
  readonly #wire: BadWire
  readonly source: SimulatedDevice
  readonly receiver: SimulatedDevice
  readonly #orders: Order[] = []
  readonly #underWay = new Set<Promise<void>>()
  #aliases = 0

  /** delayMs: how long every byte is on its way. */
  constructor(time: SimulatedTime, delayMs: number) {
    this.#time = time
    this.#wire = new BadWire(time, delayMs)
    this.source = new SimulatedDevice(time, 'source', this.#wire)
    this.receiver = new SimulatedDevice(time, 'receiver', this.#wire)
  }

  /** Both run, and know one another. */
  async begin(): Promise<void> {
    await this.#start('source')
    await this.#start('receiver')
    await this.#local('add')
    await this.#register()
    await this.#untilAgreed()
    assert.equal(this.#record()?.streams.length, 1)
  }

  async take(step: Step): Promise<void> {
    await this.#do(step)
    await this.#time.turn(step.turns)
    this.#assertHonest()
  }

  /** Everything is well from now on: both agree in the end, and all that was promised holds. */
  async finish(): Promise<void> {
    this.#wire.plug()
    this.#wire.befall(GOOD)
    await this.#start('source')
    await this.#start('receiver')
    await this.#time.pass(1_000) // a peer that is being deleted is gone by then
    await this.#register()
    await this.#untilAgreed()
    while (this.#underWay.size > 0) await this.#time.pass(1_000)
    for (const order of this.#orders.filter(({ hasKey, open }) => hasKey && open > 0)) await this.#sendToTheEnd(order)
    await this.#untilAgreed()
    for (const order of this.#orders) assertOnce(order, this.source.stored, this.#wire.doubles)
    this.#assertOnDisk()
    assertToldOnce(this.source.runs, this.receiver.runs)
  }

  async end(): Promise<void> {
    this.#wire.plug()
    this.#wire.destroy()
    await this.receiver.end()
    await this.source.end()
  }

  async #do(step: Step): Promise<void> {
    switch (step.do) {
      case 'order': {
        const order = new Order(this.#orders.length, step.wish, step.marked, this.#baseOf(step.base))
        this.#orders.push(order)
        return this.#send(order, step)
      }
      case 'again': {
        const order = this.#orders[this.#orders.length - 1 - step.nth]
        return order && this.#send(order, step)
      }
      case 'local':
        return void this.#local(step.wish)
      case 'pass':
        return this.#time.pass(step.ms)
      case 'lot':
        this.#wire.befall(step.lot, step.connections)
        return
      case 'hit':
        return this.#wire.hit(step.bytes, step.how)
      case 'unplug':
        return this.#wire.unplug()
      case 'plug':
        return this.#wire.plug()
      case 'register':
        return void this.#register()
      case 'forget':
        return void this.receiver.run?.app.inject({ method: 'DELETE', url: PEER, headers: HEADERS })
      case 'slow-disk':
        return this.source.slowDisk(step.ms)
      case 'kill':
        this[step.who].kill(step.disk)
        if (step.silently) this.#wire.orphan()
        else this.#wire.hit(0, 'reset')
        if (step.who === 'source') this.#wire.server = null
        return
      case 'start':
        return this.#start(step.who)
    }
  }

  async #start(who: 'source' | 'receiver'): Promise<void> {
    const device = this[who]
    if (device.run) return
    const { app } = await device.start()
    if (who === 'source') this.#wire.server = { accept: (socket) => app.server.emit('connection', socket) }
  }

  async #register(): Promise<void> {
    const { run } = this.receiver
    if (!run || run.fake.directory.settings.getSnapshot().context.documents.peers?.back) return
    const payload = { base_url: ORIGIN, name: 'Back', integration: 'native' }
    let isOver = false
    const asked = run.app.inject({ method: 'POST', url: '/v1/peers', headers: HEADERS, payload }).then(() => {
      isOver = true
    })
    while (!isOver && this.receiver.run === run) await this.#time.pass(100)
    void asked
  }

  async #local(wish: 'rename' | 'delete' | 'add'): Promise<void> {
    const { run } = this.source
    if (!run) return
    const isThere = run.fake.streams.get('front') !== undefined
    const done =
      wish === 'delete'
        ? isThere && run.fake.drop('front')
        : (wish === 'add' || isThere) && run.fake.put({ ...STREAM, alias: `local-${this.#aliases++}` })
    await Promise.resolve(done).catch(() => {}) // it was killed, or is too slow: nobody was promised anything
  }

  #baseOf(base: Base): number | undefined {
    if (base === 'none') return undefined
    const shown = this.#record()?.streams[0]?.revision ?? 1
    return base === 'shown' ? shown : Math.max(1, shown - 1)
  }

  #send(order: Order, { heard, lot }: { readonly heard: boolean; readonly lot: Lot }): void {
    const { run } = this.receiver
    if (!run) return
    if (lot !== GOOD) this.#wire.befall(lot)
    order.sends += 1
    order.open += 1
    if (lot.doubledMs !== null) order.mayBeDoubled = true
    const asked = run.app.inject({ ...order.request, headers: HEADERS }).then(({ statusCode, body, headers }) => {
      if (!heard || this.receiver.run !== run) return
      const said = (body === '' ? {} : JSON.parse(body)) as Said
      const { code } = said
      const revision = said.new_revision ?? said.pipeline_revision ?? Number(String(headers.etag).replaceAll('"', ''))
      order.answers.push({ status: statusCode, code, body, revision })
      if (isFinal(statusCode) || NOT_SENT.includes(code)) order.open -= 1
    })
    const underWay = asked.finally(() => this.#underWay.delete(underWay))
    this.#underWay.add(underWay)
  }

  /** As a client does who wants to know: again and again, until it is told. */
  async #sendToTheEnd(order: Order): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      assert.ok(
        tries < 20,
        `nobody says what became of ${JSON.stringify(order.request)}: ${JSON.stringify(order.answers)}`,
      )
      const count = order.answers.length
      this.#send(order, { heard: true, lot: GOOD })
      while (order.answers.length === count) await this.#time.pass(100)
      if (isFinal(order.answers.at(-1)?.status ?? 0)) return
    }
  }

  #record(): PeerRecord | undefined {
    return this.receiver.run?.fake.resolve(PEER_REGISTRY).get('back')?.record()
  }

  async #inventory(): Promise<Inventory> {
    const { app } = this.source.run as Run
    const answer = await app.inject({ method: 'GET', url: '/v1/interdevice/resources', headers: HEADERS })
    return answer.json()
  }

  async #untilAgreed(): Promise<void> {
    for (let seconds = 0; ; seconds += 1) {
      await this.#time.pass(1_000)
      const record = this.#record()
      const both = { status: record?.status, stale: record?.stale, ...knownOf(record) }
      const { device_id: _, epoch: __, seq: ___, ...has } = await this.#inventory()
      const agreed = { status: 'linked', stale: false, ...has }
      if (isDeepStrictEqual(both, agreed)) return
      if (seconds === PATIENCE_S) assert.deepEqual(both, agreed, 'all is well, and they do not agree')
    }
  }

  /** What is shown was so, as late as is said; what is not stale is so. */
  #assertHonest(): void {
    const record = this.#record()
    if (!record) return
    const { synced_at_ms: synced, stale, streams, health } = record
    const now = this.#time.nowMs()
    assert.ok((health.last_seen_ms ?? 0) <= now && (synced ?? 0) <= now, 'nothing was heard in the future')
    assert.ok(stale || synced !== null, 'what nobody has read is stale')
    if (synced === null) return
    const shown = streams.map(({ id, revision }) => `${id} ${revision}`).join()
    const readMs = this.#time.passedMs - (now - synced)
    const was = (fromMs: number, toMs: number) => this.#shownBetween(fromMs, toMs).has(shown)
    assert.ok(was(readMs - READING_MS, readMs), `${shown} was not so when it is said to have been read`)
    const told = this.#lastTold()
    if (!stale && told !== undefined)
      assert.ok(
        streams.every(({ revision }) => revision >= told),
        `${told} was told, and ${shown} is said to be so`,
      )
    if (!stale)
      assert.ok(was(this.#time.passedMs - FRESH_MS, this.#time.passedMs), `${shown} is said to be so, and is not`)
  }

  /** The newest revision that was told since the peer was registered. */
  #lastTold(): number | undefined {
    const { events = [] } = this.receiver.run ?? {}
    const last = events.findLast(
      ({ kind, resource_ref }) => kind === 'peer_changed' || (kind === 'stream_changed' && 'peer_id' in resource_ref),
    )
    return last?.kind === 'stream_changed' ? (last.revision ?? undefined) : undefined
  }

  /** What the source had at any time in between. */
  #shownBetween(fromMs: number, toMs: number): ReadonlySet<string> {
    const found = new Set<string>()
    let [now, sinceMs] = ['', 0]
    for (const { collection, id, revision, value, atMs } of this.source.stored) {
      if (collection !== 'streams') continue
      if (sinceMs <= toMs && atMs >= fromMs) found.add(now)
      now = value === undefined ? '' : `${id} ${revision}`
      sinceMs = atMs
    }
    if (sinceMs <= toMs) found.add(now)
    return found
  }

  /** Who starts again finds all that was stored. */
  #assertOnDisk(): void {
    const last = this.source.stored.findLast(({ collection, id }) => collection === 'streams' && id === 'front')
    const now = this.source.run?.fake.streams.get('front')
    assert.deepEqual(now?.stored.value, last?.value)
    if (last?.value !== undefined) assert.equal(now?.stored.revision, last.revision)
  }
}

/** What a record says of what the other device has. */
const knownOf = (record: PeerRecord | undefined) => {
  const { streams = [], pipelines, localization_outputs, rig } = record ?? {}
  const plain = streams.map(({ origin: _, compute: __, ...stream }) => stream)
  return { streams: plain, pipelines, localization_outputs, rig }
}
