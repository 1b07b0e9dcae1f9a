// A scan of one bus: what is asked, and what the answers mean. One byte is read at each address; a chip that answers is
// asked for the registers by which it may be known. It is named only when they fit.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { chipsAt, type IdentityRegister, registersAt, whyNotAsked } from './chips.ts'
import { addressText, type I2cAdapterFacts } from './reading.ts'

const strict = { additionalProperties: false } as const

/** The kind of these jobs. */
export const SCAN_JOB = 'i2c_scan'

const FIRST = 0x08 // below and above, addresses mean something else to all chips
const LAST = 0x77

/** One address, and what is asked for when something answers there. */
export interface I2cQuestion {
  readonly address: number
  readonly registers: readonly Pick<IdentityRegister, 'register' | 'bytes'>[]
}

/** What each state means. */
const STATES = {
  answers: 'a chip is there, and no driver has it',
  has_driver: 'a driver of the system has it, so it was not asked',
  failed: 'it could not be asked; what went wrong is told',
} as const

/** What came of one address. */
export interface I2cAnswer {
  readonly address: number
  readonly state: keyof typeof STATES | 'silent'
  /** In the order of the question; null: this one was not read. */
  readonly values: readonly (number | null)[]
  /** In the words of the system; null: nothing went wrong. */
  readonly trouble: string | null
}

/** What is asked of a bus. Addresses that a driver has are left to that. */
export const scanQuestions = ({ clients }: Pick<I2cAdapterFacts, 'clients'>): readonly I2cQuestion[] =>
  Array.from({ length: LAST - FIRST + 1 }, (_, at) => FIRST + at)
    .filter((address) => !clients.some((each) => each.address === address && each.driver !== null))
    .map((address) => ({ address, registers: registersAt(address) }))

/** `0x48`. */
export const I2cAddress = Type.String({
  pattern: '^0x[0-7][0-9a-f]$',
  examples: ['0x6a'],
  description: 'Two hexadecimal digits after 0x. Seven bits, as everybody writes them.',
})

const KNOWN_BY = {
  register: 'its identity register says so',
  driver: 'the system names it so, which it was told',
  guess: 'chips of that kind sit at such addresses; nothing more speaks for it',
  nothing: 'nobody knows',
} as const

const FoundChip = Type.Object(
  {
    address: I2cAddress,
    state: enumOf(STATES, 'I2cChipState'),
    name: orNull(Type.String(), 'What it is; null: that is not known, see `guesses`.'),
    what: orNull(Type.String(), 'What it is for; null: that is not known.'),
    known_by: enumOf(KNOWN_BY, 'I2cKnownBy'),
    guesses: Type.Array(Type.String(), {
      description: 'What is often found at this address; a guess, and nothing more.',
    }),
    driver: orNull(Type.String(), 'Of the system, that has it; null: none.'),
    registers: Type.Array(
      Type.Object(
        {
          register: Type.Integer({ minimum: 0, maximum: 255, description: 'Its number.' }),
          value: orNull(Type.Integer({ minimum: 0, maximum: 65_535 }), 'What it held; null: it was not given.'),
        },
        { ...strict, title: 'I2cRegister', description: 'A register by which chips are told apart.' },
      ),
      { description: 'Those that were asked for.' },
    ),
    detail: orNull(Type.String(), 'What was left out or went wrong, for people; null: nothing.'),
  },
  { ...strict, title: 'I2cChip', description: 'What is at an address of a bus.' },
)
export type FoundChip = Static<typeof FoundChip>

/** The result of the job. */
export const I2cScan = Type.Object(
  {
    adapter: Type.Integer({ minimum: 0, description: 'Its number.' }),
    name: Type.String({ description: 'Of the adapter; when another one has its number later, this is about that.' }),
    chips: Type.Array(FoundChip, { description: 'By address; where nothing is said, nothing answered.' }),
  },
  { ...strict, title: 'I2cScan', description: 'What a scan has found on a bus.' },
)
export type I2cScan = Static<typeof I2cScan>

/** What the answers mean. */
export const scanResult = (adapter: I2cAdapterFacts, answers: readonly I2cAnswer[]): I2cScan => {
  const withDriver = adapter.clients
    .filter(({ address, driver }) => driver !== null && !answers.some((each) => each.address === address))
    .map(({ address }): I2cAnswer => ({ address, state: 'has_driver', values: [], trouble: null }))
  const chips = [...answers, ...withDriver].flatMap((answer) => chipOf(adapter, answer) ?? [])
  return {
    adapter: adapter.number,
    name: adapter.name,
    chips: chips.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  }
}

const chipOf = (
  { clients }: I2cAdapterFacts,
  { address, state, values, trouble }: I2cAnswer,
): FoundChip | undefined => {
  if (state === 'silent') return undefined
  const client = clients.find((each) => each.address === address)
  const asked = state === 'answers' ? registersAt(address) : []
  const registers = asked.map(({ register }, at) => ({ register, value: values[at] ?? null }))
  const fits = ({ register, bytes, value }: IdentityRegister): boolean =>
    asked.some((each, at) => each.register === register && each.bytes === bytes && values[at] === value)
  const known = chipsAt(address).find(({ identity }) => identity.length > 0 && identity.every(fits))
  const name = state === 'answers' && known ? known.name : (client?.name ?? null)
  const guesses = name === null ? chipsAt(address).map((each) => each.name) : []
  return {
    address: addressText(address),
    state,
    name,
    what: name !== null && name === known?.name ? known.what : null,
    known_by: known?.name === name && known ? 'register' : name !== null ? 'driver' : guesses[0] ? 'guess' : 'nothing',
    guesses,
    driver: client?.driver ?? null,
    registers,
    detail: detailOf(address, state, trouble),
  }
}

const detailOf = (address: number, state: I2cAnswer['state'], trouble: string | null): string | null => {
  if (trouble !== null) return trouble
  const why = state === 'answers' ? whyNotAsked(address) : undefined
  return why === undefined ? null : `What it is was not asked: ${why}.`
}

/** The body that starts a scan. */
export const ScanOrder = Type.Object(
  {
    adapter: Type.Integer({
      minimum: 0,
      maximum: 9999,
      description: 'The number of the bus, of `GET /v1/device/i2c`.',
    }),
    force: Type.Optional(
      Type.Boolean({
        description: oneLine`
          Also one of which nothing is known (\`scan\` is \`unknown\`); never one that is \`refused\`. Default: false.
        `,
      }),
    ),
  },
  { ...strict, title: 'I2cScanOrder', description: 'Which bus is scanned.' },
)

/** As the references show it. */
export const scanExample: I2cScan = {
  adapter: 1,
  name: 'Synopsys DesignWare I2C adapter',
  chips: [
    {
      address: '0x40',
      state: 'answers',
      name: 'INA226',
      what: 'current and voltage',
      known_by: 'register',
      guesses: [],
      driver: null,
      registers: [
        { register: 0xfe, value: 0x5449 },
        { register: 0xff, value: 0x2260 },
        { register: 0x0f, value: null },
      ],
      detail: null,
    },
    {
      address: '0x50',
      state: 'answers',
      name: null,
      what: null,
      known_by: 'guess',
      guesses: ['an EEPROM'],
      driver: null,
      registers: [],
      detail: 'What it is was not asked: an EEPROM may be there, to which nothing is ever written.',
    },
  ],
}
