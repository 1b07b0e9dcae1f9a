// The topics of a server as far as there is room for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveTopics, MAX_LIVE_TOPICS } from '../../../machines/nt4/live-topics.ts'

const topic = (name: string, type = 'double') => ({ name, type, properties: {} })

const withTopic = (name: string, type?: string) => {
  const topics = new LiveTopics()
  topics.announced(topic(name, type))
  return topics
}

const shownIn = (topics: LiveTopics, name: string) => topics.all.get(name)?.shown

test('a topic has no value before one was written, then the newest', () => {
  const topics = withTopic('/speed')
  const before = shownIn(topics, '/speed')

  const told = [topics.arrived('/speed', 1.5, 10), topics.arrived('/speed', 2.5, 20)]

  assert.equal(before, undefined)
  assert.deepEqual(told, [['/speed'], ['/speed']])
  assert.deepEqual(topics.all.get('/speed')?.timestampUs, 20)
  assert.deepEqual(shownIn(topics, '/speed'), { value: 2.5, count: null, is_cut: false, not_decoded: null })
})

test('a value of a topic that was never announced is dropped', () => {
  const topics = withTopic('/speed')

  assert.deepEqual(topics.arrived('/other', 1, 10), [])
  assert.deepEqual([...topics.all.keys()], ['/speed'])
})

test('a topic that comes back with another type has no value of its former type', () => {
  const topics = withTopic('/speed')
  topics.arrived('/speed', 1.5, 10)

  topics.announced({ ...topic('/speed'), properties: { retained: true } })
  const kept = shownIn(topics, '/speed')?.value
  topics.announced(topic('/speed', 'string'))

  assert.equal(kept, 1.5)
  assert.equal(shownIn(topics, '/speed'), undefined)
})

test('of long arrays and texts the beginning is kept, with how much there is', () => {
  const topics = withTopic('/array', 'double[]')
  topics.announced(topic('/text', 'string'))

  topics.arrived(
    '/array',
    Float64Array.from({ length: 1000 }, (_, n) => n),
    10,
  )
  topics.arrived('/text', 'x'.repeat(5000), 10)

  const [array, text] = [shownIn(topics, '/array'), shownIn(topics, '/text')]
  assert.deepEqual([array?.count, array?.is_cut, text?.is_cut], [1000, true, true])
  assert.deepEqual(
    array?.value,
    Array.from({ length: 64 }, (_, n) => n),
  )
  assert.equal(text?.value, 'x'.repeat(1000))
})

test('a struct whose layout comes after its value is read as soon as that is there', () => {
  const topics = withTopic('/place', 'struct:Place')
  topics.announced(topic('/.schema/struct:Place', 'structschema'))
  const bytes = new Uint8Array(Float64Array.of(1.5, -2).buffer)
  topics.arrived('/place', bytes, 10)
  const before = shownIn(topics, '/place')

  const told = topics.arrived('/.schema/struct:Place', new TextEncoder().encode('double x; double y'), 20)

  assert.match(String(before?.not_decoded), /Place/)
  assert.deepEqual(told, ['/.schema/struct:Place', '/place'])
  assert.deepEqual(shownIn(topics, '/place'), {
    value: { x: 1.5, y: -2 },
    count: null,
    is_cut: false,
    not_decoded: null,
  })
})

test('beyond the limit topics are left out and counted, and one that goes makes room', () => {
  const topics = new LiveTopics()
  for (let n = 0; n < MAX_LIVE_TOPICS; n += 1) topics.announced(topic(`/${n}`))

  const refused = topics.announced(topic('/late'))
  const leftOut = topics.leftOut
  topics.gone('/0')
  const taken = topics.announced(topic('/late'))

  assert.deepEqual([refused, taken, topics.all.size], [false, true, MAX_LIVE_TOPICS])
  assert.deepEqual([leftOut, topics.leftOut], [1, 0])
})

test('a topic that is left out, goes and comes again counts once, and not at all when it is gone', () => {
  const topics = new LiveTopics()
  for (let n = 0; n < MAX_LIVE_TOPICS; n += 1) topics.announced(topic(`/${n}`))

  topics.announced(topic('/late'))
  topics.announced(topic('/later'))
  topics.gone('/late')
  const without = topics.leftOut
  topics.announced(topic('/late'))
  topics.announced(topic('/late'))

  assert.deepEqual([without, topics.leftOut], [1, 2])
})

test('names of topics that are left out take room that has an end, and are counted beyond it', () => {
  const topics = new LiveTopics()
  for (let n = 0; n < MAX_LIVE_TOPICS; n += 1) topics.announced(topic(`/${n}`))
  const name = (n: number) => `/${n}/${'x'.repeat(1024 * 1024)}`

  for (let n = 0; n < 6; n += 1) topics.announced(topic(name(n)))
  const all = topics.leftOut
  for (let n = 0; n < 6; n += 1) topics.gone(name(n))

  assert.deepEqual([all, topics.leftOut], [6, 3])
})

test('what all values take together has an end, whatever a server writes', () => {
  const topics = new LiveTopics()
  const long = Array.from({ length: 64 }, () => 'x'.repeat(1000))
  for (let n = 0; n < 500; n += 1) {
    topics.announced(topic(`/${n}`, 'string[]'))
    topics.arrived(`/${n}`, long, 10)
  }

  const kept = [...topics.all.values()].filter(({ shown }) => shown?.value !== null)
  assert.ok(kept.length > 100 && kept.length < 140, `${kept.length} were kept`)
  assert.match(String(shownIn(topics, '/499')?.not_decoded), /no room/)
  assert.ok(topics.all.has('/499'), 'that it is there is known all the same')
})
