// One session with its program: what is asked of it before there is a program.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActor } from 'xstate'
import { consoleSessionActor } from '../../../actors/console/console-session-actor.ts'
import { ConsoleSessions, type ConsolesParts } from '../../../actors/console/console-sessions.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FakeConsole } from '../../../native/console/fake.ts'
import { arrival } from '../../support/until.ts'

const directory = {
  identity: { epoch: 'e'.repeat(32) },
  clock: { nowMs: () => 0, monotonicUs: () => 0 },
  events: { publish: () => {} },
} as unknown as ConsolesParts['directory']

test('a session that is ended before its program is started ends, and none is started', async () => {
  const port = new FakeConsole()
  const sessions = new ConsoleSessions({
    directory,
    port,
    log: () => {},
    isEnabled: true,
    onBug: (bug) => assert.fail(String(bug)),
  })
  const made = sessions.create({}, 'a')
  const [id = ''] = sessions.ids()
  const ended = sessions.end(id, 'a')
  const session = sessions.get(id)
  assert.ok(session)

  createActor(consoleSessionActor({ session, port, ended: (ending) => sessions.ended(id, ending) })).start()

  assert.equal(await arrival('the end', ended), undefined)
  assert.equal(((await made) as Fault).code, 'console.failed')
  assert.deepEqual([port.terminals, sessions.ids()], [[], []])
})
