// The order of versions, as semver.org has it.

/** Whether a version comes before another one. What cannot be read comes before all that can. */
export const isOlder = (version: string, other: string): boolean => compare(version, other) < 0

const compare = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)]
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined)
  for (const [n, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[n] as number)
    if (difference !== 0) return difference
  }
  return comparePrereleases(left.prerelease, right.prerelease)
}

const partsOf = (version: string) => {
  const [, core, prerelease] = /^(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version) ?? []
  return core === undefined
    ? undefined
    : { numbers: core.split('.').map(Number), prerelease: prerelease?.split('.') ?? [] }
}

/** A release comes after all that led up to it. */
const comparePrereleases = (left: readonly string[], right: readonly string[]): number => {
  if (left.length === 0 || right.length === 0) return Number(left.length === 0) - Number(right.length === 0)
  for (let n = 0; n < Math.min(left.length, right.length); n += 1) {
    const difference = compareIdentifiers(left[n] as string, right[n] as string)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Numbers by value and before texts. */
const compareIdentifiers = (left: string, right: string): number => {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isNumber && otherIsNumber) return Number(left) - Number(right)
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1
  return left < right ? -1 : Number(left > right)
}
