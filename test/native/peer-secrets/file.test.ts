// The tokens of peers, in a file.
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
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
import type { Fault } from '../../../machines/errors/fault.ts'
import { fileSecrets } from '../../../native/peer-secrets/file.ts'
import { folderOf } from '../../support/processes/folder.ts'

const lab = (t: TestContext) => {
  const folder = folderOf(t)
  const path = join(folder, 'peer-tokens')
  const noted: Fault[] = []
  return { folder, path, noted, open: () => fileSecrets(path, (fault) => noted.push(fault)) }
}

test('tokens outlive the service, and only it may read them', async (t) => {
  const { path, noted, open } = lab(t)
  const secrets = open()

  await Effect.runPromise(secrets.keep('back', 1, 'one'))
  await Effect.runPromise(secrets.keep('side', 3, 'two'))

  const again = open()
  assert.deepEqual([again.get('back', 1), again.get('side', 3), again.get('constructor', 1)], ['one', 'two', null])
  assert.deepEqual([statSync(path).mode & 0o777, noted], [0o600, []])
})

test('a token lies beside the one of before until that is swept away', async (t) => {
  const { path, open } = lab(t)
  const secrets = open()
  await Effect.runPromise(secrets.keep('back', 1, 'one'))

  await Effect.runPromise(secrets.keep('back', 2, 'two'))
  assert.deepEqual([secrets.get('back', 1), secrets.get('back', 2)], ['one', 'two'])
  await Effect.runPromise(secrets.sweep((id, version) => id === 'back' && version === 2))

  const again = open()
  assert.deepEqual([again.get('back', 1), again.get('back', 2)], [null, 'two'])
  assert.ok(!readFileSync(path, 'utf8').includes('one'))
})

test('where nothing is to be swept away nothing is written, and what is in the file under no number is', async (t) => {
  const { folder, path, open } = lab(t)
  await Effect.runPromise(open().sweep(() => false))
  assert.deepEqual(readdirSync(folder), [])

  writeFileSync(path, '{"back":"secret"}')
  await Effect.runPromise(open().sweep((id) => id === 'back'))

  assert.equal(readFileSync(path, 'utf8'), '{}\n')
})

test('a broken file is set aside and reported without a word of what stands in it', async (t) => {
  for (const broken of ['{"back 1":"secret-token', '{"back 1":7}', '', 'null', '["secret"]', '"secret"']) {
    const { path, noted, open } = lab(t)
    writeFileSync(path, broken, { mode: 0o600 })
    const secrets = open()

    assert.equal(secrets.get('back', 1), null)
    await Effect.runPromise(secrets.keep('back', 1, 'new'))

    assert.deepEqual(
      [open().get('back', 1), readFileSync(`${path}.broken`, 'utf8'), noted.map(({ code }) => code)],
      ['new', broken, ['peer.tokens_lost']],
    )
    assert.ok(!JSON.stringify(noted).includes('secret'))
  }
})

test('a file that cannot be read is kept, reported once with a remedy, and read when it can be', async (t) => {
  const { folder, path, noted, open } = lab(t)
  symlinkSync(path, path) // what a disk or the rights of a file do is not to be had for the asking
  const secrets = open()

  const fault = await Effect.runPromise(Effect.flip(secrets.keep('back', 2, 'new')))
  assert.deepEqual([secrets.get('back', 1), secrets.get('back', 1)], [null, null])

  assert.equal(fault.code, 'storage.failed')
  assert.deepEqual(readdirSync(folder), ['peer-tokens'])
  assert.deepEqual(
    noted.map(({ code }) => code),
    ['peer.tokens_unreadable'],
  )
  assert.match(noted[0]?.detail ?? '', /ELOOP.*left as they are.*See to it/)
  rmSync(path)
  writeFileSync(path, '{"back 1":"one"}')
  assert.equal(secrets.get('back', 1), 'one')
})

test('a token that cannot be kept is refused, and the one of before stays', async (t) => {
  const { path, open } = lab(t)
  const secrets = open()
  await Effect.runPromise(secrets.keep('back', 1, 'one'))
  mkdirSync(join(`${path}.next`, 'in-the-way'), { recursive: true }) // root may write into any folder

  const fault = await Effect.runPromise(Effect.flip(secrets.keep('back', 2, 'two')))

  assert.equal(fault.code, 'storage.failed')
  assert.deepEqual([secrets.get('back', 1), secrets.get('back', 2)], ['one', null])
})

const rightsOf = (path: string): number => statSync(path).mode & 0o777

test('tokens that others could read are made private, and what that means is said once', async (t) => {
  for (const rights of [0o644, 0o640, 0o606]) {
    const { path, noted, open } = lab(t)
    await Effect.runPromise(open().keep('back', 1, 'secret-token'))
    chmodSync(path, rights)

    const tokens = [open(), open()].map((secrets) => secrets.get('back', 1))

    assert.deepEqual([tokens, rightsOf(path)], [['secret-token', 'secret-token'], 0o600])
    assert.deepEqual(
      noted.map(({ code }) => code),
      ['peer.tokens_exposed'],
    )
    const { detail = '' } = noted[0] ?? {}
    assert.match(
      detail,
      new RegExp(`rights were ${rights.toString(8)}, and are 600 now.*pass for this device.*another`),
    )
    assert.ok(!detail.includes('chown') && !detail.includes('secret'))
  }
})

test('a broken file that others could read is set aside as one that they cannot', (t) => {
  const { path, open } = lab(t)
  writeFileSync(path, '{"back 1":"secret-token', { mode: 0o644 })

  open().get('back', 1)

  assert.equal(rightsOf(`${path}.broken`), 0o600)
})

test('tokens in a file of somebody else are used, and that is told with the way out', {
  skip: process.geteuid?.() === 0 ? false : 'only root can give files away',
}, async (t) => {
  const { path, noted, open } = lab(t)
  await Effect.runPromise(open().keep('back', 1, 'one'))
  chownSync(path, 65_534, 65_534)

  const token = open().get('back', 1)

  assert.deepEqual([token, noted.map(({ code }) => code)], ['one', ['peer.tokens_exposed']])
  assert.match(noted[0]?.detail ?? '', /belongs to another user of this device \(uid 65534\).*chown 0 .*chmod 600/)
})
