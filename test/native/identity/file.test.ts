// The identity of a device: made once, kept, and what becomes of a file that broke.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { DeviceId, Fingerprint } from '../../../machines/interdevice/hello.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { keepPrivate } from '../../../native/files/rights.ts'
import { madeIdentity } from '../../../native/identity/certificate.ts'
import { toExposureFault } from '../../../native/identity/exposure-fault.ts'
import { fileIdentity } from '../../../native/identity/file.ts'
import type { IdentityPort } from '../../../native/identity/port.ts'
import { madeElsewhere, servedFingerprint } from '../../support/peers/certificates.ts'
import { identityOf } from '../../support/peers/identity.ts'
import { folderOf } from '../../support/processes/folder.ts'

const lab = (t: TestContext) => {
  const folder = folderOf(t)
  const path = join(folder, 'identity.pem')
  const noted: Fault[] = []
  const start = () => fileIdentity(path, (fault) => noted.push(fault))
  return { folder, path, noted, start, load: () => identityOf(start()) }
}

test('a device makes itself an identity once, and is the same from then on', async (t) => {
  const { folder, path, noted, load } = lab(t)

  const first = load()
  const again = load()

  assert.deepEqual(
    [again.device_id, again.fingerprint, noted, readdirSync(folder)],
    [first.device_id, first.fingerprint, [], ['identity.pem']],
  )
  assert.deepEqual([...schemaErrors(DeviceId, first.device_id), ...schemaErrors(Fingerprint, first.fingerprint)], [])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const shown = await servedFingerprint(again)
  assert.equal(shown.replaceAll(':', '').toLowerCase(), first.fingerprint)
})

test('its certificate names the device and no host, and no clock is before or after it', () => {
  const { device_id, cert } = madeIdentity('0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10')

  const read = new X509Certificate(cert)

  assert.equal(read.subjectAltName, `URI:urn:uuid:${device_id}`)
  assert.equal(read.subject, `CN=${device_id}`)
  assert.deepEqual(
    [read.validFromDate, read.validToDate].map((date) => date.toISOString()),
    ['2000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z'],
  )
  assert.ok(read.verify(read.publicKey))
  assert.equal(read.ca, false)
  assert.equal(read.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
})

test('two devices have nothing in common', (t) => {
  const [one, other] = [lab(t).load(), lab(t).load()]

  assert.notEqual(one.device_id, other.device_id)
  assert.notEqual(one.fingerprint, other.fingerprint)
  assert.notEqual(new X509Certificate(one.cert).serialNumber, new X509Certificate(other.cert).serialNumber)
})

const openssl = spawnSync('openssl', ['version']).error

test('a program that takes certificates by the letter takes this one', {
  skip: openssl ? 'openssl is not installed' : false,
}, (t) => {
  const { path, load } = lab(t)
  load()

  const { status, stdout, stderr } = spawnSync('openssl', ['verify', '-x509_strict', '-CAfile', path, path])

  assert.equal(status, 0, `${stdout}${stderr}`)
})

/** What can become of the file, whether the id can be read all the same, and the words for it. */
const BROKEN: readonly (readonly [what: string, of: (whole: string) => string, keepsId: boolean, why: RegExp])[] = [
  ['empty', () => '', false, /the certificate is empty/],
  ['garbage', () => '\0\xff these are not the keys', false, /there is no certificate in it/],
  ['cut off in its certificate', (whole) => whole.slice(0, -100), false, /there is no certificate in it/],
  ['without its key', (whole) => whole.slice(whole.indexOf('-----BEGIN CERT')), true, /there is no private key in it/],
  [
    'of two halves',
    (whole) => madeIdentity('0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10').key + whole.slice(whole.indexOf('-----BEGIN CERT')),
    true,
    /the key is not that of the certificate/,
  ],
]

for (const [what, of, keepsId, why] of BROKEN)
  test(`a file that is ${what} is set aside and made anew`, (t) => {
    const { folder, path, noted, load } = lab(t)
    const before = load()
    const broken = of(readFileSync(path, 'utf8'))
    writeFileSync(path, broken)

    const anew = load()

    assert.notEqual(anew.fingerprint, before.fingerprint)
    assert.equal(anew.device_id === before.device_id, keepsId)
    assert.equal(load().fingerprint, anew.fingerprint)
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['identity.broken'],
    )
    assert.match(noted[0]?.detail ?? '', why)
    assert.equal(readFileSync(`${path}.broken`, 'utf8'), broken)
    assert.deepEqual(readdirSync(folder).sort(), ['identity.pem', 'identity.pem.broken'])
  })

