// Writes that are based on a revision, of every endpoint that has one: carried out on the present one alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { SUCCESS } from '../../api/problems/faults.ts'
import { assertProblem } from '../support/api/api.ts'
import { busyApi } from '../support/api/busy-api.ts'
import { type Ask, freshBody, nameOf, ordinaryEndpoints, visit } from '../support/api/visit.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { shortOrLong } from '../support/long.ts'

const conditional = ordinaryEndpoints.filter((endpoint) => endpoint.conditional)

/** The revision that is expected, beside the headers. */
const expecting = (endpoint: Endpoint, expected_revision: number): Ask =>
  endpoint.upload
    ? { query: `?expected_revision=${expected_revision}` }
    : { body: { ...(freshBody(endpoint) as object), expected_revision } }

/** The ways to say on which revision a write is based. */
const preconditions = (endpoint: Endpoint): Record<string, (revision: number) => Ask> => {
  const said = (revision: number) => expecting(endpoint, revision)
  return {
    'If-Match': (revision) => ({ headers: { 'if-match': `"${revision}"` } }),
    'a weak If-Match': (revision) => ({ headers: { 'if-match': `W/"${revision}"` } }),
    'one tag of a list': (revision) => ({ headers: { 'if-match': `"998" , W/"${revision}","of-another-service"` } }),
    'If-Match: *': () => ({ headers: { 'if-match': '*' } }),
    expected_revision: said,
    both: (revision) => ({ headers: { 'if-match': `"${revision}"` }, ...said(revision) }),
  }
}

/** One reads all of them for every row: here each row has If-Match and one more in its turn, the long test has all. */
const waysToTry = (endpoint: Endpoint) => {
  const [first, ...more] = Object.entries(preconditions(endpoint))
  const turn = conditional.indexOf(endpoint) % more.length
  return [first, ...shortOrLong(more.slice(turn, turn + 1), more)].filter((each) => each !== undefined)
}

/** Is asked for what changes nothing. */
const shared = await busyApi(fileLifetime())

for (const endpoint of ordinaryEndpoints) {
  if (endpoint.conditional) {
    test(`${nameOf(endpoint)} refuses a stale revision and names the present one`, async () => {
      const first = assertProblem(await visit(shared, endpoint, { headers: { 'if-match': '"999"' } }), 'revision.stale')
      const revision = first.context?.revision as number
      const stale = [
        { headers: { 'if-match': 'W/"998", "999"' } },
        { headers: { 'if-match': '"of-another-service"' } },
        expecting(endpoint, 999),
        { headers: { 'if-match': `"${revision}"` }, ...expecting(endpoint, 999) },
        { headers: { 'if-match': '"999"' }, ...expecting(endpoint, revision) },
      ]

      for (const each of stale)
        assert.deepEqual(assertProblem(await visit(shared, endpoint, each), 'revision.stale').context, { revision })
      for (const odd of [`${revision}`, '""7"', '"1" "2"', '*, "1"', 'w/"1"'])
        assertProblem(await visit(shared, endpoint, { headers: { 'if-match': odd } }), 'if_match.malformed')
    })

    for (const [how, ask] of waysToTry(endpoint))
      test(`${nameOf(endpoint)} is carried out on the revision that ${how} names`, async (t) => {
        const api = await busyApi(t)
        const stale = await visit(api, endpoint, { headers: { 'if-match': '"999"' } })
        const revision = assertProblem(stale, 'revision.stale').context?.revision as number

        const fresh = await visit(api, endpoint, ask(revision))

        assert.equal(fresh.status, SUCCESS[endpoint.answer.status], fresh.body)
        assert.match(fresh.etag ?? '', /^"\d+"$/)
        assert.notEqual(fresh.etag, `"${revision}"`)
      })
  }

  if ((endpoint.kind === 'command' || endpoint.kind === 'upload') && !endpoint.conditional) {
    test(`${nameOf(endpoint)} refuses an expected revision, since there is none`, async () => {
      for (const tags of ['"1"', '*'])
        assertProblem(await visit(shared, endpoint, { headers: { 'if-match': tags } }), 'if_match.not_possible')
      const code = endpoint.upload ? 'query.invalid' : (endpoint.body?.invalid ?? 'body.invalid')
      const said = assertProblem(await visit(shared, endpoint, expecting(endpoint, 1)), code)
      assert.equal(said.errors?.[0]?.pointer, '/expected_revision')
    })
  }
}
