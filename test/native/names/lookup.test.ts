import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Lookup, sharedLookup } from '../../../native/names/lookup.ts'

test('a name that is asked for again while the answer is awaited is asked for once, and all get the answer', () => {
  const asked: Parameters<Lookup>[] = []
  const lookup = sharedLookup((...question) => asked.push(question))
  const heard: unknown[] = []
  const ask = (host: string, options = {}) =>
    lookup(host, options, (error, address) => heard.push(error?.code ?? address))

  ask('roborio.local')
  ask('roborio.local')
  ask('other.local')
  ask('roborio.local', { all: true })
  assert.equal(asked.length, 3)
  asked[0]?.[2](null, '10.1.2.3', 4)
  asked[1]?.[2](Object.assign(new Error(), { code: 'ENOTFOUND' }), '')
  ask('roborio.local')

  assert.deepEqual(heard, ['10.1.2.3', '10.1.2.3', 'ENOTFOUND'])
  assert.equal(asked.length, 4, 'an answer is not kept')
})
