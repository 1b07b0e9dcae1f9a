// Which commands there are and who takes them is known to the compiler: what is marked here must not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { askNow } from '../../actors/ask.ts'
import { command } from '../../api/endpoints/command.ts'
import { deleteOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { ActorName, AnswerOf, Command } from '../../machines/supervision/actors.ts'
import { fakeService } from '../support/service.ts'

test('an actor is told only what it takes, and its answer has a type', async (t) => {
  const { directory } = await fakeService(t)
  const settings = directory.actor('settings')
  assert.ok(settings)

  const reply = await askNow(settings, deleteOrder(streamCollection, 'front'))
  const revision: number | undefined = reply.outcome === 'done' ? reply.value?.revision : undefined

  assert.equal(revision, undefined)
  // @ts-expect-error nobody has that name
  assert.equal(directory.actor('setings'), undefined)
  // @ts-expect-error the settings know no such order
  const unknown = () => askNow(settings, { type: 'document.burn' })
  // @ts-expect-error an order of another actor
  const foreign = () => askNow(settings, { type: 'errors.clear' })
  // @ts-expect-error it lacks the id
  const partial: Command<'settings'> = { type: 'document.delete', collection: 'streams' }
  assert.deepEqual([typeof unknown, typeof foreign, partial.type], ['function', 'function', 'document.delete'])
})

test('a row names an actor that there is and sends what that one takes', () => {
  const row = { summary: 'Try', faults: [] }
  const rows = [
    command('POST', '/try', { ...row, to: 'errors', send: () => ({ type: 'errors.clear' }) }),
    // @ts-expect-error a name that is spelt otherwise
    command('POST', '/try', { ...row, to: 'error', send: () => ({ type: 'errors.clear' }) }),
    // @ts-expect-error an order that is spelt otherwise
    command('POST', '/try', { ...row, to: 'errors', send: () => ({ type: 'errors.clean' }) }),
    // @ts-expect-error the order of another actor
    command('POST', '/try', { ...row, to: 'streams', send: () => ({ type: 'errors.clear' }) }),
    command('POST', '/try', {
      ...row,
      to: 'settings',
      send: () => deleteOrder(streamCollection, 'front'),
      answer: {
        schema: Type.Object({}),
        example: {},
        // @ts-expect-error what the settings answer has no colour
        of: (_call, written) => ({ colour: written.colour }),
      },
    }),
  ]

  assert.equal(rows.length, 5)
})

test('names with a variable part stand for each of their actors', () => {
  const names: readonly ActorName[] = ['streams/front', 'nt4-link', 'settings']
  const answer: AnswerOf<'settings'> = { id: 'front', revision: 1, collectionRevision: 1, value: undefined }

  assert.equal(names.length, 3)
  assert.equal(answer.revision, 1)
})
