// Which topics a subscription is about.

/**
 * Whether a subscription to `patterns` covers a topic. A pattern reaches the server's own topics (`$...`) only when it
 * begins with `$`.
 */
export const matches = (patterns: readonly string[], prefix: boolean, name: string): boolean =>
  patterns.some((pattern) =>
    prefix ? name.startsWith(pattern) && (pattern.startsWith('$') || !name.startsWith('$')) : name === pattern,
  )
