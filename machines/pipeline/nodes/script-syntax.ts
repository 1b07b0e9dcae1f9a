// The source of a script, compiled and not run: what is wrong with it is found where it is written.
import { Script } from 'node:vm'

/** Of which the errors say that they come. */
export const SCRIPT_FILE = 'script'

/** Mistakes that JavaScript would pass over in silence are errors. Stands before each source, on its first line. */
export const STRICT = '"use strict";'

/** What JavaScript has words for, and scripts do without. */
const ABSENT: Readonly<Record<string, string>> = {
  import: 'there are no modules here',
  async: 'step gives its values at once',
  await: 'step gives its values at once',
}

/** Throws a SyntaxError, or a RangeError for what is nested too deeply. */
export const compileScript = (source: string): void => {
  compile(source)
  for (const [word, why] of Object.entries(ABSENT)) {
    const at = placeOf(word, source)
    if (at !== undefined) throw new SyntaxError(`${word} cannot be used: ${why}${at}`)
  }
}

const compile = (source: string): void => {
  new Script(`${STRICT}${source}`, { filename: SCRIPT_FILE, columnOffset: -STRICT.length })
}

const NO_CODE = '@' // in no place of a program; in texts, comments and patterns nothing special

/**
 * Where a word is part of the program, as the end of a sentence; undefined: it is not, or only in texts and comments.
 *
 * With something else in all its places a source compiles no longer if one of them is in the program: the compiler
 * knows best which are.
 */
const placeOf = (word: string, source: string): string | undefined => {
  const places = new RegExp(`(?<![\\p{ID_Continue}$\\u200c\\u200d])${word}(?![\\p{ID_Continue}$\\u200c\\u200d])`, 'gu')
  const without = source.replace(places, NO_CODE.repeat(word.length))
  if (without === source) return undefined
  try {
    compile(without)
    return undefined
  } catch (error) {
    return atLine((error as Error).stack)
  }
}

/** The line of a script that an error comes from, as its stack says; undefined: it does not. */
export const lineOf = (stack: unknown): number | undefined => {
  const line = typeof stack === 'string' ? /\bscript:(\d+)/.exec(stack)?.[1] : undefined
  return line === undefined ? undefined : Number(line)
}

/** The same as the end of a sentence. */
export const atLine = (stack: unknown): string => {
  const line = lineOf(stack)
  return line === undefined ? '' : ` (line ${line})`
}

const MAX_MESSAGE_LENGTH = 300 // V8 repeats a whole pattern that it does not understand

/** What keeps a source from being a script, as the end of a sentence; undefined: nothing. */
export const scriptRefusal = (source: string): string | undefined => {
  try {
    compileScript(source)
    return undefined
  } catch (error) {
    const { message, stack } = error as Error
    return `is no JavaScript: ${message.slice(0, MAX_MESSAGE_LENGTH)}${atLine(stack)}`
  }
}
