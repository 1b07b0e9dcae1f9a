// What passes by itself says when it is worth asking again; and the document says that it may.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { problemAnswer, sendAnswer } from '../../api/endpoints/answer.ts'
import { statusOf } from '../../api/problems/faults.ts'
import { fault, sendProblem } from '../../api/problems/problem.ts'
import { openApi } from '../../api/spec/openapi.ts'
import { describedAreas } from '../../docs/generate-api.ts'
import { codesFor } from '../../machines/errors/catalogue.ts'

const UNAVAILABLE = 503

/** A device that no launcher has started stays so, and so does one that has no fan, no bus, or nothing to switch. */
const STAYS = ['update.unavailable', 'system.no_fan', 'system.no_power', 'usb.unavailable', 'i2c.unavailable']

test('every fault of the status 503, however it is answered, has a Retry-After, and what stays has none', async (t) => {
  const app = fastify()
  t.after(() => app.close())
  const codes = codesFor('client')
  for (const code of codes) {
    app.get(`/sent/${code}`, (_, reply) => sendProblem(reply, fault(code, 'so')))
    app.get(`/given/${code}`, (request, reply) => sendAnswer(reply, problemAnswer(fault(code, 'so'), request)))
  }

  const unavailable = codes.filter((code) => statusOf(code) === UNAVAILABLE && !STAYS.includes(code))

  assert.ok(unavailable.length > 5)
  for (const code of codes)
    for (const way of ['sent', 'given']) {
      const { headers } = await app.inject(`/${way}/${code}`)
      const isTold = Number(headers['retry-after']) >= 1
      assert.equal(isTold, unavailable.includes(code), `${code}, ${way}: ${headers['retry-after']}`)
    }
})

test('the document describes Retry-After wherever it may come', () => {
  const { paths } = openApi(describedAreas(), '0') as {
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>
  }

  const responses = Object.values(paths).flatMap((path) => Object.values(path).map((each) => each.responses))

  assert.ok(responses.some((each) => each[UNAVAILABLE]))
  for (const each of responses) if (each[UNAVAILABLE]) assert.ok('Retry-After' in (each[UNAVAILABLE].headers ?? {}))
})
