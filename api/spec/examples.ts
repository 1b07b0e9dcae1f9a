// The examples that have a name of their own in a document, each once.
import type { TSchema } from 'typebox'

/** The examples of one document. They are collected while the rows are written. */
export class Examples {
  readonly #names = new Map<string, string>()
  readonly #written: Record<string, { readonly value: unknown }> = {}

  /** An example of a schema as it is written where it is used. It is named after the schema. */
  readonly referring = (schema: TSchema, value: unknown): object => {
    const { title = 'Value' } = schema as { readonly title?: string }
    return { example: { $ref: `#/components/examples/${this.#nameOf(title, value)}` } }
  }

  /** All that were referred to so far, by name. */
  get written(): Readonly<Record<string, object>> {
    return this.#written
  }

  #nameOf(title: string, value: unknown): string {
    const key = `${title} ${JSON.stringify(value)}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    let name = title
    for (let number = 2; name in this.#written; number++) name = `${title}${number}`
    this.#names.set(key, name)
    this.#written[name] = { value }
    return name
  }
}
