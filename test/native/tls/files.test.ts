// The certificates in the data directory: those of people, and the device's own.
import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { certificateFiles } from '../../../native/tls/files.ts'
import type { Certificate } from '../../../native/tls/port.ts'
import { madeElsewhere, servedFingerprint } from '../../support/peers/certificates.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'

/** A folder for certificates, and what loading from it comes to. */
const lab = (t: TestContext, startMs = Date.now()) => {
  const data = temporaryFolder()
  t.after(() => rmSync(data, { recursive: true }))
  const folder = join(data, 'tls')
  let nowMs = startMs
  const noted: Fault[] = []
  const files = { folder, names: ['vedette-7', 'vedette-7.local'], nowMs: () => nowMs }
  const port = certificateFiles(files)
  const load = () => port.load((fault) => noted.push(fault))
  return {
    folder,
    noted,
    put: (name: string, text: string) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), text)
    },
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    load: (): Promise<Certificate> => Effect.runPromise(load()),
    fault: (): Promise<Fault> => Effect.runPromise(Effect.flip(load())),
    callIt: (name: string) => {
      files.names = [name, `${name}.local`]
    },
    advanceYears: (years: number) => {
      nowMs += years * 366 * 86_400_000
    },
  }
}

const fingerprintOf = (cert: string): string => new X509Certificate(cert).fingerprint256

test('a device makes itself a certificate once, and shows the same one from then on', async (t) => {
  const { folder, noted, load } = lab(t)

  const first = await load()
  const second = await load()

  assert.equal(await servedFingerprint(second), fingerprintOf(first.cert))
  assert.ok(new X509Certificate(first.cert).checkHost('vedette-7.local'))
  assert.deepEqual(readdirSync(folder), ['device.pem'])
  assert.equal(statSync(join(folder, 'device.pem')).mode & 0o777, 0o600)
  assert.deepEqual(noted, [])
})

test('a device that has another name makes itself a certificate for that', async (t) => {
  const { folder, noted, load, callIt } = lab(t)
  const { cert: before } = await load()
  callIt('front')

  const anew = await load()

  assert.equal(await servedFingerprint(anew), fingerprintOf(anew.cert))
  for (const name of ['front', 'front.local']) assert.ok(new X509Certificate(anew.cert).checkHost(name), name)
  assert.notEqual(fingerprintOf(anew.cert), fingerprintOf(before))
  assert.equal(fingerprintOf((await load()).cert), fingerprintOf(anew.cert))
  assert.deepEqual([readdirSync(folder), noted], [['device.pem'], []])
})

/** What can become of the device's own file, and the words for it. */
const BROKEN: readonly (readonly [what: string, of: (whole: string) => string, why: RegExp])[] = [
  ['empty', () => '', /the certificate is empty/],
  ['garbage', () => '\0\xff these are not the keys', /there is no certificate in it/],
  ['cut off in its certificate', (whole) => whole.slice(0, -100), /there is no certificate in it/],
  ['cut off after its key', (whole) => whole.slice(0, whole.indexOf('-----BEGIN CERT')), /there is no certificate/],
  ['without its key', (whole) => whole.slice(whole.indexOf('-----BEGIN CERT')), /there is no private key in it/],
]

for (const [what, of, why] of BROKEN) {
  test(`the device's own file that is ${what} is named, set aside and made anew`, async (t) => {
    const { folder, noted, load, put, read } = lab(t)
    const { cert } = await load()
    const broken = of(read('device.pem'))
    put('device.pem', broken)

    const anew = await load()

    assert.equal(await servedFingerprint(anew), fingerprintOf(anew.cert))
    assert.notEqual(fingerprintOf(anew.cert), fingerprintOf(cert))
    assert.equal(fingerprintOf((await load()).cert), fingerprintOf(anew.cert))
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['certificate.broken'],
    )
    assert.match(noted[0]?.detail ?? '', why)
    assert.match(noted[0]?.detail ?? '', /device\.pem\.broken/)
    assert.equal(read('device.pem.broken'), broken)
    assert.deepEqual(readdirSync(folder).sort(), ['device.pem', 'device.pem.broken'])
  })
}

test('two halves of different certificates are never served together', async (t) => {
  const { noted, load, put } = lab(t)
  const [one, other] = [await madeElsewhere(), await madeElsewhere()]
  put('device.pem', one.key + other.cert)

  await servedFingerprint(await load())

  assert.match(noted[0]?.detail ?? '', /the key is not that of the certificate/)
})

test("the device's own certificate is made anew when it has run out", async (t) => {
  const { noted, load, advanceYears } = lab(t)
  const { cert } = await load()
  advanceYears(21)

  const anew = await load()

  assert.ok(new X509Certificate(anew.cert).validToDate > new X509Certificate(cert).validToDate)
  assert.match(noted[0]?.detail ?? '', /ran out on/)
})

test('a device that woke up without the time of day serves what it has', async (t) => {
  const { noted, load, advanceYears } = lab(t)
  const { cert } = await load()
  advanceYears(-50)

  assert.equal(fingerprintOf((await load()).cert), fingerprintOf(cert))
  assert.deepEqual(noted, [])
})

