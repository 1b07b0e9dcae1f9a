// The networks of the device: how they are, and how one of them is changed without being cut off for good.
import { useState } from 'react'
import { useSearch } from 'wouter'
import { Alert, Button, Card, Pill, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { lookAround, type Network, network } from '../../../state/network.ts'
import { InterfaceCard } from './interface-card.tsx'
import { TrialNote } from './trial.tsx'

const NAMES = { robot: 'Robot', radio: 'Radio', gateway: 'Gateway' } as const

type Reached = Network['reached'][number]

const stateOf = ({ is_reached }: Reached) =>
  is_reached === null
    ? ({ tone: 'quiet', word: 'not asked' } as const)
    : is_reached
      ? ({ tone: 'good', word: 'reached' } as const)
      : ({ tone: 'bad', word: 'no answer' } as const)

/** Whether robot, radio and gateway are reached; asked when somebody presses. */
const TeamCard = ({ known }: { readonly known: Network }) => {
  const [asked, setAsked] = useState<readonly Reached[]>()
  const [isAsking, setIsAsking] = useState(false)
  const look = async () => {
    setIsAsking(true)
    const answer = await lookAround()
    setIsAsking(false)
    if (answer.ok) setAsked(answer.value.reached)
  }
  return (
    <Card title="On the robot">
      <div className="card-body stack">
        {known.reached.length === 0 ? (
          <p className="hint">
            Which addresses the robot has is known with the number of the team, which is set under Settings.
          </p>
        ) : (
          <ul className="device-network-reached">
            {known.reached.map((each) => {
              const { name, address } = each
              const { tone, word } = stateOf(asked?.find((other) => other.name === name) ?? each)
              return (
                <li key={name}>
                  <span>{NAMES[name]}</span>
                  <code>{address}</code>
                  <Pill tone={tone}>{word}</Pill>
                </li>
              )
            })}
          </ul>
        )}
        {known.team !== null && (
          <div className="row">
            <Button disabled={isAsking} onClick={() => void look()}>
              {isAsking ? 'Asking' : 'Ask them now'}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

const NetworkPage = () => {
  const { value, problem } = useKnown(network)
  const isArrival = new URLSearchParams(useSearch()).has('confirm')
  const shown = value?.interfaces.filter(({ kind }) => kind !== 'loopback') ?? []
  return (
    <>
      <div className="page-head">
        <h1>Network</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {value?.refusal && <Alert tone="quiet">{value.refusal}</Alert>}
      {value?.change && <TrialNote change={value.change} known={value} isArrival={isArrival} />}
      {value && (
        <div className="device-network-page">
          <div className="stack">
            {shown.map((each) => (
              <InterfaceCard key={each.name} known={value} shown={each} />
            ))}
            {shown.length === 0 && <p className="hint">This device has no interface to a network.</p>}
          </div>
          <TeamCard known={value} />
        </div>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default NetworkPage
