// The builders of typebox that the schemas of this project are made of. Named one by one, so that the bundle has these
// alone: typebox is 370 files, most of them for a language that nobody speaks here.
import * as TypeBox from 'typebox'

export default {
  Array: TypeBox.Array,
  Boolean: TypeBox.Boolean,
  Enum: TypeBox.Enum,
  Integer: TypeBox.Integer,
  Literal: TypeBox.Literal,
  Null: TypeBox.Null,
  Number: TypeBox.Number,
  Object: TypeBox.Object,
  Optional: TypeBox.Optional,
  Partial: TypeBox.Partial,
  Record: TypeBox.Record,
  String: TypeBox.String,
  Union: TypeBox.Union,
  Unknown: TypeBox.Unknown,
  Unsafe: TypeBox.Unsafe,
}
