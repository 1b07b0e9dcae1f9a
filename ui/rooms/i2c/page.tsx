// The I2C buses: what the system knows of them, which touches none; and what a scan has found, which does.
import { browserTimeOf } from '../../api/device-clock.ts'
import { Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { type I2cAdapter, type I2cChip, i2cBuses } from '../../state/i2c.ts'
import { useKnown } from '../../state/live.ts'
import { counted, type Tone } from '../../words.ts'
import { Scan } from './scan.tsx'

const RULES: Readonly<Record<I2cAdapter['scan'], readonly [tone: Tone, word: string]>> = {
  allowed: ['good', 'may be scanned'],
  unknown: ['busy', 'not known'],
  refused: ['quiet', 'never scanned'],
  not_possible: ['quiet', 'cannot be reached'],
}

const KNOWN_BY: Readonly<Record<I2cChip['known_by'], string>> = {
  register: 'it says so itself',
  driver: 'the system was told so',
  guess: 'a guess by its address',
  nothing: '',
}

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`

const Clients = ({ clients, name }: { readonly clients: I2cAdapter['clients']; readonly name: string }) =>
  clients.length === 0 ? (
    <p className="hint">The system knows no chip on it.</p>
  ) : (
    <Scrollable name={`Chips that the system knows on ${name}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">The system was told</th>
            <th scope="col">Driver</th>
          </tr>
        </thead>
        <tbody>
          {clients.map(({ address, name: chip, driver }) => (
            <tr key={address}>
              <th scope="row">
                <code>{address}</code>
              </th>
              <td>{chip}</td>
              <td>{driver ?? 'none'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )

const whatIs = ({ name, what, guesses, state }: I2cChip): string => {
  if (name !== null) return what === null ? name : `${name}, ${what}`
  if (state === 'failed') return 'could not be asked'
  return guesses.length > 0 ? `perhaps ${guesses.join(', or ')}` : 'something answers; nobody knows what'
}

const ChipRow = ({ chip }: { readonly chip: I2cChip }) => {
  const { address, known_by, driver, registers, detail } = chip
  const read = registers.filter(({ value }) => value !== null)
  return (
    <tr>
      <th scope="row">
        <code>{address}</code>
      </th>
      <td>
        {whatIs(chip)}
        <div className="hint">
          {KNOWN_BY[known_by]}
          {driver !== null && `; the driver ${driver} has it, so it was not asked`}
        </div>
        {detail !== null && <div className="hint">{detail}</div>}
        {read.length > 0 && (
          <details>
            <summary className="hint">What it said</summary>
            {read.map(({ register, value }) => (
              <div key={register}>
                <code>
                  {hex(register, 2)}: {value !== null && hex(value, value > 0xff ? 4 : 2)}
                </code>
              </div>
            ))}
          </details>
        )}
      </td>
    </tr>
  )
}

const LastScan = ({ adapter: { adapter, last_scan } }: { readonly adapter: I2cAdapter }) =>
  last_scan && (
    <>
      <p>
        {counted(last_scan.found.chips.length, 'chip')} found at the scan of{' '}
        {new Date(browserTimeOf(last_scan.ended_at_ms)).toLocaleString()}. At all other addresses nothing answered.
      </p>
      {last_scan.found.chips.length > 0 && (
        <Scrollable name={`What the scan of i2c-${adapter} found`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Address</th>
                <th scope="col">What is there</th>
              </tr>
            </thead>
            <tbody>
              {last_scan.found.chips.map((chip) => (
                <ChipRow key={chip.address} chip={chip} />
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </>
  )

const AdapterCard = ({ adapter }: { readonly adapter: I2cAdapter }) => {
  const name = `i2c-${adapter.adapter}`
  const [tone, word] = RULES[adapter.scan]
  return (
    <Card title={name} side={<Pill tone={tone}>{word}</Pill>}>
      <div className="card-body stack">
        <p>
          {adapter.name}{' '}
          <span className="hint">
            {adapter.controller}
            {adapter.driver !== null && `, driver ${adapter.driver}`}
          </span>
        </p>
        <Clients clients={adapter.clients} name={name} />
        <LastScan adapter={adapter} />
        <Scan adapter={adapter} />
      </div>
    </Card>
  )
}

const I2cPage = () => {
  const { value, problem } = useKnown(i2cBuses)
  return (
    <>
      <div className="page-head">
        <h1>I2C</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      <p className="hint">
        Sensors and lamps hang on such buses by two wires. What stands here is what the system knows; to show it touches
        no bus. Only a scan does, and only when somebody starts one.
      </p>
      {value?.length === 0 && (
        <Card>
          <Empty>This device has no I2C bus.</Empty>
        </Card>
      )}
      <div className="i2c-buses">
        {value?.map((adapter) => (
          <AdapterCard key={adapter.adapter} adapter={adapter} />
        ))}
      </div>
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default I2cPage