test('what is set aside has the rights of what was there', (t) => {
  const { path, load } = lab(t)
  writeFileSync(path, 'broken', { mode: 0o600 })

  load()

  assert.equal(statSync(`${path}.broken`).mode & 0o777, 0o600)
})

const codeNow = ({ now }: IdentityPort): string | undefined => {
  const found = now()
  return isFault(found) ? found.code : undefined
}
const lookedAgain = async ({ look }: IdentityPort): Promise<boolean> =>
  Effect.runPromise(Effect.match(look, { onSuccess: () => true, onFailure: () => false }))

/** As a full disk, or one that is read-only. Returns how there is room again. */
const fill = (path: string): (() => void) => {
  mkdirSync(join(`${path}.next`, 'in-the-way'), { recursive: true })
  return () => rmSync(`${path}.next`, { recursive: true })
}

/** What stands there when nothing can be written, and whether the device is who it was once something can. */
const UNKEPT: readonly (readonly [what: string, of: (whole: string) => string | null, keepsId: boolean])[] = [
  ['is not there', () => null, false],
  ['is broken', () => 'broken', false],
  ['is broken, with an id in it,', (whole) => whole.slice(whole.indexOf('-----BEGIN CERT')), true],
]

for (const [what, of, keepsId] of UNKEPT)
  test(`a device whose identity ${what} has none on a full disk at each start, until there is room`, async (t) => {
    const { folder, path, noted, load, start } = lab(t)
    const before = load()
    const left = of(readFileSync(path, 'utf8'))
    if (left === null) rmSync(path)
    else writeFileSync(path, left)
    const files = readdirSync(folder)
    const makeRoom = fill(path)

    const ports = [start(), start()]
    const again = await Promise.all(ports.map(lookedAgain))

    assert.deepEqual(
      [ports.map(codeNow), again],
      [
        ['identity.not_kept', 'identity.not_kept'],
        [false, false],
      ],
    )
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['identity.not_kept', 'identity.not_kept'],
      'once at each start',
    )
    assert.match(noted[0]?.detail ?? '', /Make room.*nobody to other devices.*every 15 s/)
    assert.ok(!noted[0]?.detail.includes('PRIVATE'))
    assert.deepEqual(readdirSync(folder).sort(), [...files, 'identity.pem.next'].sort())
    if (left !== null) assert.equal(readFileSync(path, 'utf8'), left)
    makeRoom()
    const [port] = ports as [IdentityPort, IdentityPort]
    assert.equal(await lookedAgain(port), true)
    const { device_id, fingerprint } = identityOf(port)
    assert.equal(await lookedAgain(port), true)
    assert.equal(identityOf(port).fingerprint, fingerprint)
    assert.deepEqual([load().fingerprint, device_id === before.device_id], [fingerprint, keepsId])
  })

test('an identity that can be read again is that of before', async (t) => {
  const { path, noted, load, start } = lab(t)
  const { fingerprint } = load()
  const whole = readFileSync(path, 'utf8')
  rmSync(path)
  mkdirSync(path)

  const port = start()
  const code = codeNow(port)
  rmSync(path, { recursive: true })
  writeFileSync(path, whole, { mode: 0o600 })

  assert.deepEqual([code, await lookedAgain(port)], ['identity.unreadable', true])
  assert.equal(identityOf(port).fingerprint, fingerprint)
  assert.deepEqual(
    noted.map((each) => each.code),
    ['identity.unreadable'],
  )
})

