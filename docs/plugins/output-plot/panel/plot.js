// The numbers of a frame, and where they are drawn. It knows nothing of the device, so that it can be tested anywhere.

/** As far back as is drawn, in microseconds. */
export const SPAN_US = 60_000_000

const numbersIn = (row) => Object.entries(row ?? {}).filter(([, value]) => typeof value === 'number')

/**
 * All numbers of a frame, by a name for people: how many rows an output has, and each number of its first row, as
 * `tags: rows` and `aim: offset`.
 *
 * @param {Record<string, { kind: string, rows: readonly object[] }>} outputs
 * @returns {Map<string, number>}
 */
export const numbersOf = (outputs) => {
  const numbers = new Map()
  for (const [name, { rows }] of Object.entries(outputs)) {
    numbers.set(`${name}: rows`, rows.length)
    const [first] = rows
    for (const [key, value] of numbersIn(first)) numbers.set(`${name}: ${key}`, value)
    for (const [key, value] of numbersIn(first?.values)) numbers.set(`${name}: ${key}`, value)
  }
  return numbers
}

/** The last minute of a number. */
export class Curve {
  /** `[microseconds, value]`, the newest last. */
  points = []

  add(us, value) {
    if (us <= (this.points.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY)) this.points = [] // the clock is another one
    this.points.push([us, value])
    while (us - this.points[0][0] > SPAN_US) this.points.shift()
  }

  /** The least and the greatest value; a number that stays the same has room around it. */
  range() {
    const values = this.points.map(([, value]) => value)
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return least === most ? [least - 1, most + 1] : [least, most]
  }

  /** Where the points are in a box of this size, its top left being 0, 0. */
  placesIn(width, height) {
    const [least, most] = this.range()
    const [newest] = this.points.at(-1) ?? [0]
    return this.points.map(([us, value]) => [
      width * (1 - (newest - us) / SPAN_US),
      height * (1 - (value - least) / (most - least)),
    ])
  }
}
