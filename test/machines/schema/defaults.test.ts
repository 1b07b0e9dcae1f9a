// Documents with defaults: what may be left out, and what is filled in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Type, { type Static } from 'typebox'
import { filled, inputOf, withDefault } from '../../../machines/schema/defaults.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import { CanonicalSource, SourceDocument } from '../../../machines/stream/sources/source.ts'
import { fitting } from '../../support/api/arbitrary.ts'

const strict = { additionalProperties: false } as const
const fields = {
  name: Type.String(),
  watts: withDefault(Type.Number({ minimum: 1, description: 'Electric power.' }), 5),
  colour: Type.Optional(Type.String()),
}
const Lamp = Type.Object(fields, strict)
const LampInput = inputOf(fields, strict)

test('an input may leave out what has a default, and nothing else that the whole document has', () => {
  const least: Static<typeof LampInput> = { name: 'desk' }
  // @ts-expect-error the whole one has its watts
  const whole: Static<typeof Lamp> = least

  assert.deepEqual(schemaErrors(LampInput, whole), [])
  assert.deepEqual(schemaErrors(Lamp, least), [{ pointer: '/watts', message: 'is missing' }])
  assert.deepEqual(schemaErrors(LampInput, {}), [{ pointer: '/name', message: 'is missing' }])
  assert.equal(schemaErrors(LampInput, { name: 'desk', watts: 0 }).length, 1)
})

test('an input tells its defaults in words, the whole document by the keyword', () => {
  const { watts } = LampInput.properties as unknown as Record<string, Record<string, unknown>>

  assert.deepEqual([watts?.description, watts?.default], ['Electric power. Default: 5.', undefined])
  assert.deepEqual(Lamp.properties.watts.default, 5)
})

test('what is missing is filled in, and what is there stays, whatever it is', () => {
  const Room = Type.Object({ lamps: Type.Array(Lamp), best: Type.Union([Type.Null(), Lamp]) }, strict)

  assert.deepEqual(filled(Lamp, { name: 'desk' }), { name: 'desk', watts: 5 })
  assert.deepEqual(filled(Lamp, { watts: null, strange: 1 }), { watts: null, strange: 1 })
  assert.deepEqual(filled(Room, { lamps: [{ name: 'a' }, 7], best: null }), {
    lamps: [{ name: 'a', watts: 5 }, 7],
    best: null,
  })
  for (const odd of [undefined, null, 7, 'text', [1]]) assert.deepEqual(filled(Lamp, odd), odd)
})

test('a default that was filled in is not shared', () => {
  const Box = Type.Object({ lamps: withDefault(Type.Array(Type.String()), []) })

  const first = filled(Box, {}) as { lamps: string[] }
  first.lamps.push('mine')

  assert.deepEqual(filled(Box, {}), { lamps: [] })
})

test('of a union the branch that was meant is filled in', () => {
  const images = filled(CanonicalSource, { backend: 'images', path: '/pictures' })

  assert.deepEqual(images, { backend: 'images', path: '/pictures', fps: 30, loop: true, pace: 'realtime' })
  assert.deepEqual(filled(CanonicalSource, { backend: 'magic' }), { backend: 'magic' })
})

test('every source that may be sent is whole when it is filled in, and a whole one is not changed', () => {
  fc.assert(
    fc.property(fitting(SourceDocument), (source) => {
      fc.pre((source as { backend: string }).backend !== 'v4l2') // whose mode is chosen among those of the camera
      const whole = filled(CanonicalSource, source)
      assert.deepEqual(schemaErrors(CanonicalSource, whole), [])
      assert.deepEqual(filled(CanonicalSource, whole), whole)
    }),
    { numRuns: 200 },
  )
})

test('every whole manifest may be sent as it is', () => {
  fc.assert(
    fc.property(fitting(CanonicalManifest), (manifest) => {
      assert.deepEqual(schemaErrors(StreamManifest, manifest), [])
    }),
    { numRuns: 200 },
  )
})
