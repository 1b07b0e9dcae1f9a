// Two devices and a bad wire: messages are lost, doubled, reordered and cut at any byte, either side is killed at any step. Nothing is done twice, nothing that was
// acknowledged is lost, both agree in the end, and what is said to be so is so.
import { test } from 'node:test'
import fc from 'fast-check'
import { type Happening, happening } from '../support/two-devices/steps.ts'
import { Story } from '../support/two-devices/story.ts'
import { SimulatedTime } from '../support/two-devices/time.ts'

const { BAD_WIRE_RUNS, BAD_WIRE_SEED } = process.env
const RUNS = Number(BAD_WIRE_RUNS ?? 600) // `npm run test:wire` makes 10,000, which takes some seven minutes
const SEED = Number(BAD_WIRE_SEED ?? Date.now() % 2 ** 31) // another one each time; a failure says which

const play = async ({ delayMs, steps }: Happening): Promise<void> => {
  const time = new SimulatedTime()
  const uninstall = time.install()
  const both = new Story(time, delayMs)
  try {
    await both.begin()
    for (const step of steps) await both.take(step)
    await both.finish()
  } finally {
    await both.end()
    uninstall()
  }
}

test('whatever becomes of messages and devices, orders are carried out once and both sides agree', async (t) => {
  t.diagnostic(`seed ${SEED}, ${RUNS} runs`)

  await fc.assert(fc.asyncProperty(happening, play), { seed: SEED, numRuns: RUNS })
})
