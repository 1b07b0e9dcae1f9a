// An engine process: one camera, one plan, and the wire to the control process on descriptor 3. It ends with its wire, so it never outlives its parent.
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type { EngineEvent, EngineOpened } from '../port.ts'
import { FrameReader, MAX_ORDER_BYTES } from '../protocol/frames.ts'
import type { Order } from '../protocol/orders.ts'
import { badOrder, readOrder } from '../protocol/orders.ts'
import { Layouts, layoutOf, resultBytes, sentLayout } from '../protocol/results.ts'
import { loadAddon, type NativeStream, type ViewerLeft } from './addon.ts'
import { ControlAsks } from './camera-questions.ts'
import type { HostedPlan, Hosts } from './host/hosts.ts'
import { isHosted } from './host/modules.ts'
import { LIBAV_PATH } from './libav.ts'
import { QuietWatch } from './no-result-timer.ts'
import type { Recordings } from './recordings.ts'
import { ReportOutbox } from './report-outbox.ts'
import { SightMaker } from './table-frames.ts'
import { toFault } from './to-fault.ts'
import { TriedPlan } from './tried-plan.ts'
import { Video } from './video.ts'
import { takeViewers } from './viewer-sockets.ts'

const WIRE_FD = 3
const CLOSE_LIMIT_MS = 500 // a driver that does not let go is left to the kernel

const { Stream, hosts: nativeHosts } = loadAddon()
const socket = new Socket({ fd: WIRE_FD, readable: true, writable: true })
const outbox = new ReportOutbox(socket)

const stream: NativeStream = new Stream(
  (
    type: 'result' | 'result-in-turn' | 'picture' | 'notice' | 'viewer-left',
    value: Uint8Array | Picture | EngineEvent | ViewerLeft,
  ) => {
    if (type === 'result') outbox.sendLatest('result', { type }, withSighting(value as Uint8Array))
    else if (type === 'result-in-turn')
      outbox.sendInTurn({ type: 'result' }, withSighting(value as Uint8Array), () => stream.resultLeft())
    else if (type === 'notice') notice(value as EngineEvent)
    else if (type === 'viewer-left') outbox.send({ type, ...(value as ViewerLeft) })
    else {
      const { jpeg, ...picture } = value as Picture
      outbox.sendLatest(`picture ${picture.key}`, { type, picture }, jpeg)
    }
  },
)

const layouts = new Layouts()

const sights = new SightMaker(layouts, (fault) => warn(fault))

const quiet = new QuietWatch(() => outbox.send({ type: 'quiet' }))

const withSighting = (data: Uint8Array): Uint8Array => {
  quiet.sent()
  return resultBytes(data, sights.of(data))
}

const notice = (event: EngineEvent): void => {
  if (event.type === 'lost') recordings?.cut()
  outbox.send({ type: 'event', event })
}

const REWIND_TOLD_EVERY_MS = 1_000
let rewindTimer: NodeJS.Timeout | undefined

/** Tells what is kept of the last pictures, now and each second as long as there is something to be kept. */
const tellRewind = (): void => {
  const kept = stream.rewindKept()
  notice({ type: 'rewind', kept })
  clearTimeout(rewindTimer)
  rewindTimer = kept === null ? undefined : setTimeout(tellRewind, REWIND_TOLD_EVERY_MS).unref()
}

let opened: EngineOpened | undefined
let hasTruth = false
let recordings: Recordings | undefined // what it takes to record is loaded with the first order to do so

let hosts: Hosts | undefined // loaded with the first plan that JavaScript does steps of

/** What is done by workers has them while it is made, and does not lose them before. */
const hosted = async (ask: number, plan: Plan, make: (hosted: HostedPlan) => Promise<void>): Promise<void> => {
  const begin = (ready: HostedPlan): Promise<void> => {
    outbox.send({ type: 'began', ask })
    return make(ready)
  }
  if (!hosts && !isHosted(plan)) return begin({ plan, labels: new Map(), adopt: () => {} })
  hosts ??= new (await import('./host/hosts.ts')).Hosts(nativeHosts)
  return hosts.during(plan, begin)
}

type OpenOrder = Extract<Order, { readonly type: 'open' }>

const open = async ({ ask, task }: OpenOrder, { labels, adopt, plan: native }: HostedPlan): Promise<void> => {
  const { has_truth, plan, ...found } = await stream.open({ ...task, plan: native, video_library: LIBAV_PATH })
  adopt()
  hasTruth = has_truth
  const layout = layouts.set(plan, layoutOf(task.plan, hasTruth, labels))
  opened = { ...found, layout }
  recordings?.opened(opened)
  outbox.clear()
  sights.opened(task, opened)
  outbox.send({ type: 'opened', ask, opened: found, plan, layout: sentLayout(layout) })
  if (task.sightings) quiet.start()
  else quiet.stop()
}

const openAnew = (order: OpenOrder): Promise<void> => {
  opened = undefined
  return hosted(order.ask, order.task.plan, (plan) => open(order, plan))
}

const tried = new TriedPlan(() => stream.dropTried())

const tryPlan = async ({ ask }: PlanOrder, { plan: native }: HostedPlan): Promise<void> => {
  tried.drop()
  await stream.setPlan(native, true)
  tried.keep(native)
  outbox.send({ type: 'answer', ask })
}

