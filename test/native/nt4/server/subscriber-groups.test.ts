// Who is sent what together with whom, and that nobody notices it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Member } from '../../../../native/nt4/server/subscriber-group.ts'
import { SubscriberGroups } from '../../../../native/nt4/server/subscriber-groups.ts'
import { Topics } from '../../../../native/nt4/server/topics.ts'
import { settle } from '../../../support/clock/clock.ts'

const STEP_MS = 10
const CONGESTED = 2 * 1024 * 1024
const EVERY = { all: true, periodic: 0.1 }
const LATEST = { periodic: 0.1 }

/** SubscriberGroups whose time passes only when it is told to, and topics `x` and `y`. */
const subscriberGroups = (t: TestContext) => {
  let nowMs = 1000
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const all = new SubscriberGroups()
  const topics = new Topics()
  const [x, y] = [topics.create('x', 'string', {}), topics.create('y', 'string', {})]
  const members: Member[] = []
  const client = (options: object = EVERY, wanted = ['']) => {
    const got: string[] = []
    const frames: Buffer[] = []
    const state = { unread: 0, isTerminated: false }
    const take = (messages: readonly Uint8Array[]) =>
      got.push(...messages.map((message) => Buffer.from(message).toString()))
    const member: Member = {
      subscriptions: new Map(),
      publications: new Map(),
      get unread() {
        return state.unread
      },
      sendFrame: (frame) => {
        frames.push(frame)
        take([frame.subarray(2)])
      },
      sendMessages: take,
      sendSoon: (_, message) => take([message]),
      terminate: () => {
        state.isTerminated = true
      },
    }
    members.push(member)
    const want = (topics: readonly string[], options: object) => {
      member.subscriptions.set(1, { subuid: 1, topics, options: { prefix: true, ...options } })
      all.place(member)
    }
    want(wanted, options)
    return { member, got, frames, state, want }
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      nowMs += STEP_MS
      t.mock.timers.tick(STEP_MS)
    }
    await settle()
  }
  const say = async (...texts: string[]) => {
    for (const text of texts) all.offer(text.startsWith('x') ? x : y, Buffer.from(text))
    await settle()
  }
  t.after(() => {
    for (const member of members) all.remove(member)
  })
  return { all, x, y, client, pass, say }
}

test('those who want the same are sent the same bytes, not copies of them', async (t) => {
  const { client, say } = subscriberGroups(t)
  const [one, two, other] = [client(), client(), client(LATEST)]

  await say('x1', 'y1')

  assert.deepEqual([one.got, two.got, other.got], [['x1y1'], ['x1y1'], ['x1y1']])
  assert.equal(one.frames[0], two.frames[0])
  assert.notEqual(one.frames[0], other.frames[0])
})

test('who comes while values wait for others gets those only that came after it', async (t) => {
  const { client, say, pass } = subscriberGroups(t)
  const first = client()
  await say('x1')
  await say('x2')

  const late = client()
  await say('x3')
  await pass(100)
  await say('y1')

  assert.deepEqual(first.got, ['x1', 'x2x3', 'y1'])
  assert.deepEqual(late.got, ['x3', 'y1'])
})

test('what waits for a client is not lost when it wants something else, and does not come twice', async (t) => {
  const { client, say, pass } = subscriberGroups(t)
  const [stays, changes] = [client(), client()]
  await say('x1')
  await say('x2')

  changes.want([''], LATEST)
  assert.deepEqual(changes.got, ['x1', 'x2'])
  await pass(100)

  assert.deepEqual(stays.got, ['x1', 'x2'])
  assert.deepEqual(changes.got, ['x1', 'x2'])
})

test('who wants no values any more is sent none, and nor is who has left', async (t) => {
  const { all, client, say, pass } = subscriberGroups(t)
  const [stays, silent, gone] = [client(), client(), client()]
  await say('x1')
  await say('x2')

  silent.want([''], { topicsonly: true })
  all.remove(gone.member)
  await pass(100)
  await say('y1')

  assert.deepEqual(stays.got, ['x1', 'x2', 'y1'])
  assert.deepEqual(silent.got, ['x1', 'x2'])
  assert.deepEqual(gone.got, ['x1'])
})

test('who publishes is not sent his own values, those of others like anybody', async (t) => {
  const { all, x, client, say, pass } = subscriberGroups(t)
  const [reader, writer] = [client(), client()]
  writer.member.publications.set(1, { pubuid: 1, type: x.type, properties: {}, topic: x, withheld: undefined })
  all.place(writer.member)

  all.offer(x, Buffer.from('x1'), writer.member)
  await settle()
  await say('y1')
  await pass(100)
  writer.member.publications.clear()
  all.place(writer.member)
  await say('x2')

  assert.deepEqual(reader.got, ['x1', 'y1', 'x2'])
  assert.deepEqual(writer.got, ['y1', 'x2'])
  assert.equal(reader.frames.at(-1), writer.frames.at(-1))
})

test('who does not read is sent the latest values when it reads again, and delays nobody', async (t) => {
  const { client, say, pass } = subscriberGroups(t)
  const [reads, stalls] = [client(), client()]
  await say('x1')
  stalls.state.unread = CONGESTED

  for (const text of ['x2', 'x3', 'y1', 'x4']) {
    await say(text)
    await pass(100)
  }
  assert.deepEqual(stalls.got, ['x1'])
  stalls.state.unread = 0
  await pass(200)
  await say('x5')

  assert.deepEqual(reads.got, ['x1', 'x2', 'x3', 'y1', 'x4', 'x5'])
  assert.deepEqual(stalls.got, ['x1', 'x4', 'y1', 'x5'])
  assert.equal(reads.frames.at(-1), stalls.frames.at(-1), 'both are sent to together again')
})

test('who does not read for more than 5 s is given up, whatever it asks for meanwhile', async (t) => {
  const { client, say, pass } = subscriberGroups(t)
  const [reads, stalls] = [client(), client()]
  stalls.state.unread = CONGESTED
  await say('x1')

  await pass(4_000)
  stalls.want(['x'], LATEST)
  await pass(900)
  assert.equal(stalls.state.isTerminated, false)
  await pass(200)

  assert.equal(stalls.state.isTerminated, true)
  assert.equal(reads.state.isTerminated, false)
})
