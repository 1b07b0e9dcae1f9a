// Files on their way to the device, each with how far it is.
import { X } from 'lucide-react'
import { Link } from 'wouter'
import { Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { sizeOf } from '../../words.ts'
import { cancelUpload, forgetEnded, type Upload, useUploads } from './uploads.ts'

const addressOf = (name: string): string => `/media/${encodeURIComponent(name)}`

const Row = ({ upload }: { readonly upload: Upload }) => {
  const { id, name, sizeBytes, sentBytes, state, problem, item } = upload
  return (
    <li>
      <div className="grow">
        {item ? <Link href={addressOf(item.name)}>{item.name}</Link> : <strong>{name}</strong>}{' '}
        <span className="hint">
          {state === 'sending' ? `${sizeOf(sentBytes)} of ${sizeOf(sizeBytes)}` : sizeOf(sizeBytes)}
        </span>
        {(state === 'sending' || state === 'checking') && (
          <progress aria-label={`${name} is sent`} max={sizeBytes || 1} value={sentBytes} />
        )}
        {problem && <ProblemNote problem={problem} />}
      </div>
      {state === 'waiting' && <Pill tone="quiet">waiting</Pill>}
      {state === 'checking' && <Pill tone="busy">being checked</Pill>}
      {state === 'stored' && <Pill tone="good">stored</Pill>}
      {state === 'failed' && <Pill tone="bad">not stored</Pill>}
      <Button
        kind="plain"
        icon={<X size={18} aria-hidden />}
        aria-label={state === 'stored' || state === 'failed' ? `Forget ${name}` : `Cancel ${name}`}
        onClick={() => cancelUpload(id)}
      />
    </li>
  )
}

/** All of them; nothing while there are none. */
export const UploadCard = () => {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  const ended = uploads.filter(({ state }) => state === 'stored' || state === 'failed').length
  return (
    <Card title="Uploads" side={ended > 1 && <Button onClick={forgetEnded}>Forget the {ended} that have ended</Button>}>
      <ul className="list media-uploads">
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
    </Card>
  )
}
