// What the colour pipeline costs, from the threshold to the target, beyond the calls of OpenCV that it is made of: the
// executor runs it and a bare loop makes the same calls, in one thread of one program, picture against picture. CPU of
// the thread.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Measurement, ROOT, start } from '../lab/lab.ts'
import { median, type Row, rowsOver } from '../lab/row.ts'

const ROUNDS = 24
const WARM_UP_ROUNDS = 2

interface Turn {
  readonly pictures: number
  readonly targets: number
  readonly plan_us: number
  readonly loop_us: number
}

export const colour: Measurement = async (lab): Promise<readonly Row[]> => {
  const addon = join(ROOT, 'native', 'addon')
  await promisify(execFile)('make', ['-s', '-C', addon, 'colour-loop'])
  const program = start(lab, join(addon, 'build', 'colour-loop'), [String(ROUNDS + WARM_UP_ROUNDS)])
  const turns: Turn[] = []
  while (turns.length < ROUNDS + WARM_UP_ROUNDS) turns.push(JSON.parse(await program.line()) as Turn)
  const measured = turns.slice(WARM_UP_ROUNDS)
  lab.say(`${median(measured.map(({ plan_us, loop_us }) => plan_us / loop_us)).toFixed(3)}`)

  const [first] = measured as [Turn]
  const row = rowsOver(measured, `${ROUNDS} rounds of ${first.pictures} pictures, ${first.targets} targets each`)
  return [
    row(
      'colour pipeline, threshold to target, 640x480: CPU against the same calls in a bare loop',
      '',
      ({ plan_us, loop_us }) => plan_us / loop_us,
      { atMost: 1.1 },
    ),
    row('  the pipeline', 'us', ({ plan_us }) => plan_us),
    row('  the bare loop', 'us', ({ loop_us }) => loop_us),
  ]
}
