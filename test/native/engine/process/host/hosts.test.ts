// The workers of an engine, with the addon's channels and without an engine: how long they are kept, and for whom.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Plan, PlanStep } from '../../../../../machines/pipeline/graph.ts'
import { loadAddon } from '../../../../../native/engine/process/addon.ts'
import { Hosts } from '../../../../../native/engine/process/host/hosts.ts'
import { until } from '../../../../support/until.ts'

const addon = loadAddon()
const { hosts: channels } = addon

const script = (id: string, source: string, timeout_ms = 50): PlanStep => ({
  id,
  type: 'script',
  inputs: [],
  outputs: [0],
  params: { source, timeout_ms, memory_mb: 32 },
})

const planOf = (...steps: readonly PlanStep[]): Plan => ({ slots: 1, steps, outputs: [] })

const QUICK = 'const step = () => {}'
// Longer than workers are kept here, and than it takes until somebody looks whether they are.
const SLOW = `const end = Date.now() + 700; while (Date.now() < end); ${QUICK}`
const KEPT_MS = 10

const hostsOf = (t: TestContext): Hosts => {
  const hosts = new Hosts(addon, KEPT_MS)
  t.after(() => hosts.end())
  return hosts
}

/** The numbers of the channels of a plan's steps. */
const numbersOf = ({ steps }: Plan): readonly number[] => steps.map(({ params }) => Number(params.host))

const isThere = (number: number): boolean => {
  try {
    channels.pulse(number)
    return true
  } catch {
    return false
  }
}

test('workers slower to start than unused ones live are there when the plan is made, and gone after it', async (t) => {
  const hosts = hostsOf(t)

  const made = await hosts.during(planOf(script('quick', QUICK), script('slow', SLOW)), async ({ plan }) => {
    const numbers = numbersOf(plan)
    return { numbers, there: numbers.map(isThere) }
  })

  assert.deepEqual(made.there, [true, true])
  await until('nobody has the workers any more', () => !made.numbers.some(isThere))
})

test('a step whose live parameters alone are others keeps its worker', async (t) => {
  const hosts = hostsOf(t)
  const numberOf = (step: PlanStep) =>
    hosts.during(planOf(step), async ({ plan, adopt }) => {
      adopt()
      return numbersOf(plan)
    })

  const before = await numberOf(script('aim', QUICK))

  assert.deepEqual(await numberOf(script('aim', QUICK, 100)), before)
  assert.notDeepEqual(await numberOf(script('aim', `${QUICK} `, 100)), before)
})
