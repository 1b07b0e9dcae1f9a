// Words of which each means something: their schema says what.
import Type from './type.ts'

/** One of these words. title: its name in the documents. */
export const enumOf = <Word extends string>(meanings: Readonly<Record<Word, string>>, title: string) =>
  Type.Enum(Object.keys(meanings) as Word[], {
    title,
    description: Object.entries(meanings)
      .map(([word, meaning]) => `${word}: ${meaning}.`)
      .join(' '),
  })
