// Topics as a tree, by the parts of their names.

/** A row of the tree as it is shown: a folder, or a topic. */
export interface TreeRow {
  /** Of a topic its whole name; of a folder how the names in it begin, with the slash at the end. */
  readonly path: string
  readonly name: string
  readonly depth: number
  /** How many topics are in it; undefined: it is a topic. */
  readonly count: number | undefined
}

const MAX_ROWS = 400 // more than anybody reads; the search finds the others

/** What is shown. */
export interface Tree {
  readonly rows: readonly TreeRow[]
  /** Rows for which there was no room. */
  readonly more: number
}

const partsOf = (name: string): readonly string[] => name.split('/').filter((part) => part !== '')

/**
 * The rows of some topics, which are sorted: what is in a folder stands below it when that is open.
 */
export const treeOf = (names: readonly string[], isOpen: (path: string) => boolean): Tree => {
  const rows: TreeRow[] = []
  let more = 0
  const add = (row: TreeRow) => {
    if (rows.length < MAX_ROWS) rows.push(row)
    else more += 1
  }
  const walk = (
    inside: readonly (readonly [name: string, parts: readonly string[]])[],
    above: string,
    depth: number,
  ) => {
    const folders = Map.groupBy(inside, ([, parts]) => parts[depth] ?? '')
    for (const [part, below] of folders) {
      const path = `${above}${part}/`
      const topics = below.filter(([, parts]) => parts.length === depth + 1)
      const deeper = below.filter(([, parts]) => parts.length > depth + 1)
      for (const [name] of topics) add({ path: name, name: part || name, depth, count: undefined })
      if (deeper.length === 0) continue
      add({ path, name: part, depth, count: deeper.length })
      if (isOpen(path)) walk(deeper, path, depth + 1)
    }
  }
  walk(
    names.map((name) => [name, partsOf(name)] as const),
    '/',
    0,
  )
  return { rows, more }
}
