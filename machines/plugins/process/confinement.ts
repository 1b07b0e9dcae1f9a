// What holds a plugin, and what does not on this device.
import type { Static } from 'typebox'
import { schemaErrors } from '../../schema/errors.ts'
import Type from '../../schema/type.ts'

const MAX_WHY_LENGTH = 300
const MAX_MEANS = 20

export const Confinement = Type.Object(
  {
    means: Type.String({ maxLength: 40, description: 'What is confined: files, memory, network.' }),
    holds: Type.Boolean({ description: 'Whether it is.' }),
    why: Type.String({ maxLength: MAX_WHY_LENGTH, description: 'How, or why not, in words.' }),
  },
  {
    additionalProperties: false,
    title: 'PluginConfinement',
    description: 'One of the means by which a program is confined.',
  },
)
export type Confinement = Static<typeof Confinement>

const Report = Type.Array(Confinement, { maxItems: MAX_MEANS })

/** What the launcher told, its words shortened where they are too long; undefined: nothing that it would tell. */
export const confinementOf = (told: readonly unknown[]): readonly Confinement[] | undefined => {
  const short = told.map((each) => {
    const why = (each as { readonly why?: unknown } | null)?.why
    return typeof why === 'string' ? { ...(each as object), why: why.slice(0, MAX_WHY_LENGTH) } : each
  })
  return schemaErrors(Report, short).length === 0 ? (short as readonly Confinement[]) : undefined
}
