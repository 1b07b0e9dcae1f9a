// Small dense matrices in arrays that are used again: by rows, one after the other, without allocation.

/** All arrays of a solve are of one kind, so that these stay fast. */
export const at = (numbers: Float64Array, n: number): number => numbers[n] as number

export const add = (numbers: Float64Array, n: number, by: number): void => {
  numbers[n] = (numbers[n] as number) + by
}

/** One that holds at least `length`; what it held is lost where it must grow. */
export const ofLength = (numbers: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> =>
  numbers.length >= length ? numbers : new Float64Array(Math.max(length, 2 * numbers.length))

/** A pivot below that share of its diagonal is rounding: what is left has no inverse. */
const MIN_PIVOT_SHARE = 1e-13

/**
 * Replaces the lower triangle of a symmetric matrix, of which the lower triangle is read, by its Cholesky factor.
 * False: it is not positive definite, or not finite. stride: from row to row.
 */
export const factorise = (matrix: Float64Array, size: number, stride = size): boolean => {
  for (let row = 0; row < size; row++) {
    const base = row * stride
    for (let column = 0; column < row; column++) {
      const other = column * stride
      let sum = at(matrix, base + column)
      for (let k = 0; k < column; k++) sum -= at(matrix, base + k) * at(matrix, other + k)
      matrix[base + column] = sum / at(matrix, other + column)
    }
    const diagonal = at(matrix, base + row)
    let pivot = diagonal
    for (let k = 0; k < row; k++) pivot -= at(matrix, base + k) ** 2
    if (!(pivot > MIN_PIVOT_SHARE * diagonal) || pivot === Number.POSITIVE_INFINITY) return false
    matrix[base + row] = Math.sqrt(pivot)
  }
  return true
}

/** Solves L y = b in place. first: of b. step: between its numbers. */
export const solveLower = (
  factor: Float64Array,
  size: number,
  stride: number,
  b: Float64Array,
  first = 0,
  step = 1,
): void => {
  for (let row = 0; row < size; row++) {
    let sum = at(b, first + row * step)
    for (let k = 0; k < row; k++) sum -= at(factor, row * stride + k) * at(b, first + k * step)
    b[first + row * step] = sum / at(factor, row * stride + row)
  }
}

/** Solves L' x = y in place. */
export const solveUpper = (
  factor: Float64Array,
  size: number,
  stride: number,
  b: Float64Array,
  first = 0,
  step = 1,
): void => {
  for (let row = size - 1; row >= 0; row--) {
    let sum = at(b, first + row * step)
    for (let k = row + 1; k < size; k++) sum -= at(factor, k * stride + row) * at(b, first + k * step)
    b[first + row * step] = sum / at(factor, row * stride + row)
  }
}

/** The inverse of a matrix, whole and by rows, from its factor. */
export const invertFactor = (factor: Float64Array, size: number, inverse: Float64Array): void => {
  for (let column = 0; column < size; column++) {
    for (let row = 0; row < size; row++) inverse[row * size + column] = row === column ? 1 : 0
    solveLower(factor, size, size, inverse, column, size)
    solveUpper(factor, size, size, inverse, column, size)
  }
}
