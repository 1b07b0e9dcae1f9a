// What the schemas of this project are made of.

/** The keywords that are explained. A test holds every schema against this list. */
export interface Keywords {
  readonly type?: string
  readonly anyOf?: readonly Keywords[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly patternProperties?: Readonly<Record<string, Keywords>>
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Keywords
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly description?: string
}
