// Whether numbers are the corners of a thing whose pose can be solved.

const [MIN, MAX] = [4, 12]

/** In square metres; the engine divides by it. */
const MIN_AREA = 1e-8

/**
 * numbers: x, y and z of each corner, in metres, in their order around it; none: no model. Says what is wrong with
 * them; undefined: nothing.
 */
export const modelRefusal = (numbers: readonly number[]): string | undefined => {
  const count = numbers.length / 3
  if (count === 0) return undefined
  if (!Number.isInteger(count)) return `has ${numbers.length} numbers; each corner has three, x, y and z in metres`
  if (count < MIN || count > MAX) return `has ${count} corners; it needs from ${MIN} to ${MAX}`
  if (Math.abs(signedArea(numbers)) >= MIN_AREA) return undefined
  return 'has no extent as its viewer sees it; name its corners in their order around it, in x and y'
}

const signedArea = (numbers: readonly number[]): number => {
  const at = (n: number) => numbers[n % numbers.length] as number
  let twice = 0
  for (let n = 0; n < numbers.length; n += 3) twice += at(n) * at(n + 4) - at(n + 3) * at(n + 1)
  return twice / 2
}
