// Whose bundles a device believes: the file update-keys.json, and what stands in a bundle beside its manifest.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const KeyId = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description: 'The first 16 digits of the SHA-256 of its 32 bytes, hexadecimal.',
})

/** A key whose bundles are believed. */
export const UpdateKey = Type.Object(
  {
    id: KeyId,
    public_key: Type.String({ pattern: '^[\\w-]{43}$', description: 'Ed25519, its 32 bytes as base64url.' }),
    not_after_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Unix time after which nothing that it signed is installed; null: never.',
    }),
  },
  { ...strict, title: 'UpdateKey', description: 'A key whose bundles are believed.' },
)
export type UpdateKey = Static<typeof UpdateKey>

/** The file update-keys.json. */
export const UpdateKeys = Type.Object(
  { keys: Type.Array(UpdateKey, { maxItems: 32, description: 'One of them is enough.' }) },
  { ...strict, title: 'UpdateKeys', description: 'Whose bundles a device believes.' },
)
export type UpdateKeys = Static<typeof UpdateKeys>

/** The file signatures.json of a bundle. */
export const BundleSignatures = Type.Array(
  Type.Object(
    {
      key: KeyId,
      signature: Type.String({ pattern: '^[\\w-]{86}$', description: 'Ed25519, its 64 bytes as base64url.' }),
    },
    { ...strict, title: 'BundleSignature', description: 'Of the bytes of release.json.' },
  ),
  {
    minItems: 1,
    maxItems: 16,
    title: 'BundleSignatures',
    description: oneLine`
      Who signed a release: one that is believed is enough, so that a bundle may carry one of a key that is about to be
      replaced beside that of the new one.
    `,
  },
)
export type BundleSignatures = Static<typeof BundleSignatures>

/** All keys of some files. Of a key that stands in several the first one counts: it may say when that key ends. */
export const unitedKeys = (...files: readonly UpdateKeys[]): readonly UpdateKey[] => [
  ...new Map(
    files
      .flatMap(({ keys }) => keys)
      .toReversed()
      .map((key) => [key.id, key]),
  ).values(),
]

/**
 * By which time keys are judged: a device without a clock begins in the past, but never before what it runs was built.
 */
export const keyTimeMs = (nowMs: number, builtAtMs: number): number => Math.max(nowMs, builtAtMs)

/** Whether nothing that it signed is believed any more. */
export const isExpired = ({ not_after_ms }: UpdateKey, timeMs: number): boolean =>
  not_after_ms !== null && not_after_ms < timeMs
