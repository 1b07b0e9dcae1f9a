// All streams as a table.
import { Columns2, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Alert, Button, Card, Empty, ProblemNote } from '../../parts/parts.tsx'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown } from '../../state/live.ts'
import { isRemote, type RemoteStream, type Stream, shownOnce, streams } from '../../state/streams.ts'
import { counted } from '../../words.ts'
import { AddStream } from './add-stream.tsx'
import { forgottenStreams } from './forgotten.ts'
import { OwnRow, RemoteRow } from './list-rows.tsx'
import { RecordTogether } from './record-together.tsx'

const OwnStreams = ({ all }: { readonly all: readonly Stream[] }) => {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const present = all.filter(({ id }) => chosen.includes(id))
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => [...before.filter((id) => !ids.includes(id)), ...(isChosen ? ids : [])])
  return (
    <Card title="On this device" side={<RecordTogether chosen={present} />}>
      <div className="scroll-x">
        <table className="streams-table streams-own">
          <thead>
            <tr>
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="Choose all"
                  checked={present.length === all.length}
                  onChange={({ target }) =>
                    choose(
                      all.map(({ id }) => id),
                      target.checked,
                    )
                  }
                />
              </th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Camera</th>
              <th scope="col">Mode</th>
              <th scope="col">Pipeline</th>
              <th scope="col">Rate</th>
              <th scope="col">Latency</th>
              <th scope="col">Restarts</th>
              <th scope="col">Recording</th>
              <th scope="col">
                <span className="only-read-aloud">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((stream) => (
              <OwnRow
                key={stream.id}
                stream={stream}
                isChosen={chosen.includes(stream.id)}
                onChoose={(isChosen) => choose([stream.id], isChosen)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const RemoteStreams = ({ all }: { readonly all: readonly RemoteStream[] }) => (
  <Card title="On other devices">
    <div className="scroll-x">
      <table className="streams-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Device</th>
            <th scope="col">Mode</th>
            <th scope="col">Worked on</th>
            <th scope="col">Who decides</th>
            <th scope="col">Revision there</th>
          </tr>
        </thead>
        <tbody>
          {all.map((stream) => (
            <RemoteRow key={stream.id} stream={stream} />
          ))}
        </tbody>
      </table>
    </div>
  </Card>
)

/** The page of all streams. */
export const ListPage = () => {
  const { value, problem } = useKnown(streams)
  const { ids: hidden, problem: stillThere } = useForgotten(forgottenStreams)
  const [isAdding, setAdding] = useState(false)
  const shown = value && shownOnce(value.filter(({ id }) => !hidden.includes(id)))
  const own = shown?.filter((stream): stream is Stream => !isRemote(stream)) ?? []
  const remote = shown?.filter(isRemote) ?? []
  const add = (
    <Button kind="main" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add a stream
    </Button>
  )
  return (
    <>
      <div className="page-head">
        <h1>Streams</h1>
        {shown && <span className="hint">{counted(shown.length, 'stream')}</span>}
        <div className="right">
          {(shown?.length ?? 0) > 0 && (
            <Link className="button" href="/streams/compare">
              <Columns2 size={16} aria-hidden />
              Compare two
            </Link>
          )}
          {add}
        </div>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {stillThere && (
        <Alert tone="bad">
          <ProblemNote title="It was not deleted." problem={stillThere} />
        </Alert>
      )}
      {own.length > 0 && <OwnStreams all={own} />}
      {shown && own.length === 0 && (
        <Card>
          <Empty action={add}>
            This device has no stream yet. Plug in a camera and add it, or try the synthetic one.
          </Empty>
        </Card>
      )}
      {remote.length > 0 && <RemoteStreams all={remote} />}
      {isAdding && <AddStream onClose={() => setAdding(false)} />}
    </>
  )
}
