// Kinds of events: all of them are declared once, and the declaration can carry what other devices will tell.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Type from 'typebox'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { eventExample, eventSchema, titleOf } from '../../../machines/events/event.ts'
import { type EventKind, eventKind } from '../../../machines/events/kind.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { eventKindsOf } from '../../../supervisors/composition/compose.ts'
import { tree } from '../../../supervisors/tree.ts'

const eventKinds = eventKindsOf(tree)

const root = join(import.meta.dirname, '../../..')

test('every kind that a room declares is listed by a branch, under a name of its own', async () => {
  const rooms = await Promise.all(
    globSync('machines/*/events.ts', { cwd: root }).map((path) => import(join(root, path))),
  )
  const declared = rooms.flatMap((room) => Object.values<EventKind>(room))

  assert.deepEqual(new Set(declared), new Set(eventKinds))
  assert.equal(new Set(eventKinds.map(titleOf)).size, eventKinds.length)
})

test('kinds and the fields of their references have names as on the wire, and an example that fits', () => {
  for (const each of eventKinds) {
    assert.match(each.kind, /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/)
    for (const field of Object.keys(each.reference.properties)) assert.match(field, /^[a-z][a-z0-9_]*_(id|uid|name)$/)
    assert.match(each.about, /^[A-Z].*\.$/)
    assert.deepEqual(schemaErrors(eventSchema(each), eventExample(each)), [], each.kind)
  }
})

const Id = Type.String({ minLength: 1, maxLength: 60 })
const ofStream = { peer_id: Type.Optional(Id), stream_id: Id }

/** Those of devices among themselves, and what each refers to. */
const BETWEEN_DEVICES = {
  stream_changed: { reference: ofStream, resource_ref: { stream_id: 'front' } },
  pipeline_changed: {
    reference: { ...ofStream, pipeline_id: Id },
    resource_ref: { peer_id: 'left', stream_id: 'front', pipeline_id: 'tags' },
  },
  pose_changed: { reference: { camera_id: Id }, resource_ref: { camera_id: 'usb-1' } },
  localization_source_changed: {
    reference: { stream_id: Id, output_id: Id },
    resource_ref: { stream_id: 'front', output_id: 'pose' },
  },
  peer_health: { reference: { peer_id: Id }, resource_ref: { peer_id: 'left' } },
}

test('the kinds that devices tell one another can be declared, published and checked', () => {
  const events = createEventBus({ epoch: 'e1', nowMs: () => 1000 })

  for (const [kind, { reference, resource_ref }] of Object.entries(BETWEEN_DEVICES)) {
    const fact = { resource_ref, revision: 7 }
    const declared = eventKind({
      kind,
      about: 'Told by a device.',
      reference: reference as Type.TProperties,
      data: null,
      revised: true,
      example: fact,
    })
    const schema = eventSchema(declared)
    const event = events.publish(declared, fact)
    const wrong = { ...event, resource_ref: { ...resource_ref, streams_id: 'front' } }

    assert.deepEqual({ ...event, seq: 0 }, { seq: 0, epoch: 'e1', timestamp_ms: 1000, kind, ...fact })
    assert.deepEqual(schemaErrors(schema, event), [])
    assert.deepEqual(
      schemaErrors(schema, wrong).map(({ pointer }) => pointer),
      ['/resource_ref/streams_id'],
    )
  }
})