/**
 * What stands where the file should, and cannot be read: what a disk or the rights of a file do is not to be had for
 * the asking.
 */
const UNREADABLE: readonly (readonly [what: string, put: (path: string) => void])[] = [
  ['a folder', (path) => mkdirSync(join(path, 'kept'), { recursive: true })],
  ['a link to itself', (path) => symlinkSync(path, path)],
]

for (const [what, put] of UNREADABLE)
  test(`a file that cannot be read, as ${what}, is left as it is and reported with what can be done`, (t) => {
    const { folder, path, noted, start } = lab(t)
    put(path)

    const code = codeNow(start())

    assert.equal(code, 'identity.unreadable')
    assert.deepEqual(readdirSync(folder), ['identity.pem'])
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['identity.unreadable'],
    )
    assert.match(noted[0]?.detail ?? '', /left as it is.*the service may read.*every 15 s/)
  })

test('a certificate of somebody else in its place names no device', async (t) => {
  const { path, noted, load } = lab(t)
  const { key, cert } = await madeElsewhere()
  writeFileSync(path, key + cert)

  load()

  assert.match(noted[0]?.detail ?? '', /its certificate names no device/)
})

test('what a power cut left of the writing is written over', (t) => {
  const { folder, path, noted, load } = lab(t)
  writeFileSync(`${path}.next`, 'half a ke')

  load()

  assert.deepEqual([readdirSync(folder), noted], [['identity.pem'], []])
})

const rightsOf = (path: string): number => statSync(path).mode & 0o777

test('an identity that others could read is made private, and what that means is said once', (t) => {
  for (const rights of [0o644, 0o640, 0o604, 0o660]) {
    const { path, noted, load } = lab(t)
    const { fingerprint } = load()
    chmodSync(path, rights)

    const again = [load(), load()]

    assert.equal(rightsOf(path), 0o600)
    assert.deepEqual(
      again.map((each) => each.fingerprint),
      [fingerprint, fingerprint],
    )
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['identity.exposed'],
    )
    const { detail = '' } = noted[0] ?? {}
    assert.match(
      detail,
      new RegExp(`rights were ${rights.toString(8)}, and are 600 now.*can pass for this device.*pair`),
    )
    assert.ok(!detail.includes('chown') && !detail.includes('PRIVATE'))
  }
})

test('a broken file that others could read is set aside as one that they cannot', (t) => {
  const { path, noted, load } = lab(t)
  writeFileSync(path, 'broken', { mode: 0o644 })

  load()

  assert.deepEqual([rightsOf(path), rightsOf(`${path}.broken`)], [0o600, 0o600])
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['identity.broken'],
  )
})

const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0

test('an identity that belongs to somebody else is used, and that is told at each start with the way out', {
  skip: isRoot ? false : 'only root can give files away',
}, (t) => {
  const { path, noted, load } = lab(t)
  const { fingerprint } = load()
  chownSync(path, NOBODY, NOBODY)

  const again = [load(), load()]

  assert.deepEqual(
    again.map((each) => each.fingerprint),
    [fingerprint, fingerprint],
  )
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['identity.exposed', 'identity.exposed'],
  )
  assert.match(noted[0]?.detail ?? '', /belongs to another user of this device \(uid 65534\).*chown 0 .*chmod 600/)
})

test('rights that cannot be changed are told with the way out', {
  skip: isRoot ? false : 'only root can become somebody else',
}, (t) => {
  const { path, load } = lab(t)
  load()
  chmodSync(path, 0o644)
  const file = openSync(path, 'r')
  t.after(() => {
    process.seteuid?.(0)
    closeSync(file)
  })

  process.seteuid?.(NOBODY)
  const exposure = keepPrivate(file)
  assert.ok(exposure)
  const { code, detail } = toExposureFault(path, exposure)
  process.seteuid?.(0)

  assert.equal(rightsOf(path), 0o644)
  assert.equal(code, 'identity.exposed')
  assert.match(detail, /rights were 644, and cannot be changed: EPERM.*chown 65534 .*chmod 600/)
})
