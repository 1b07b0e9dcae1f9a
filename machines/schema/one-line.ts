// Texts for people that are wider than a line of source.

/**
 * A text that is written over several lines and read as one: each line break, with the space around it, becomes one
 * space, and what stands around the whole is left out. Values are put in as they are.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: readonly unknown[]): string =>
  parts
    .map((part, at) => part.replace(/\s*\n\s*/g, ' ') + (at < values.length ? String(values[at]) : ''))
    .join('')
    .trim()
