// JSON that comes from elsewhere, which may be none.

/** What a text says; undefined: it is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
