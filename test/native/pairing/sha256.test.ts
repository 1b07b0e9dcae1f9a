// What two devices compute while they are paired, beside a second implementation by the text of the decision.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sha256Codes } from '../../../native/pairing/sha256.ts'

const { nonce, id, commitment, isKept, code } = sha256Codes
const certificates = { caller: 'aa'.repeat(32), called: 'bb'.repeat(32) }
const nonces = { callerNonce: '01'.repeat(32), calledNonce: '02'.repeat(32) }

/** All fields of pairing but the word are 32 bytes. */
const written = (word: string, ...hex: readonly string[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.from([0, 0, 0, word.length]), Buffer.from(word)]))
    .update(Buffer.from(hex.map((each) => `00000020${each}`).join(''), 'hex'))
    .digest()

test('commitment and code are what the decision says', () => {
  const { caller, called, callerNonce, calledNonce } = { ...certificates, ...nonces }

  assert.equal(
    commitment({ ...certificates, callerNonce }),
    written('vedette.pair.commit', callerNonce, caller, called).toString('hex'),
  )
  const number = written('vedette.pair.v1', caller, called, callerNonce, calledNonce).readBigUInt64BE() % 1_000_000n
  assert.equal(code({ ...certificates, ...nonces }), String(number).padStart(6, '0'))
})

test('another certificate, nonce or direction is another promise, and as a rule another code', () => {
  const of = { ...certificates, ...nonces }
  const others = [
    { ...of, caller: 'ac'.repeat(32) },
    { ...of, called: 'bc'.repeat(32) },
    { ...of, caller: of.called, called: of.caller },
    { ...of, callerNonce: '03'.repeat(32) },
  ]
  const promised = commitment(of)

  assert.ok(isKept(promised, of))
  for (const other of others) assert.ok(!isKept(promised, other))
  assert.ok(!isKept('', of) && !isKept('00', of))
  const all = [of, ...others, { ...of, calledNonce: '03'.repeat(32) }].map(code)
  assert.equal(new Set(all).size, all.length)
  for (const each of all) assert.match(each, /^\d{6}$/)
})

test('chance is long, and never the same', () => {
  const [one, other] = [nonce(), nonce()]

  assert.match(one, /^[0-9a-f]{64}$/)
  assert.notEqual(one, other)
  assert.match(id(), /^[0-9a-f]{32}$/)
})

test('codes are spread over all that there are', () => {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 2_000; n += 1) {
    const calledNonce = n.toString(16).padStart(64, '0')
    const tenth = Math.floor(Number(code({ ...certificates, ...nonces, calledNonce })) / 100_000)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }

  assert.ok(Math.min(...tenths) > 130 && Math.max(...tenths) < 270, tenths.join())
})
