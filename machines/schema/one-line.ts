// Texts for people that are wider than a line of source.

/**
 * A text that is written over several lines and read as one: each line break, with the space around it, becomes one
 * space, and what stands around the whole is left out. Values are put in as they are.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string => {
  const lines = parts.map((part) => part.replace(/\s*\n\s*/g, ' '))
  return lines
    .map((part, at) => part + (values[at] ?? ''))
    .join('')
    .trim()
}
