// A device without an identity: it looks again until it has one.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createActor } from 'xstate'
import { identityActor } from '../../../actors/identity/identity-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { identityMachine } from '../../../machines/identity/identity-machine.ts'
import { fileIdentity } from '../../../native/identity/file.ts'
import { keptIdentity } from '../../../native/identity/port.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { walk } from '../../support/walk.ts'

const [FULL, AWAY]: readonly Fault[] = [
  { code: 'identity.not_kept', detail: 'there is no room' },
  { code: 'identity.unreadable', detail: 'it may not be read' },
] as const

test('it ends only with an identity, and says until then why there is none', () => {
  const walked = walk(identityMachine, {
    input: { fault: FULL },
    samples: [{ type: 'xstate.error.actor.look', error: AWAY }],
    check: ({ event, snapshot }) => {
      assert.equal(snapshot.status, event.type === 'xstate.done.actor.look' ? 'done' : 'active')
      assert.ok(snapshot.context.fault)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['kept', 'looking', 'missing'])
})

test('it looks again every 15 s, and is kept as soon as there is room', async (t) => {
  const path = join(folderOf(t), 'identity.pem')
  mkdirSync(join(`${path}.next`, 'in-the-way'), { recursive: true })
  const port = fileIdentity(path, () => {})
  const clock = simulatedClock()
  const actor = createActor(identityActor(port), { clock, input: { fault: port.now() as Fault } }).start()
  t.after(() => actor.stop())
  const isNow = (wanted: string) => untilState(actor, ({ value }) => value === wanted, wanted)

  clock.increment(14_999)
  assert.equal(actor.getSnapshot().value, 'missing')
  clock.increment(1)
  await isNow('missing')
  assert.equal(keptIdentity(port), null)
  await settle()
  rmSync(`${path}.next`, { recursive: true })
  clock.increment(15_000)
  await isNow('kept')

  assert.ok(keptIdentity(port))
})
