// A description takes long to be made: others have their turn meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { SpecDocument } from '../../../api/spec/spec-document.ts'

test('others have their turn between two steps of the making, and it is made once for all who ask', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  t.after(() => clearImmediate(timer))
  const seen: number[] = []
  const document = new SpecDocument(function* () {
    for (let n = 0; n < 5; n += 1) {
      seen.push(turns)
      yield
    }
    return { openapi: '3.1.0' }
  })
  app.get('/', (request, reply) => document.send(request, reply))

  const [first, second] = await Promise.all([app.inject('/'), app.inject('/')])

  assert.deepEqual([first.json(), second.json()], [{ openapi: '3.1.0' }, { openapi: '3.1.0' }])
  assert.equal(new Set(seen).size, 5, `the steps were made in the turns ${seen}`)
})
