// What is asked of a bus, and what the answers mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chipsAt, KNOWN_CHIPS, registersAt, whyNotAsked } from '../../../machines/i2c/chips.ts'
import { i2cInventory, inventoryExample } from '../../../machines/i2c/inventory.ts'
import { type I2cAnswer, scanExample, scanQuestions, scanResult } from '../../../machines/i2c/scan.ts'
import { jobExample } from '../../../machines/jobs/job.ts'
import { adapterOf } from '../../support/i2c/adapter.ts'

/** What a chip at an address answers whose registers hold these. */
const answerOf = (address: number, held: Readonly<Record<number, number>>): I2cAnswer => ({
  address,
  state: 'answers',
  values: registersAt(address).map(({ register }) => held[register] ?? 0),
  trouble: null,
})

const resultOf = (answer: I2cAnswer) => scanResult(adapterOf(), [answer]).chips[0]

test('all addresses from 0x08 to 0x77 are asked, but for those that a driver has', () => {
  const clients = [
    { address: 0x6a, name: 'lsm6dso', driver: 'st_lsm6dsx_i2c' },
    { address: 0x40, name: 'ina219', driver: null },
  ]

  const asked = scanQuestions({ clients }).map(({ address }) => address)

  assert.deepEqual([asked[0], asked.at(-1), asked.length], [0x08, 0x77, 111])
  assert.ok(!asked.includes(0x6a))
  assert.ok(asked.includes(0x40))
})

test('no register is asked for where writing its number may do something', () => {
  for (let address = 0; address < 128; address++)
    if (whyNotAsked(address) !== undefined) assert.deepEqual(registersAt(address), [], String(address))
  for (const address of [0x20, 0x27, 0x38, 0x3f, 0x50, 0x57, 0x60, 0x67, 0x70, 0x77])
    assert.notEqual(whyNotAsked(address), undefined)
})

for (const chip of KNOWN_CHIPS.filter(({ identity }) => identity.length > 0))
  for (const address of chip.addresses)
    test(`the ${chip.name} at 0x${address.toString(16)} is known by its registers and by nothing else`, () => {
      const held = Object.fromEntries(chip.identity.map(({ register, value }) => [register, value]))

      const [named, other] = [resultOf(answerOf(address, held)), resultOf(answerOf(address, {}))]

      assert.deepEqual([named?.name, named?.known_by, named?.guesses], [chip.name, 'register', []])
      assert.deepEqual([other?.name, other?.known_by], [null, 'guess'])
      assert.ok(other?.guesses.includes(chip.name))
    })

test('all registers of an identity must fit', () => {
  const found = resultOf(answerOf(0x40, { 254: 0x5449, 255: 0x1111 }))

  assert.equal(found?.name, null)
})

test('two chips at one address are told apart by each of their identities', () => {
  for (const { name, addresses, identity } of KNOWN_CHIPS)
    for (const address of addresses)
      for (const other of chipsAt(address)) {
        if (other.name === name || identity.length === 0 || other.identity.length === 0) continue
        const isSame = identity.every((each) =>
          other.identity.some((one) => one.register === each.register && one.value === each.value),
        )
        assert.ok(!isSame, `${name} and ${other.name} at ${address}`)
      }
})

test('what was told to the system is no proof, and what a driver has keeps its name', () => {
  const adapter = adapterOf({
    clients: [
      { address: 0x6a, name: 'lsm6dso', driver: 'st_lsm6dsx_i2c' },
      { address: 0x48, name: 'ads1115', driver: null },
    ],
  })

  const { chips } = scanResult(adapter, [answerOf(0x48, {}), answerOf(0x33, {})])

  assert.deepEqual(
    chips.map(({ address, state, name, known_by, driver }) => [address, state, name, known_by, driver]),
    [
      ['0x33', 'answers', null, 'nothing', null],
      ['0x48', 'answers', 'ads1115', 'driver', null],
      ['0x6a', 'has_driver', 'lsm6dso', 'driver', 'st_lsm6dsx_i2c'],
    ],
  )
})

test('what was silent is not told, and what failed is, with its reason', () => {
  const { chips } = scanResult(adapterOf(), [
    { address: 0x10, state: 'silent', values: [], trouble: null },
    { address: 0x1d, state: 'failed', values: [], trouble: 'Connection timed out' },
  ])

  assert.equal(chips.length, 1)
  assert.deepEqual([chips[0]?.address, chips[0]?.state, chips[0]?.detail], ['0x1d', 'failed', 'Connection timed out'])
})

test('why a chip was not asked for its name is told', () => {
  const found = resultOf(answerOf(0x50, {}))

  assert.deepEqual([found?.known_by, found?.guesses], ['guess', ['an EEPROM']])
  assert.match(found?.detail ?? '', /to which nothing is ever written/)
})

test('the latest scan stands beside its bus, and not beside another one that has its number', () => {
  const job = (id: string, name: string) => ({
    ...jobExample,
    id,
    kind: 'i2c_scan',
    result: { ...scanExample, name },
  })
  const mine = adapterOf({ name: 'mine' })
  const jobs = [job('a-1', 'mine'), job('a-2', 'mine'), job('a-3', 'of another start')]

  const { adapters } = i2cInventory([mine, adapterOf({ number: 2 })], jobs)

  assert.deepEqual(
    adapters.map(({ last_scan }) => last_scan?.job_id),
    ['a-2', undefined],
  )
  assert.deepEqual(i2cInventory([mine], jobs, 5), { adapters: [] })
  assert.equal(inventoryExample.adapters[0]?.scan, 'allowed')
})
