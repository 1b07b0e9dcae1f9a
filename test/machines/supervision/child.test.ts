// What people are shown of a supervised child.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition } from 'xstate'
import { httpServerMachine } from '../../../machines/http/http-server-machine.ts'
import { settingsWriterMachine } from '../../../machines/settings/settings-writer-machine.ts'
import { streamMachine } from '../../../machines/stream/stream-machine.ts'
import { type ChildSnapshot, type ChildStatus, findPresent, hasComeUp } from '../../../machines/supervision/child.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

const crash = { code: 'engine.crashed', detail: 'it is gone' } as const
const own = { code: 'camera.lost', detail: 'it was unplugged' } as const

const child = (state: ChildStatus['state'], fault: ChildStatus['fault'] = null): ChildStatus => ({
  id: 'part',
  state,
  since_ms: 0,
  restarts: 0,
  fault,
})
const active = (value: unknown, context: unknown = {}) => ({ status: 'active', value, context })

type Row = readonly [ChildStatus, ChildSnapshot | undefined, state: string, fault: string | null]

const rows: readonly Row[] = [
  [child('starting'), undefined, 'starting', null],
  [child('starting', crash), undefined, 'starting', 'engine.crashed'],
  [child('restarting', crash), undefined, 'restarting', 'engine.crashed'],
  [child('failed', crash), undefined, 'failed', 'engine.crashed'],
  [child('failed', crash), active('live'), 'failed', 'engine.crashed'],
  [child('running'), undefined, 'starting', null],
  [child('running'), active('live'), 'live', null],
  [child('running'), active({ server: 'listening' }), 'server.listening', null],
  [child('running', crash), active({ opening: 'camera' }), 'opening.camera', 'engine.crashed'],
  [child('running', crash), active('backing-off', { fault: own }), 'backing-off', 'camera.lost'],
  [child('running'), active('live', { fault: null }), 'live', null],
  [child('running'), { ...active('live'), status: 'error', error: new Error('bug') }, 'restarting', 'actor.crashed'],
  [
    child('running'),
    { ...active('crashed'), status: 'done', output: { outcome: 'crashed', fault: own } },
    'restarting',
    'camera.lost',
  ],
  [child('running'), { ...active('live'), status: 'stopped' }, 'live', null],
]

test('a part shows the state of its actor while that runs, else its own, and what is wrong now', () => {
  for (const [has, snapshot, state, fault] of rows) {
    const present = findPresent(has, snapshot)

    assert.deepEqual([present.state, present.fault?.code ?? null], [state, fault], JSON.stringify([has, snapshot]))
  }
})

test('what may fail as soon as it is started has not come up with that', () => {
  const [stream] = initialTransition(streamMachine, storedStream(1, { id: 'front', source: { backend: 'synthetic' } }))
  const [settings] = initialTransition(settingsWriterMachine, { collections: new Map() })
  const [http] = initialTransition(httpServerMachine)

  assert.deepEqual([stream, settings, http].map(hasComeUp), [false, false, false])
})
