// What was found in the frame on the screen.
import { Link } from 'wouter'
import { Figure, Figures } from '../../parts/parts.tsx'
import type { FrameFacts } from '../../pictures/messages.ts'
import { counted, figureOf } from '../../words.ts'
import { offOf, othersOf, type RobotPlace, robotOf, tagsOf } from './found.ts'
import { type Shown, useShown } from './shown-frame.ts'

const DEG = '\u00b0'
const MM = 1000

const plusMinus = (value: number, digits: number, unit: string): string => `± ${figureOf(value, digits)}${unit}`

const Place = ({ robot }: { readonly robot: RobotPlace | undefined }) => {
  const off = robot?.deviations
  return (
    <Figures>
      <Figure
        name="x"
        size="large"
        value={robot?.xM}
        digits={2}
        unit="m"
        {...(off && { under: plusMinus(off.x_m * MM, 1, ' mm') })}
      />
      <Figure
        name="y"
        size="large"
        value={robot?.yM}
        digits={2}
        unit="m"
        {...(off && { under: plusMinus(off.y_m * MM, 1, ' mm') })}
      />
      <Figure
        name="yaw"
        size="large"
        value={robot?.yawDeg}
        digits={1}
        unit={DEG}
        {...(off && { under: plusMinus(off.yaw_deg, 2, DEG) })}
      />
    </Figures>
  )
}

const TagTable = ({ facts }: { readonly facts: FrameFacts }) => {
  const tags = tagsOf(facts)
  if (tags.length === 0) return <p className="hint">No tag is in this frame.</p>
  return (
    <table className="streams-tags">
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">Distance</th>
          <th scope="col">Margin</th>
          <th scope="col">Ambiguity</th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ key, id, distanceM, margin, ambiguity }) => (
          <tr key={key}>
            <th scope="row">{id}</th>
            <td>
              {figureOf(distanceM, 2)}
              {distanceM !== null && <span className="unit">m</span>}
            </td>
            <td>{figureOf(margin)}</td>
            <td>{figureOf(ambiguity, 3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The robot, the tags, and how far off the truth it is, of the very frame that the picture shows. */
export const NowTab = ({ shown }: { readonly shown: Shown }) => {
  const facts = useShown(shown)
  if (!facts) return <p className="hint">Waiting for the first picture</p>
  const off = offOf(facts)
  return (
    <div className="stack">
      <Place robot={robotOf(facts)} />
      <TagTable facts={facts} />
      {othersOf(facts).map(({ port, one, count }) => (
        <p key={port}>
          <strong>{port}</strong>: {counted(count, one, one === 'class' ? 'classes' : `${one}s`)}
        </p>
      ))}
      {off && (
        <p className="hint">
          Off from the truth of the synthetic camera by <strong>{figureOf(off.distanceM * MM, 1)} mm</strong> and{' '}
          <strong>
            {figureOf(off.angleDeg, 2)}
            {DEG}
          </strong>
          .
        </p>
      )}
      <p className="hint">
        {facts.seq !== undefined && <>Frame {facts.seq}, </>}
        {figureOf(facts.drawnFps, 1)} pictures a second are drawn here. <Link href="/field">See it on the field</Link>
      </p>
    </div>
  )
}