test('a folder where the own certificate is to be is set aside too', async (t) => {
  const { folder, noted, load } = lab(t)
  mkdirSync(join(folder, 'device.pem', 'x'), { recursive: true })

  await servedFingerprint(await load())

  assert.match(noted[0]?.detail ?? '', /device\.pem cannot be read \(EISDIR/)
  assert.ok(existsSync(join(folder, 'device.pem.broken', 'x')))
})

test('what a power cut left of the writing is written over', async (t) => {
  const { folder, noted, load, put } = lab(t)
  put('device.pem.next', 'half a ke')

  await servedFingerprint(await load())

  assert.deepEqual(readdirSync(folder), ['device.pem'])
  assert.deepEqual(noted, [])
})

test('a name that no certificate can bear has none made anew at each start', async (t) => {
  const { load, callIt } = lab(t)
  callIt('kamera-süd')

  assert.equal((await load()).cert, (await load()).cert)
})

test('where no certificate for another name can be kept, the one for the name before is served', async (t) => {
  const { folder, noted, load, callIt } = lab(t)
  const { cert: before } = await load()
  mkdirSync(join(folder, 'device.pem.next/in-the-way'), { recursive: true }) // as a full disk, or one that is read-only

  callIt('vedette-8')
  const { cert } = await load()

  assert.equal(cert, before)
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['certificate.not_kept'],
  )
  assert.match(noted[0]?.detail ?? '', /cannot be kept .* name before is served/)
})

test('a certificate that cannot be kept is not served', async (t) => {
  const { folder, fault } = lab(t)
  writeFileSync(folder, 'a file where the folder is to be')

  assert.match((await fault()).detail, /cannot be read \(ENOTDIR/)
})

const encrypted = ({ key, cert }: Certificate): Certificate => ({
  key: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string,
  cert,
})

test('a pair that people placed is served instead of the own one, of whatever kind', async (t) => {
  const root = await madeElsewhere()
  const kinds = {
    rsa: await madeElsewhere(),
    ec: await madeElsewhere({ keyType: 'ec', curve: 'P-384' }),
    chain: await madeElsewhere({ ca: root }).then(({ key, cert }) => ({ key, cert: `${cert}\n${root.cert}\n` })),
    'with windows line ends': await madeElsewhere().then(({ key, cert }) => ({
      key: key.replaceAll('\n', '\r\n'),
      cert: cert.replaceAll('\n', '\r\n'),
    })),
  }
  for (const [kind, { key, cert }] of Object.entries(kinds)) {
    const { folder, noted, load, put } = lab(t)
    const own = await load()
    put('key.pem', key)
    put('cert.pem', cert)

    assert.equal(await servedFingerprint(await load()), fingerprintOf(cert), kind)

    rmSync(join(folder, 'key.pem'))
    rmSync(join(folder, 'cert.pem'))
    assert.equal(fingerprintOf((await load()).cert), fingerprintOf(own.cert), 'and the own one again after that')
    assert.deepEqual(noted, [])
  }
})

/** What people can place, and the words for it. undefined: no such file. */
const PLACED: readonly (readonly [
  what: string,
  make: () => Promise<{ readonly key: string | undefined; readonly cert: string | undefined }>,
  why: RegExp,
])[] = [
  ['two empty files', async () => ({ key: '', cert: '' }), /the certificate is empty/],
  ['an empty key', async () => ({ ...(await madeElsewhere()), key: '\n' }), /the key is empty/],
  ['garbage', async () => ({ key: 'gar', cert: 'bage' }), /there is no certificate in it/],
  [
    'half a certificate',
    async () => madeElsewhere().then(({ key, cert }) => ({ key, cert: cert.slice(0, 300) })),
    /there is no certificate in it/,
  ],
  [
    'half a key',
    async () => madeElsewhere().then(({ key, cert }) => ({ key: key.slice(0, 300), cert })),
    /there is no private key in it/,
  ],
  [
    'the key of another certificate',
    async () => ({ ...(await madeElsewhere()), key: (await madeElsewhere()).key }),
    /the key is not that of the certificate/,
  ],
  [
    'one that has run out',
    () => madeElsewhere({ notBeforeDate: new Date('2020-01-01'), notAfterDate: new Date('2021-01-01') }),
    /the certificate ran out on Jan +1 .* 2021/,
  ],
  ['a key with a passphrase', async () => encrypted(await madeElsewhere()), /locked with a passphrase/],
  ['no key', async () => ({ ...(await madeElsewhere()), key: undefined }), /key\.pem is missing/],
  ['no certificate', async () => ({ ...(await madeElsewhere()), cert: undefined }), /cert\.pem is missing/],
  ['a key that is too weak', () => madeElsewhere({ keySize: 1024 }), /no TLS handshake succeeds with it \(.*small/],
]

for (const [what, make, why] of PLACED) {
  test(`what people placed is left alone and HTTPS says why not: ${what}`, async (t) => {
    const { folder, noted, fault, load, put } = lab(t)
    await load() // there is an own one, which shall not take the place of theirs unasked
    const texts = Object.entries(await make()).map(([name, text]) => [`${name}.pem`, text] as const)
    for (const [name, text] of texts) if (text !== undefined) put(name, text)

    const { code, detail } = await fault()

    assert.equal(code, 'certificate.unusable')
    assert.match(detail, why)
    assert.ok(detail.includes(folder))
    for (const [name, text] of texts) {
      if (text === undefined) assert.ok(!existsSync(join(folder, name)))
      else assert.equal(readFileSync(join(folder, name), 'utf8'), text)
    }
    assert.deepEqual(noted, [])

    const { key, cert } = await madeElsewhere()
    put('key.pem', key)
    put('cert.pem', cert)
    assert.equal(await servedFingerprint(await load()), fingerprintOf(cert), 'once they put it right')
  })
}

test('a folder where people place a file is named', async (t) => {
  const { folder, fault, put } = lab(t)
  put('cert.pem', (await madeElsewhere()).cert)
  mkdirSync(join(folder, 'key.pem'))

  assert.match((await fault()).detail, /key\.pem cannot be read \(EISDIR/)
})