/** The other process hears of it before it gets the first result. */
const setPlan = async ({ ask, plan }: PlanOrder, { labels, adopt, plan: native }: HostedPlan): Promise<void> => {
  const number = (tried.take(native) && stream.runTried()) || (await stream.setPlan(native))
  adopt()
  const layout = layouts.set(number, layoutOf(plan, hasTruth, labels))
  outbox.send({ type: 'planned', ask, plan: number, layout: sentLayout(layout) })
}

const change = (order: PlanOrder, plan: HostedPlan): Promise<void> =>
  order.is_trial ? tryPlan(order, plan) : setPlan(order, plan)

const DEFAULT_FPS = 30 // until a camera says how many it gives

const video = new Video({
  stream,
  send: ({ bytes, ...packet }) => outbox.sendIfRoom({ type: 'video', packet }, bytes),
  fail: (fault) => notice({ type: 'video-failed', fault }),
})

let changes: Promise<void> = Promise.resolve()

/** Openings, plans and parameters come one after the other: those of a plan that is still being made wait for it. Pings are answered meanwhile. */
const inTurn = (make: () => Promise<void> | void, failed: (fault: Fault) => void): void => {
  changes = changes.then(make).catch((error) => failed(toFault(error)))
}

const answeredInTurn = (ask: number, make: () => Promise<void>): void =>
  inTurn(make, (fault) => outbox.send({ type: 'answer', ask, fault }))

const controls = new ControlAsks(stream)

const SLOW: readonly string[] = ['record-start', 'record-stop', 'controls', 'set-control']
type SlowOrder = Extract<Order, { readonly type: 'record-start' | 'record-stop' | 'controls' | 'set-control' }>
type PlanOrder = Extract<Order, { readonly type: 'plan' }>
type RecordOrder = Extract<Order, { readonly type: 'record-start' | 'record-stop' }>

const record = async (order: RecordOrder): Promise<unknown> => {
  recordings ??= new (await import('./recordings.ts')).Recordings({ stream, layouts, tell: notice })
  return order.type === 'record-start' ? recordings.start(order, opened) : recordings.stop()
}

const isSlow = (order: Order): order is SlowOrder => SLOW.includes(order.type)

const doSlowly = async (order: SlowOrder): Promise<unknown> => {
  if (order.type === 'controls') return JSON.parse(await controls.list())
  if (order.type === 'set-control') return JSON.parse(await controls.set(order.id, order.value))
  return record(order)
}

/** None of them waits for a camera that is being opened, and nothing else waits for them. */
const answerTo = async (order: SlowOrder): Promise<void> => {
  const { ask } = order
  const value = await doSlowly(order).catch(toFault)
  outbox.send({ type: 'answer', ask, ...(isFault(value) ? { fault: value } : { value }) })
}

/** Throws what an order without an answer could not be carried out for. */
const carryOut = (order: Order, bytes: Uint8Array | undefined): void => {
  if (order.type === 'open') answeredInTurn(order.ask, () => openAnew(order))
  else if (order.type === 'plan')
    answeredInTurn(order.ask, () => hosted(order.ask, order.plan, (plan) => change(order, plan)))
  else if (order.type === 'params') inTurn(() => stream.setParams(order.steps), warn)
  else if (order.type === 'ping') outbox.send({ type: 'answer', ask: order.ask, value: stream.pulse() })
  else if (isSlow(order)) answerTo(order)
  else if (order.type === 'picture-kinds') stream.setPictureKinds(order.kinds)
  else if (order.type === 'viewer-start') stream.startViewer(order.viewer, order.look)
  else if (order.type === 'viewer-drop') stream.dropViewer(order.viewer)
  else if (order.type === 'video') video.set(order.wanted, opened?.fps ?? DEFAULT_FPS)
  else if (order.type === 'video-key') video.wantKey()
  else if (order.type === 'rewind') {
    stream.setRewind(order.max_bytes, order.is_paused)
    tellRewind()
  } else if (order.type === 'placeholder') stream.showInstead(bytes ?? new Uint8Array(0), order.output)
  else if (order.type === 'heading') stream.addHeading(order.heading)
  else if (order.type === 'source-clock') stream.setSourceClock(order.clock)
  else if (order.type === 'live') {
    stream.setLive(order.live)
    sights.setLive(order.live)
  } else if (order.type === 'mount') {
    stream.setMount(order.mount)
    sights.setMount(order.mount)
  }
}

const warn = (fault: Fault): void => outbox.send({ type: 'event', event: { type: 'warned', fault, count: 1 } })

/** Whatever the order is, it is carried out, answered with a fault, or reported; an engine does not die of what it is told. */
const obey = (message: unknown, bytes?: Uint8Array): void => {
  const read = readOrder(message)
  try {
    if (read.ok) carryOut(read.order, bytes)
    else if (read.ask === undefined) warn(badOrder(read.why))
    else outbox.send({ type: 'answer', ask: read.ask, fault: badOrder(read.why) })
  } catch (error) {
    warn(toFault(error))
  }
}

const end = (): void => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_LIMIT_MS)
  video.end()
  hosts?.end()
  Promise.all([changes.then(() => stream.close()), recordings?.stop()]).finally(() => process.exit(0))
}

// A terminal's Ctrl-C and a service manager's stop reach every process at once; the control process decides when an engine ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const reader = new FrameReader<Order>(obey, (error) => warn(badOrder(error.message)), MAX_ORDER_BYTES)
socket.on('data', (chunk) => reader.push(chunk))
socket.on('error', () => {}) // the control process is gone; `close` follows
socket.once('close', end)
takeViewers(stream, (report) => outbox.send(report))
outbox.send({ type: 'ready' })
flushCompileCache()
