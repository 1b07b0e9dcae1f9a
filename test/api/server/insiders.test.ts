// What a plugin asks for and does not get whole: a recording is longer than an answer may be.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fastify from 'fastify'
import { Insiders } from '../../../api/server/insiders.ts'
import { arrival } from '../../support/until.ts'

const CLOSE_LIMIT_MS = 5_000 // after twice of that all that was asked for from inside is ended
const CALLER = { plugin: 'notes', granted: ['read'] } as const

test('what is sent of an answer that is too long is closed', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  const content = new Readable({ read: () => content.push(Buffer.alloc(64 * 1024)) })
  const closed = once(content, 'close')
  app.get('/recording', (_, reply) => reply.type('video/mp4').send(content))

  const { ok, status, body } = await new Insiders(app).ask({ method: 'GET', path: '/recording' }, CALLER)

  assert.deepEqual([ok, status], [false, 504])
  assert.match(Buffer.from(body).toString(), /longer than 3 MiB/)
  await arrival('its close', closed, () => content.destroyed, CLOSE_LIMIT_MS)
})
