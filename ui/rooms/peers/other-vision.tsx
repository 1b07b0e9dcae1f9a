// The streams of other vision products and of devices of another kind: each can be made a stream of this one.
import { useState } from 'react'
import { Link } from 'wouter'
import { type Answer, api, ask, type Documents } from '../../api/client.ts'
import { Button, Empty, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { streams } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'

const makeStream = async (url: string, alias: string): Promise<Answer<Documents['Stream']>> => {
  const answer = await ask(api.POST('/v1/streams', { body: { alias, source: { backend: 'url', url } } }))
  if (answer.ok) streams.refresh()
  return answer
}

/** Pictures that somebody serves at an address. about: what is known of them. */
export const UrlStreamRow = ({ url, name, about }: { url: string; name: string; about?: string | undefined }) => {
  const { state, write } = useWrite()
  const [made, setMade] = useState<Documents['Stream']>()
  const make = async () => {
    const answer = await write(() => makeStream(url, name))
    if (answer.ok) setMade(answer.value)
  }
  return (
    <li>
      <div className="grow">
        <strong>{name}</strong>
        <p className="hint">{about ?? url}</p>
        <WriteNote state={state} />
      </div>
      {made ? (
        <Link href={`/streams/${encodeURIComponent(made.id)}`}>Open {made.spec.alias}</Link>
      ) : (
        <Button
          aria-label={`Make a stream of it: ${name}`}
          disabled={state.state === 'pending'}
          onClick={() => void make()}
        >
          Make a stream of it
        </Button>
      )}
    </li>
  )
}

type VisionStream = Documents['ExtvisionStream']

const aboutOf = ({ url, kind, width_px, height_px, fps }: VisionStream): string =>
  [
    kind === 'output' ? 'what it sees, drawn over' : 'as the camera gives it',
    width_px !== null && height_px !== null && `${width_px}×${height_px}`,
    fps !== null && `${figureOf(fps)} fps`,
    url,
  ]
    .filter(Boolean)
    .join(', ')

/** Asks another vision product which pictures it serves. */
export const VisionStreams = ({ baseUrl, name }: { readonly baseUrl: string; readonly name: string }) => {
  const [answer, setAnswer] = useState<Answer<Documents['ExtvisionStreams']>>()
  const [isAsking, setAsking] = useState(false)
  const look = async () => {
    setAsking(true)
    setAnswer(await ask(api.POST('/v1/peers/integrations/extvision/streams', { body: { base_url: baseUrl } })))
    setAsking(false)
  }
  const seen = answer?.ok ? answer.value : undefined
  return (
    <div className="stack">
      <div className="row">
        <Button disabled={isAsking} onClick={() => void look()}>
          Ask {name} for its streams
        </Button>
        {seen?.product_version && <Pill tone="quiet">{seen.product_version}</Pill>}
      </div>
      {answer && !answer.ok && <ProblemNote problem={answer.problem} />}
      {seen?.fault && <ProblemNote problem={seen.fault} />}
      {seen && !seen.fault && seen.streams.length === 0 && <Empty>It serves no pictures now.</Empty>}
      {seen && seen.streams.length > 0 && (
        <ul className="list">
          {seen.streams.map((stream) => (
            <UrlStreamRow key={stream.id} url={stream.url} name={stream.name ?? stream.id} about={aboutOf(stream)} />
          ))}
        </ul>
      )}
    </div>
  )
}
