// The pair of sockets between the service and an engine, wherever there is room for the moment in which they meet.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { socketPair } from '../../../../native/engine/service/socket-pair.ts'
import { arrival } from '../../../support/until.ts'

/** What is written at one end, as it comes out at the other. */
const said = async (t: TestContext): Promise<string> => {
  const heard = Promise.withResolvers<string>()
  const { ours, theirs } = await socketPair((chunk) => heard.resolve(chunk.toString()))
  t.after(() => {
    ours.destroy()
    theirs.destroy()
  })
  theirs.write('hello')
  return arrival('what was said', heard.promise)
}

test('what one end says the other hears', async (t) => {
  assert.equal(await said(t), 'hello')
})

test('it needs no folder for temporary files: the disk may be full when an engine is started again', async (t) => {
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  process.env.TMPDIR = '/no/such/folder'

  assert.equal(await said(t), 'hello')
})
