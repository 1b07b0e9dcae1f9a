// The schemas that have a name of their own in a document: those with a `title`. They are collected while the rows are
// written; all others stand where they are used.
import type { TSchema } from 'typebox'

type Json = Readonly<Record<string, unknown>>

/** The named schemas of one document. */
export class Components {
  /** Whether a union says by which field its branches are told apart, as OpenAPI has it. */
  readonly #discriminates: boolean
  readonly #declared = new Map<string, string>()
  readonly #written = new Map<string, Json>()

  constructor({ discriminates = false }: { readonly discriminates?: boolean } = {}) {
    this.#discriminates = discriminates
  }

  /**
   * A schema as it is written where it is used: a reference when it has a name. Throws when schemas that differ have
   * the same name.
   */
  readonly referring = (schema: TSchema): Json => {
    const { title } = schema as Json
    return typeof title === 'string' ? this.#reference(title, schema as Json) : this.#parts(schema as Json)
  }

  /** All that were referred to so far, by name. */
  get schemas(): Json {
    return Object.fromEntries([...this.#written].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #reference(title: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    const known = this.#declared.get(title)
    if (known !== undefined && known !== text)
      throw new Error(`two schemas that differ have the title ${title}; give one of them another`)
    this.#declared.set(title, text)
    if (known === undefined) this.#written.set(title, this.#parts(schema))
    return { $ref: `#/components/schemas/${title}` }
  }

  #parts(schema: Json): Json {
    const written = Object.fromEntries(
      Object.entries(asEnum(schema)).map(([key, value]) => [key, this.#part(key, value)]),
    )
    const discriminator = this.#discriminates ? discriminatorOf(schema) : undefined
    return discriminator ? { ...written, discriminator } : written
  }

  /** What stands under a keyword: schemas, where the keyword takes some. */
  #part(keyword: string, value: unknown): unknown {
    if (keyword === 'items') return this.referring(value as TSchema)
    if (keyword === 'anyOf') return (value as readonly TSchema[]).map(this.referring)
    if (keyword !== 'properties' && keyword !== 'patternProperties') return value
    return Object.fromEntries(
      Object.entries(value as Json).map(([key, each]) => [key, this.referring(each as TSchema)]),
    )
  }
}

/** A union of literals reads better as an enumeration. */
const asEnum = (schema: Json): Json => {
  const branches = schema.anyOf as readonly Json[] | undefined
  if (!branches?.every((branch) => 'const' in branch)) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { type: 'string', enum: branches.map((branch) => branch.const), ...rest }
}

/** Of a union of named objects: the field that all of them must have, each with a value of its own. */
const discriminatorOf = ({ anyOf }: Json): object | undefined => {
  const branches = (anyOf ?? []) as readonly Json[]
  if (branches.length < 2 || !branches.every(({ title, properties }) => title !== undefined && properties)) return
  const [first] = branches as readonly [Json]
  for (const propertyName of Object.keys(first.properties as Json)) {
    const values = branches.map((branch) => valueIn(branch, propertyName))
    if (values.includes(undefined) || new Set(values).size < values.length) continue
    const mapping = values.map((value, n) => [value, `#/components/schemas/${branches[n]?.title}`])
    return { propertyName, mapping: Object.fromEntries(mapping) }
  }
  return
}

/** The one text that a field of it must have. */
const valueIn = ({ properties, required }: Json, name: string): string | undefined => {
  const { const: value } = ((properties as Json)[name] ?? {}) as Json
  return typeof value === 'string' && (required as readonly string[] | undefined)?.includes(name) ? value : undefined
}
