// How far the tilt and the bias of the gyroscope may be off, and what a measurement says of them: the covariance of a
// multiplicative extended Kalman filter (E. J. Lefferts, F. L. Markley, M. D. Shuster, "Kalman filtering for spacecraft
// attitude estimation", 1982). Its five states are the error of the tilt about the world's x and y (rad) and of the
// bias along the body's x, y and z (rad/s). The heading is none: nothing here measures it.

const N = 5
const TILT = 2 // states before the bias

export class TiltKalman {
  readonly #p = new Float64Array(N * N)
  readonly #m = new Float64Array(N * N)
  readonly #k = new Float64Array(N * TILT)
  /** What the last measurement says is off, in the order of the states. */
  readonly error = new Float64Array(N)

  /** Begins with standard deviations, in radians and radians in a second. */
  begin(tilt: number, bias: number): void {
    this.#p.fill(0)
    for (let at = 0; at < N; at++) this.#p[at * (N + 1)] = (at < TILT ? tilt : bias) ** 2
  }

  /** What is known of the tilt is lost, as after a gap; what is known of the bias stays. */
  loseTilt(tilt: number): void {
    for (let at = 0; at < N; at++)
      for (let row = 0; row < TILT; row++) {
        this.#p[row * N + at] = 0
        this.#p[at * N + row] = 0
      }
    for (let at = 0; at < TILT; at++) this.#p[at * (N + 1)] = tilt ** 2
  }

  /** The standard deviation of the worse of both tilts, rad. */
  get tilt(): number {
    return Math.sqrt(Math.max(this.#p[0] as number, this.#p[N + 1] as number))
  }

  /** Time passes. r: from the body to the world, row by row. q: variances that tilt and bias grow by. */
  pass(stepS: number, r: Float64Array, tiltGrowth: number, biasGrowth: number): void {
    const [p, m] = [this.#p, this.#m]
    // the rows of the tilt: θ − R b t
    for (let row = 0; row < TILT; row++)
      for (let at = 0; at < N; at++) {
        let sum = 0
        for (let axis = 0; axis < 3; axis++)
          sum += (r[3 * row + axis] as number) * (p[(TILT + axis) * N + at] as number)
        m[row * N + at] = (p[row * N + at] as number) - stepS * sum
      }
    for (let row = 0; row < TILT; row++) {
      for (let at = TILT; at < N; at++) {
        p[row * N + at] = m[row * N + at] as number
        p[at * N + row] = m[row * N + at] as number
      }
      for (let column = 0; column < TILT; column++) {
        let sum = 0
        for (let axis = 0; axis < 3; axis++)
          sum += (r[3 * column + axis] as number) * (m[row * N + TILT + axis] as number)
        p[row * N + column] = (m[row * N + column] as number) - stepS * sum
      }
    }
    for (let at = 0; at < TILT; at++) p[at * (N + 1)] = (p[at * (N + 1)] as number) + tiltGrowth
    for (let at = TILT; at < N; at++) p[at * (N + 1)] = (p[at * (N + 1)] as number) + biasGrowth
  }

  /**
   * The tilt was measured to be off by x and y, rad, with this variance. up: where the world's z mostly lies in the
   * body. Of the bias about it nothing is learnt: forces that come with a slope would teach it wrong.
   */
  measureTilt(x: number, y: number, variance: number, up: Float64Array): void {
    const [p, k, m] = [this.#p, this.#k, this.#m]
    const a = (p[0] as number) + variance
    const b = p[1] as number
    const d = (p[N + 1] as number) + variance
    const determinant = a * d - b * b
    for (let at = 0; at < N; at++) {
      const px = p[at * N] as number
      const py = p[at * N + 1] as number
      k[2 * at] = (px * d - py * b) / determinant
      k[2 * at + 1] = (py * a - px * b) / determinant
    }
    for (let column = 0; column < 2; column++) {
      let along = 0
      for (let axis = 0; axis < 3; axis++) along += (up[axis] as number) * (k[2 * (TILT + axis) + column] as number)
      for (let axis = 0; axis < 3; axis++) {
        const at = 2 * (TILT + axis) + column
        k[at] = (k[at] as number) - along * (up[axis] as number)
      }
    }
    for (let at = 0; at < N; at++) this.error[at] = (k[2 * at] as number) * x + (k[2 * at + 1] as number) * y
    for (let row = 0; row < N; row++)
      for (let at = 0; at < N; at++)
        m[row * N + at] =
          (p[row * N + at] as number) -
          (k[2 * row] as number) * (p[at] as number) -
          (k[2 * row + 1] as number) * (p[N + at] as number)
    for (let row = 0; row < N; row++)
      for (let at = 0; at < N; at++)
        p[row * N + at] =
          (m[row * N + at] as number) -
          (m[row * N] as number) * (k[2 * at] as number) -
          (m[row * N + 1] as number) * (k[2 * at + 1] as number) +
          variance *
            ((k[2 * row] as number) * (k[2 * at] as number) + (k[2 * row + 1] as number) * (k[2 * at + 1] as number))
  }

  /** The bias along one axis of the body was measured to be off by this, rad/s, with this variance. */
  measureBias(axis: number, off: number, variance: number): void {
    const p = this.#p
    const state = TILT + axis
    const scale = 1 / ((p[state * (N + 1)] as number) + variance)
    for (let at = 0; at < N; at++) this.#m[at] = p[at * N + state] as number
    for (let at = 0; at < N; at++) this.error[at] = (this.#m[at] as number) * scale * off
    for (let row = 0; row < N; row++)
      for (let at = 0; at < N; at++)
        p[row * N + at] = (p[row * N + at] as number) - (this.#m[row] as number) * (this.#m[at] as number) * scale
  }
}
