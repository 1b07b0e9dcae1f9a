// Which lines are wider than a window, for the rules about code and about pages.

const MAX_COLUMNS = 120

const isWide = (line: string): boolean => [...line].length > MAX_COLUMNS

/** An address cannot be broken. */
const hasLongAddress = (line: string): boolean => /https?:\/\/\S{80}/.test(line)

/** The numbers of the lines of a source text that are too wide. */
export const wideLinesOfCode = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, at) => (isWide(line) && !hasLongAddress(line) ? [at + 1] : []))

/**
 * The lines of a page that are too wide. A row of a table, an address outside of commands and a text within JSON cannot
 * be broken.
 */
export const wideLinesOfPage = (text: string): readonly string[] => {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [, language] = /^\s*```(\w*)/.exec(line) ?? []
    if (language !== undefined) fence = fence === undefined ? language : undefined
    if (!isWide(line) || fence === 'json') return false
    return fence !== undefined || !(line.trimStart().startsWith('|') || hasLongAddress(line))
  })
}
