// Every kind of secret that the service knows, in the words in which it could come into a log. A test of a way into a
// log, or out of one, feeds it with all of them.
import assert from 'node:assert/strict'

/** A secret, and a line that holds it. */
export interface SaidSecret {
  readonly kind: string
  /** None of these may be read anywhere. */
  readonly secrets: readonly string[]
  readonly line: string
}

const ADMIN = 'kQ3vX9_tB7mZp2Rw-1uYc8LsE5aHd0Nf' // 24 bytes, base64url
const TRUST = 'Zt4Wq8Lr1Vx_6Jm0Kp3Ns-9Dy2Bc7Hf5Ga8Ue1Io4Tz' // a device's, as any other token
const SESSION = 'a7Qm2Zx9Lk4Vt1Rw8_Bn3Jp6Hs0Dc5Fy-Ug2Ei7Xo1M' // 32 bytes, base64url
const PEM_BODY = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVj3kq8Tz1xWn4yB2'
const PEM_END = 'oUcD7mPq0w=='
const NONCE = 'c4'.repeat(32)

export const SAID_SECRETS: readonly SaidSecret[] = [
  {
    kind: "the administrator's token",
    secrets: [ADMIN],
    line: `the administrator's token, told only this once: ${ADMIN}`,
  },
  { kind: 'a token that stands alone', secrets: [ADMIN], line: `a client sent ${ADMIN} where nothing belongs` },
  { kind: 'a token in a header', secrets: [TRUST], line: `refused: Authorization: Bearer ${TRUST}` },
  {
    kind: 'a token in headers as JSON',
    secrets: [TRUST],
    line: `{"headers":{"authorization":"Bearer ${TRUST}","host":"a"}}`,
  },
  {
    kind: 'a token in headers as Node shows them',
    secrets: [TRUST],
    line: `{ authorization: 'Bearer ${TRUST}', host: 'a' }`,
  },
  { kind: 'a token that is named', secrets: [TRUST], line: `the token of the peer is ${TRUST}` },
  { kind: 'a token in a document', secrets: ['short-token'], line: '{"peer":"rear","token":"short-token"}' },
  {
    kind: 'a token in a document within a text',
    secrets: ['short-token'],
    line: String.raw`{"body":"{\"token\":\"short-token\"}"}`,
  },
  {
    kind: 'a token in the address of a request',
    secrets: ['abcdef123'],
    line: 'GET /v1/events?token=abcdef123&since=4: Error',
  },
  { kind: 'a cookie', secrets: [SESSION], line: `cookie: theme=dark; vedette_session=${SESSION}` },
  { kind: 'a cookie over TLS', secrets: [SESSION], line: `Set-Cookie: __Host-vedette_session=${SESSION}; Path=/` },
  { kind: 'a cookie alone', secrets: ['shortvalue'], line: 'it sent vedette_session=shortvalue with it' },
  {
    kind: 'a name and password of a camera',
    secrets: ['hunter2', 'admin:'],
    line: 'rtsp://admin:hunter2@10.12.34.11:554/live does not answer',
  },
  {
    kind: 'a password with signs of addresses',
    secrets: ['p#w', 's3cret'],
    line: 'cannot open rtsp://cam:p%40s3cret@10.12.34.11/live',
  },
  {
    kind: 'a password behind ? of a camera',
    secrets: ['hunter2'],
    line: 'http://10.12.34.11/video?user=admin&pwd=hunter2 ended',
  },
  {
    kind: 'a password of a source of updates',
    secrets: ['upd4te', 'X-Sig'],
    line: 'GET https://team:upd4te@updates.example/v.bundle?X-Sig=99 failed',
  },
  {
    kind: 'a password in a manifest',
    secrets: ['hunter2'],
    line: '{"backend":"url","username":"admin","password":"hunter2"}',
  },
  { kind: 'a password with a quote in it', secrets: ['hun', 'ter2'], line: String.raw`{"password":"hun\"ter2"}` },
  { kind: 'a password that is named', secrets: ['hunter2'], line: 'wifi: password=hunter2, retry in 3 s' },
  {
    kind: 'a key of a wireless network',
    secrets: ['correcthorse'],
    line: '802-11-wireless-security.psk: correcthorse',
  },
  {
    kind: 'a login for Basic',
    secrets: ['YWRtaW46aHVudGVyMg=='],
    line: 'sent Basic YWRtaW46aHVudGVyMg== and was refused',
  },
  {
    kind: 'a login for Digest',
    secrets: ['6629fae49393a05397450978507c4ef1'],
    line: 'Digest username="a", response="6629fae49393a05397450978507c4ef1"',
  },
  {
    kind: 'a private key',
    secrets: [PEM_BODY, PEM_END],
    line: `-----BEGIN PRIVATE KEY-----\n${PEM_BODY}\n${PEM_END}\n-----END PRIVATE KEY-----\n`,
  },
  {
    kind: 'a private key as JSON',
    secrets: [PEM_BODY, PEM_END],
    line: JSON.stringify({
      key: `-----BEGIN EC PRIVATE KEY-----\n${PEM_BODY}\n${PEM_END}\n-----END EC PRIVATE KEY-----`,
    }),
  },
  { kind: 'a line of a private key', secrets: [PEM_BODY], line: PEM_BODY },
  { kind: 'the last line of a private key', secrets: [PEM_END], line: PEM_END },
  { kind: 'a private key that was cut off', secrets: [PEM_BODY], line: `-----BEGIN RSA PRIVATE KEY-----\n${PEM_BODY}` },
  { kind: 'chance of a pairing', secrets: [NONCE], line: `{"pairing_id":"3c3c","nonce":"${NONCE}"}` },
  { kind: 'the code of a pairing', secrets: ['271828'], line: 'the pairing code is 271828, compare it' },
  { kind: 'the code of a pairing as JSON', secrets: ['271828'], line: '{"state":"comparing","code":"271828"}' },
  {
    kind: 'the key of the inlet for pictures',
    secrets: ['d2hhdGV2ZXI'],
    line: 'the engine asked for /?key=d2hhdGV2ZXI in vain',
  },
  {
    kind: 'a JSON Web Token',
    secrets: ['eyJzdWIiOiIxMjM0In0'],
    line: 'jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
  },
]

/** The same as facts of a line, under the names that the service has for them. */
export const SECRET_FACTS: Readonly<Record<string, unknown>> = {
  token: TRUST,
  password: 'hunter2',
  headers: { Authorization: `Bearer ${TRUST}`, cookie: [`vedette_session=${SESSION}`] },
  source: { url: 'rtsp://admin:hunter2@10.12.34.11/live?pwd=hunter2' },
  identity: { private_key: PEM_BODY, nonce: NONCE },
  error: new Error(`refused Bearer ${TRUST}`),
}

/** What may be read nowhere once all have been said. */
export const ALL_SECRETS: readonly string[] = [...new Set(SAID_SECRETS.flatMap(({ secrets }) => secrets))]

/** No secret is in a text. */
export const assertNoSecret = (text: string, what: string): void => {
  const found = ALL_SECRETS.filter((secret) => text.includes(secret))
  assert.deepEqual(found, [], `${what} holds secrets`)
}
