// The builders of schemas against typebox's own, whose place they take.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import TypeBox from 'typebox'
import Type from '../../../machines/schema/type.ts'

/** One schema of each kind, made by either. */
const schemasBy = (T: typeof Type) => {
  const inner = T.Object({ a: T.Optional(T.String({ minLength: 1 })), b: T.Number() }, { additionalProperties: false })
  return [
    inner,
    T.Object({}),
    T.Object({ a: T.Optional(inner) }, { description: 'd' }),
    T.Partial(inner, { additionalProperties: false }),
    T.Object({ p: T.Partial(inner) }),
    T.Array(T.Null(), { minItems: 1 }),
    T.Union([T.Literal('a'), T.Literal(3), T.Literal(true), T.Boolean()], { description: 'u' }),
    T.Enum(['a', 'b'], { description: 'e' }),
    T.Record(T.String(), T.Unknown(), { maxProperties: 4 }),
    T.Record(T.String({ pattern: '^a' }), T.Integer()),
    T.Unsafe<number>({ type: 'string', format: 'x' }),
    T.Unknown({ description: 'k' }),
  ]
}

test('every builder makes what the one of typebox does, to the order of its keys', () => {
  assert.deepEqual(
    schemasBy(Type).map((schema) => JSON.stringify(schema)),
    schemasBy(TypeBox as unknown as typeof Type).map((schema) => JSON.stringify(schema)),
  )
})
