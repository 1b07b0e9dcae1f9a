// Descriptions of texts: what one is for, beside what it is made of.
import type { TSchema } from 'typebox'

/**
 * A text with a pattern, in a field of its own. What it is made of stays in front: a client that sends another is told
 * that first sentence.
 */
export const about = <Schema extends TSchema>(schema: Schema, purpose: string): Schema => ({
  ...schema,
  description: `${(schema as { readonly description?: string }).description} ${purpose}`,
})
