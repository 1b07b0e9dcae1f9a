// Choosing by several things, of which those that are compared first weigh more.

/** The best first. rankOf: what is compared of each, number by number; more is better. Equals keep their order. */
export const bestFirst = <Item>(items: readonly Item[], rankOf: (item: Item) => readonly number[]): readonly Item[] =>
  items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => compare(b.rank, a.rank))
    .map(({ item }) => item)

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, n) => value !== b[n])
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number)
}
