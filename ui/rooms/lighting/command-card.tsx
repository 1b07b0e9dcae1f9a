// What a person tells the lights: what they show, for how long, and before whom.
import { useState } from 'react'
import { Button, Card, WriteNote } from '../../parts/parts.tsx'
import { ChoiceField } from '../../parts/plain-fields.tsx'
import { commandLights, type LightingCommand, type LightingShow } from '../../state/lighting.ts'
import { useWrite } from '../../state/write.ts'
import { ShowForm } from './show-form.tsx'

const TIMES: Readonly<Record<string, string>> = {
  10000: '10 seconds',
  60000: 'a minute',
  600000: '10 minutes',
  3600000: 'an hour',
  86400000: 'a day',
}
const FIRST_MS = 600_000
const ABOVE_ROBOT = 60 // a robot has 50; nothing but heat is above 100

const ALL = ''

/** The card. groups: their names. */
export const CommandCard = ({ groups }: { readonly groups: readonly string[] }) => {
  const [group, setGroup] = useState(ALL)
  const [show, setShow] = useState<LightingShow>({ command: 'colour', colour: '#00ff80', level: 0.5 })
  const [ttl_ms, setTtl] = useState(FIRST_MS)
  const [isAbove, setAbove] = useState(false)
  const { state, write } = useWrite()
  const target = group === ALL ? null : group
  const send = (command: LightingCommand) =>
    void write(() => commandLights({ ...command, group: target, ttl_ms, ...(isAbove && { priority: ABOVE_ROBOT }) }))
  return (
    <Card title="Tell them what to show">
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          send(show)
        }}
      >
        <ChoiceField
          name="Which lights"
          value={groups.includes(group) ? group : ALL}
          choices={{ [ALL]: 'All of them', ...Object.fromEntries(groups.map((name) => [name, name])) }}
          onChange={setGroup}
        />
        <ShowForm name="What they show" show={show} onChange={(next) => next && setShow(next)} />
        <ChoiceField
          name="For how long"
          value={String(ttl_ms)}
          choices={TIMES}
          onChange={(chosen) => setTtl(Number(chosen))}
        />
        <label className="check-field">
          <input type="checkbox" checked={isAbove} onChange={({ target: box }) => setAbove(box.checked)} />
          Also when the robot wants something else
        </label>
        <div className="row">
          <Button kind="main" type="submit">
            Show it
          </Button>
          <Button onClick={() => send({ command: 'off' })}>Dark</Button>
          <Button
            onClick={() => send({ command: 'brightness', level: show.level ?? 1 })}
            title="What they show stays; only how bright it is becomes another."
          >
            Only the brightness
          </Button>
        </div>
        <WriteNote state={state} />
        <p className="hint">
          After that time, or when all lights are given back, who comes next has the lights: the robot, the device with
          what it shows of itself, or nobody. A robot comes before people unless you tick the box.
        </p>
      </form>
    </Card>
  )
}
