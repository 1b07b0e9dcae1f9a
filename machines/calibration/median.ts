// The middle of values.

/** Of an even number the upper one; 0: there are none. */
export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
