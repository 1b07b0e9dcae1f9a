// One line of the benchmark's table, and the statistics that make it.

/** What was measured. */
export interface Row {
  readonly what: string
  readonly unit: string
  /** What to reach; none: for information only. */
  readonly figure?: { readonly atMost: number } | { readonly atLeast: number }
  /** In `unit`. */
  readonly measured: number
  /** The spread, in `unit`: the lowest and the highest of the rounds. */
  readonly low: number
  readonly high: number
  /** How many rounds, starts or frames are behind it, in words. */
  readonly from: string
  /**
   * As a share of what was measured: with a wider spread nothing is judged, since something else went on meanwhile.
   * None: it is judged whatever its spread.
   */
  readonly maxSpread?: number
}

/** The value below which the share q (0 to 1) of the values lies. NaN for none. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The median of the rounds and their spread. */
export const spread = (rounds: readonly number[]): Pick<Row, 'measured' | 'low' | 'high'> => ({
  measured: median(rounds),
  low: Math.min(...rounds),
  high: Math.max(...rounds),
})

/** Makes rows of what each round found. from: how many rounds, in words. */
export const rowsOver =
  <Turn>(turns: readonly Turn[], from: string) =>
  (what: string, unit: string, of: (turn: Turn) => number, figure?: Row['figure']): Row => ({
    what,
    unit,
    from,
    ...(figure && { figure }),
    ...spread(turns.map(of)),
  })

/** A row that is judged by the highest of its rounds. */
export const worst = (row: Row): Row => ({ ...row, measured: row.high })

const MAX_SPREAD = 0.2

/** A row that is judged only if its rounds agree: from the lowest to the highest a fifth of what was measured. */
export const agreed = (row: Row): Row => ({ ...row, maxSpread: MAX_SPREAD })

const isAgreed = ({ maxSpread, measured, low, high }: Row): boolean =>
  maxSpread === undefined || high - low <= maxSpread * Math.abs(measured)

/** Whether a row reached its figure; undefined when it has none, or its rounds do not agree. */
export const reached = (row: Row): boolean | undefined => {
  const { figure, measured } = row
  if (!figure || !isAgreed(row)) return undefined
  return 'atMost' in figure ? measured <= figure.atMost : measured >= figure.atLeast
}

/** The rows as a Markdown table. */
export const table = (rows: readonly Row[]): string => {
  const cells = [
    ['what', 'figure', 'measured', 'spread', 'from', ''],
    ...rows.map((row) => [
      row.what,
      figureText(row),
      shown(row.measured, row.unit),
      spreadText(row),
      row.from,
      verdict(row),
    ]),
  ]
  const widths = (cells[0] as string[]).map((_, n) => Math.max(...cells.map((line) => (line[n] as string).length), 3))
  const lines = cells.map((line) => `| ${line.map((cell, n) => cell.padEnd(widths[n] as number)).join(' | ')} |`)
  return [lines[0], `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.slice(1)].join('\n')
}

const verdict = (row: Row): string => {
  if (row.figure && !isAgreed(row)) return 'NOT JUDGED: the rounds do not agree'
  return { true: 'reached', false: 'MISSED', undefined: 'for information' }[`${reached(row)}`] ?? ''
}

const figureText = ({ figure, unit }: Row): string => {
  if (!figure) return ''
  return 'atMost' in figure ? `at most ${shown(figure.atMost, unit)}` : `at least ${shown(figure.atLeast, unit)}`
}

const spreadText = ({ low, high, measured }: Row): string =>
  low === measured && high === measured ? '' : `${digits(low)} to ${digits(high)}`

const shown = (value: number, unit: string): string => [digits(value), unit].join(' ').trimEnd()

/** Three significant digits; whole numbers whole. */
const digits = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
