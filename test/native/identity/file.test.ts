// The identity of a device: made once, kept, and what becomes of a file that broke.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { DeviceId, Fingerprint } from '../../../machines/interdevice/hello.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { madeIdentity } from '../../../native/identity/certificate.ts'
import { fileIdentity } from '../../../native/identity/file.ts'
import { madeElsewhere, servedFingerprint } from '../../support/certificates.ts'
import { folderOf } from '../../support/folder.ts'

const lab = (t: TestContext) => {
  const folder = folderOf(t)
  const path = join(folder, 'identity.pem')
  const noted: Fault[] = []
  return { folder, path, noted, load: () => fileIdentity(path, (fault) => noted.push(fault)) }
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

test('a broken file with an id in it stays where it is until another can be written, and the device stays who it is', (t) => {
  const { folder, path, noted, load } = lab(t)
  const { device_id } = load()
  const whole = readFileSync(path, 'utf8')
  const broken = whole.slice(whole.indexOf('-----BEGIN CERT'))
  writeFileSync(path, broken)
  mkdirSync(join(`${path}.next`, 'in-the-way'), { recursive: true }) // as a full disk, or one that is read-only

  const without = [load(), load()]

  assert.deepEqual(
    without.map((each) => each.device_id),
    [device_id, device_id],
  )
  assert.equal(readFileSync(path, 'utf8'), broken)
  assert.deepEqual(readdirSync(folder).sort(), ['identity.pem', 'identity.pem.next'])
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['identity.not_kept', 'identity.not_kept'],
  )
  rmSync(`${path}.next`, { recursive: true })
  assert.deepEqual([load().device_id, load().device_id], [device_id, device_id])
})

/** What stands where the file should, and cannot be read: what a disk or the rights of a file do is not to be had for the asking. */
const UNREADABLE: readonly (readonly [what: string, put: (path: string) => void])[] = [
  ['a folder', (path) => mkdirSync(join(path, 'kept'), { recursive: true })],
  ['a link to itself', (path) => symlinkSync(path, path)],
]

for (const [what, put] of UNREADABLE)
  test(`a file that cannot be read, as ${what}, is left as it is and reported with what can be done`, (t) => {
    const { folder, path, noted, load } = lab(t)
    put(path)

    const { device_id } = load()

    assert.ok(device_id)
    assert.deepEqual(readdirSync(folder), ['identity.pem'])
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['identity.unreadable'],
    )
    assert.match(noted[0]?.detail ?? '', /left as it is.*start the service again/)
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

test('an identity that cannot be kept counts until the service stops, and that is said', (t) => {
  const { path, noted, load } = lab(t)
  mkdirSync(join(`${path}.next`, 'in-the-way'), { recursive: true }) // as a full disk, or one that is read-only

  const { device_id } = load()

  assert.ok(device_id)
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['identity.not_kept'],
  )
  assert.ok(!noted[0]?.detail.includes('PRIVATE'))
})
