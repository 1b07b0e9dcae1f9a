// The topics of a plugin: what is published of what it says, for how long, and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PluginTopics } from '../../../../actors/plugins/process/plugin-topics.ts'
import { Latest } from '../../../../machines/latest.ts'
import { MAX_TOPIC_BYTES, MAX_TOPICS } from '../../../../machines/plugins/process/messages.ts'
import type { Nt4Session, Nt4Value } from '../../../../native/nt4/port.ts'
import { until } from '../../../support/until.ts'

/** A session that keeps what it was told. */
const session = () => {
  const topics = new Map<number, { readonly name: string; readonly type: string; value: Nt4Value | undefined }>()
  let last = 0
  const state = { isRead: true }
  const port = {
    publish: (name: string, type: string) => {
      last += 1
      topics.set(last, { name, type, value: undefined })
      return last
    },
    unpublish: (handle: number) => void topics.delete(handle),
    write: (values: readonly (readonly [number, Nt4Value])[]) => {
      if (!state.isRead) return false
      for (const [handle, value] of values) {
        const topic = topics.get(handle)
        if (topic) topic.value = value
      }
      return true
    },
  } as unknown as Nt4Session
  return { port, state, shown: () => [...topics.values()].map(({ name, type, value }) => [name, type, value]) }
}

test('topics lie below the prefix of the plugin, are there on every link, and go with the plugin', () => {
  const [first, second] = [session(), session()]
  const link = new Latest<Nt4Session | undefined>()
  link.set(first.port)
  const topics = new PluginTopics('notes', { link })

  topics.publish('count', 'int', 3)
  const before = first.shown()
  link.set(undefined)
  link.set(second.port)
  const after = second.shown()
  topics.close()

  assert.deepEqual(before, [['/vedette/plugins/notes/count', 'int', 3]])
  assert.deepEqual(
    after.map(([name]) => name),
    ['/vedette/plugins/notes/count'],
  )
  assert.deepEqual(second.shown(), [])
})

test('a value that the robot did not read is written when it reads, the newest of them', async () => {
  const { port, state, shown } = session()
  const link = new Latest<Nt4Session | undefined>()
  link.set(port)
  const topics = new PluginTopics('notes', { link })

  state.isRead = false
  topics.publish('name', 'string', 'notes')
  topics.publish('count', 'int', 3)
  topics.publish('count', 'int', 4)
  state.isRead = true
  const written = await until('the values', shown, ([, second]) => second?.[2] !== undefined)
  topics.close()

  assert.deepEqual(written, [
    ['/vedette/plugins/notes/name', 'string', 'notes'],
    ['/vedette/plugins/notes/count', 'int', 4],
  ])
})

test('what is not of its type, too large, or one topic too many is refused in a sentence', () => {
  const { port } = session()
  const link = new Latest<Nt4Session | undefined>()
  link.set(port)
  const topics = new PluginTopics('notes', { link })
  for (let n = 0; n < MAX_TOPICS; n += 1) assert.equal(topics.publish(`t${n}`, 'boolean', true), undefined)

  const refusals = [
    topics.publish('t0', 'boolean', 1),
    topics.publish('t0', 'int', 1),
    topics.publish('t1', 'boolean', null),
    topics.publish('more', 'int', 1),
  ]
  topics.unpublish('t0')
  const large = topics.publish('text', 'string[]', ['x'.repeat(MAX_TOPIC_BYTES)])
  const bytes = topics.publish('bytes', 'raw', null, new Uint8Array(8))
  topics.close()

  assert.match(refusals[0] ?? '', /not of its type/)
  assert.match(refusals[1] ?? '', /is of the type boolean/)
  assert.match(refusals[2] ?? '', /not of its type/)
  assert.match(refusals[3] ?? '', /more than 64 topics/)
  assert.match(large ?? '', /more than 16384 bytes/)
  assert.equal(bytes, undefined)
})
