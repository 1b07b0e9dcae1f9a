// Secrets in what is logged.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { REDACTED, redact, redactFacts, redactForConsole, TOLD_ONCE } from '../../../machines/logs/redact.ts'
import { assertNoSecret, SAID_SECRETS, SECRET_FACTS } from '../../support/logs/secrets.ts'

test('no kind of secret can be read in what is left of a line, which says that something was there', () => {
  for (const { kind, secrets, line } of SAID_SECRETS) {
    const shown = redact(line)
    for (const secret of secrets) assert.ok(!shown.includes(secret), `${kind}: ${shown}`)
    assert.ok(shown.includes(REDACTED), `${kind}: ${shown}`)
  }
})

test('a line that was redacted is as it is when that is done again', () => {
  for (const { kind, line } of SAID_SECRETS) assert.equal(redact(redact(line)), redact(line), kind)
})

test('what is no secret stands as it was', () => {
  const harmless = [
    'Vedette 0.1.0 is ready: open http://127.0.0.1:5800/ in a browser, http://127.0.0.1:5800/docs for the API',
    'no token for administration was made, since it cannot be kept in /data/token (ENOSPC)',
    'nobody may administer this device: /data/token, where its token is kept, is empty',
    'usb-HD_Web_Camera_HD_Web_Camera_SN0001-video-index0 is lost',
    'the engine ended with code 139',
    '{"code":"camera.lost","resource":"streams/front"}',
    'usb 1-1: new high-speed USB device number 2 using xhci_hcd',
    'New session 3 of user root.',
    'crop 700×480 at (0,0) exceeds the 640×480 sensor; reduce width to 640 or change the video mode',
    'the certificate 3f9c5a0d6b3a7e21c4d8f0a9b2e4c6d83f9c5a0d6b3a7e21c4d8f0a9b2e4c6d8 is not known',
    'boot 6fd47b9d85fb477fa7adb06e0e428f9d',
    'GET /v1/device/logs?level=warn&since=1767229300000: Error: no',
    '    at file:///opt/vedette/node_modules/fastify/lib/handleRequest.js:102:19',
  ]

  assert.deepEqual(harmless.map(redact), harmless)
})

test('a token that was drawn at random is found where it stands alone', () => {
  const tokens = Array.from({ length: 2_000 }, (_, n) => randomBytes(n % 2 === 0 ? 24 : 32).toString('base64url'))

  const read = tokens.filter((token) => redact(`it was ${token}.`).includes(token))

  assert.ok(read.length <= 30, `${read.length} of ${tokens.length} could be read`) // 0.5 % of 24 bytes as measured
})

test('facts lose what stands under the name of a secret, however deep, and what is said in their texts', () => {
  const facts = redactFacts({ ...SECRET_FACTS, code: 'camera.lost', attempts: 3, deep: { a: { b: { token: 'x' } } } })

  assertNoSecret(JSON.stringify(facts), 'the facts')
  assert.equal(facts.code, 'camera.lost')
  assert.equal(facts.attempts, 3)
  assert.deepEqual(facts.deep, { a: { b: { token: REDACTED } } })
})

test('facts that lead in a circle, or that JSON does not know, can be written', () => {
  const circle: Record<string, unknown> = { big: 12n }
  circle.self = circle

  assert.match(JSON.stringify(redactFacts(circle)), /"big":"12"/)
})

test('the console alone is told the token of a new device', () => {
  const line = `${TOLD_ONCE} kQ3vX9_tB7mZp2Rw-1uYc8LsE5aHd0Nf`

  assert.equal(redactForConsole(line), line)
  assert.ok(!redact(line).includes('kQ3v'))
  assert.ok(!redactForConsole(`again: ${line}`).includes('kQ3v'))
})

test('a very long line is looked through in little time', () => {
  const lines = [
    'token='.repeat(20_000),
    `${'a'.repeat(100_000)}=`,
    `"${'\\'.repeat(50_000)}`,
    'cookie:'.repeat(15_000),
    `${'a-'.repeat(50_000)} key`,
    `${'\n'.repeat(100_000)}!key`,
    `${'a.'.repeat(50_000)} key://`,
    'http://'.repeat(15_000),
    'eyJaaaaaaaaa-'.repeat(8_000),
    `code${' '.repeat(100_000)}x`,
  ]
  for (const line of lines) {
    const startMs = performance.now()
    redact(line)
    assert.ok(performance.now() - startMs < 2_000, `${line.slice(0, 12)}...: ${performance.now() - startMs} ms`)
  }
})
