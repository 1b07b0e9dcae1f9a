// `npm run compare -- FOLDER`: libapriltag and this service's own detector on one's own pictures: a table, and both
// answers drawn side by side in FOLDER/compare.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { APRILTAG_FAMILIES } from '../../machines/engine/tag-families.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { CannotCompare, picturesIn } from './pictures.ts'
import { type AprilTagFamily, runComparison, type Search } from './program.ts'
import { type Compared, report } from './report.ts'

const USAGE = 'npm run compare -- FOLDER [--families tag36h11,tag16h5] [--decimate 2]'
const MAX_DECIMATE = 8

const search = (families: string, decimate: string): Search => {
  const wanted = families.split(',')
  const isFamily = (name: string): name is AprilTagFamily => (APRILTAG_FAMILIES as readonly string[]).includes(name)
  const unknown = wanted.find((name) => !isFamily(name))
  if (unknown !== undefined)
    throw new CannotCompare(
      oneLine`
        there is no family ${JSON.stringify(unknown)}; there are ${APRILTAG_FAMILIES.join(', ')}, with commas between
        them
      `,
    )
  const factor = Number(decimate)
  if (!(factor >= 1 && factor <= MAX_DECIMATE))
    throw new CannotCompare(`--decimate is from 1 to ${MAX_DECIMATE}, not ${decimate}`)
  return { families: wanted.filter(isFamily), decimate: factor }
}

const read = () => {
  const options = {
    families: { type: 'string', default: 'tag36h11' },
    decimate: { type: 'string', default: '1' },
  } as const
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new CannotCompare(`${(error as Error).message}\n${USAGE}`)
  }
}

const run = async (): Promise<void> => {
  const { values, positionals } = read()
  const [named, ...more] = positionals
  if (named === undefined || more.length > 0) throw new CannotCompare(`name one folder with pictures: ${USAGE}`)
  const wanted = search(values.families, values.decimate)
  const folder = resolve(process.env.INIT_CWD ?? '.', named) // npm has gone to the checkout
  const all: Compared[] = []
  const pictures = picturesIn(folder)
  for (const [n, picture] of pictures.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${n + 1} of ${pictures.length}\u001b[K`)
    all.push({ name: picture.name, comparison: await runComparison(picture, wanted) })
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  console.log(report(all))
  const isAny = all.some(({ comparison }) => comparison.ok)
  if (isAny) console.log(`Both answers are drawn in ${resolve(folder, 'compare')}.`)
  else process.exitCode = 1
}

run().catch((error: unknown) => {
  if (!(error instanceof CannotCompare)) throw error
  console.error(error.message)
  process.exitCode = 1
})
