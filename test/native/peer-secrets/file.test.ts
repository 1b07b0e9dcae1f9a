// The tokens of peers, in a file.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { fileSecrets } from '../../../native/peer-secrets/file.ts'
import { folderOf } from '../../support/folder.ts'

test('tokens outlive the service, only it may read them, and those of deleted peers are gone', async (t) => {
  const path = join(folderOf(t), 'peer-tokens')
  const secrets = fileSecrets(path, () => assert.fail())

  await Effect.runPromise(secrets.set('back', 'one'))
  await Effect.runPromise(secrets.set('side', 'two'))
  await Effect.runPromise(secrets.set('side', null))

  const again = fileSecrets(path, () => assert.fail())
  assert.deepEqual([again.get('back'), again.get('side'), again.get('constructor')], ['one', null, null])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.ok(!readFileSync(path, 'utf8').includes('two'))
})

test('a broken file is set aside and reported without a word of what stands in it', async (t) => {
  const path = join(folderOf(t), 'peer-tokens')
  for (const broken of ['{"back":"secret-token', '{"back":7}', '']) {
    writeFileSync(path, broken)
    const recorded: Fault[] = []
    const secrets = fileSecrets(path, (fault) => recorded.push(fault))

    assert.equal(secrets.get('back'), null)
    await Effect.runPromise(secrets.set('back', 'new'))

    assert.equal(fileSecrets(path, () => assert.fail()).get('back'), 'new')
    assert.deepEqual(
      recorded.map(({ code }) => code),
      ['peer.tokens_lost'],
    )
    assert.ok(!JSON.stringify(recorded).includes('secret'))
  }
})

test('a token that cannot be kept is refused, and the one of before stays', async (t) => {
  const folder = join(folderOf(t), 'data')
  mkdirSync(folder)
  const secrets = fileSecrets(join(folder, 'peer-tokens'), () => assert.fail())
  await Effect.runPromise(secrets.set('back', 'one'))
  mkdirSync(join(folder, 'peer-tokens.next', 'in-the-way'), { recursive: true }) // root may write into any folder

  const fault = await Effect.runPromise(Effect.flip(secrets.set('back', 'two')))

  assert.equal(fault.code, 'storage.failed')
  assert.equal(secrets.get('back'), 'one')
  chmodSync(folder, 0o700)
})
