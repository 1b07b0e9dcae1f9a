// The existing names that an unknown name may have meant.

/** So many slips of the fingers are forgiven: one in short names, two in longer ones. */
const maxSlips = (name: string): number => (name.length <= 4 ? 1 : 2)

/** Names that are longer are made by programs. */
const MAX_LENGTH = 40

/**
 * The one name that is nearest, when it is near: no more than two letters are missing, too many, wrong or swapped.
 * undefined: there is none, or a choice.
 */
export const nearestName = (name: string, names: Iterable<string>): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined
  const most = maxSlips(name)
  let least = most + 1
  let nearest: string | undefined
  for (const each of names) {
    const slips = slipsBetween(plain(name), plain(each), least + 1)
    if (slips > least || slips > most) continue
    nearest = slips < least ? each : undefined
    least = slips
  }
  return nearest
}

/** People write AprilTag and april_tag. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * How many letters to add, take away, change or swap (the optimal string alignment distance); at least `most`, where it
 * is not less.
 */
const slipsBetween = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) >= most) return most
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? (before[j - 2] as number) + 1 : most
      next.push(Math.min(change, swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return Math.min(row[b.length] as number, most)
}
