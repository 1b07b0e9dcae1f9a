// Which steps of a pipeline are worth a line: those that take longest.
const MAX_LINES = 3
const MIN_US = 50 // less is 0.0 ms

interface Stage {
  readonly id: string
  readonly p50: number
}

/** Their ids, in the order in which they run. */
export const mainStages = (stages: readonly Stage[]): readonly string[] => {
  const longest = stages
    .filter(({ p50 }) => p50 >= MIN_US)
    .toSorted((one, other) => other.p50 - one.p50)
    .slice(0, MAX_LINES)
  return stages.filter((stage) => longest.includes(stage)).map(({ id }) => id)
}
