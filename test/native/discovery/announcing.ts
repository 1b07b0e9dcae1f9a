// Two devices in two networks that a cable joins, neither with a route to anywhere else: what they hear of each other,
// printed as JSON. Run by dns-sd.test.ts in a network of its own; with the word `other` it is the other device, which
// does what it is told on its standard input.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { createInterface } from 'node:readline'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Announced, Received } from '../../../machines/discovery/announcement.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { bonjourDnsSd } from '../../../native/discovery/bonjour.ts'
import type { DnsSd, DnsSdListener } from '../../../native/discovery/port.ts'
import { until } from '../../support/until.ts'

const port = bonjourDnsSd()
const deaf: DnsSdListener = { heard: () => {}, gone: () => {} }

const announcedAs = (name: string): Announced => ({ name, port: 5800, txt: { id: `id of ${name}`, v: '1.0' } })

const ip = (...words: string[]): void => {
  const { status, stderr } = spawnSync('ip', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`)
}

const opened = async (announced: Announced | null, listener: DnsSdListener) => {
  const scope = Scope.makeUnsafe()
  const run = <Value, Failure>(effect: Effect.Effect<Value, Failure, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(effect, scope))
  const addresses = await run(port.addresses)
  const dnsSd: DnsSd = await run(port.open(addresses, announced, listener))
  return { addresses, dnsSd, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

const other = async (): Promise<void> => {
  let close = async () => {}
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'connect') {
      ip('address', 'add', '10.99.0.2/24', 'dev', 'vb')
      ip('link', 'set', 'vb', 'up')
    }
    if (line === 'open') ({ close } = await opened(announcedAs('other'), deaf))
    if (line === 'close') await close()
    process.stdout.write(`${line}\n`)
  }
}

const one = async (): Promise<void> => {
  const child = spawn('unshare', ['--net', process.execPath, import.meta.filename, 'other'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const tell = teller(child)
  await tell('hello') // now it has its network
  ip('link', 'set', 'vb', 'netns', String(child.pid))
  await tell('connect')

  const there = new Map<unknown, Received>()
  const listener: DnsSdListener = {
    heard: (received) => void there.set(received.name, received),
    gone: ({ name }) => void there.delete(name),
  }
  const { addresses, dnsSd, close } = await opened(announcedAs('one'), listener)
  const hears = (name: string, isThere: boolean) =>
    until(`${name} ${isThere ? 'there' : 'gone'}`, () => {
      dnsSd.ask()
      return there.has(name) === isThere
    })
  await tell('open')
  await hears('other', true)
  await hears('one', true)
  const heard = there.get('other')

  shout()
  there.clear()
  await hears('other', true)

  await tell('close')
  await until('a goodbye', () => !there.has('other'))
  await tell('open')
  await hears('other', true)
  child.kill('SIGSTOP') // as one that was switched off: it says nothing more
  const othersHeard = async () => {
    there.clear()
    await hears('one', true)
    return there.has('other')
  }
  await until('the end of what it had said before', async () => !(await othersHeard()))
  let isSilent = true
  for (let round = 0; round < 3; round++) isSilent &&= !(await othersHeard())

  const closing = async (end: () => Promise<void>) => {
    const startedMs = performance.now()
    await end()
    return performance.now() - startedMs
  }
  let closedMs = await closing(close) // the shortest time: this process may be held up in the midst of one
  for (let round = 0; round < 3; round++)
    closedMs = Math.min(closedMs, await closing((await opened(announcedAs('one'), deaf)).close))

  const squatter = createSocket({ type: 'udp4', reuseAddr: false })
  await new Promise<void>((resolve) => squatter.bind(5353, resolve))
  const taken = await opened(null, deaf)
  const fault = await Effect.runPromise(Effect.flip(taken.dnsSd.failed))
  await taken.close()
  squatter.close()
  child.kill('SIGKILL')
  process.stdout.write(
    JSON.stringify({ addresses, heard, isSilent, closedMs, fault: isFault(fault) ? fault.detail : null }),
  )
}

/** What is no DNS at all, and DNS that makes no sense. */
const shout = (): void => {
  const socket = createSocket('udp4')
  const answer = (...bytes: number[]) => Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, ...bytes])
  const packets = [
    Buffer.from('nonsense'),
    Buffer.alloc(9_000, 0xff),
    answer(0xc0, 0x0c),
    answer(0, 0, 12, 0, 1, 0, 0, 0, 9, 0, 0),
    answer(0, 0, 33, 0, 1, 0, 0, 0, 9, 0, 1, 7),
  ]
  for (const packet of packets) socket.send(packet, 5353, '10.99.0.1')
  socket.unref()
}

/** Tells the other device something, and waits until it has done it. */
const teller = (child: ChildProcess) => {
  const said: string[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => said.push(line))
  return async (order: string): Promise<void> => {
    child.stdin?.write(`${order}\n`)
    await until(`that the other has done: ${order}`, () => said.includes(order))
    said.length = 0
  }
}

await (process.argv[2] === 'other' ? other() : one())
