// A stream that uses another map than the one that is shown, and the button that has it use this one.
import { useCallback } from 'react'
import { api, ask } from '../../api/client.ts'
import { Button, WriteNote } from '../../parts/parts.tsx'
import { useWrite } from '../../state/write.ts'

/** What it takes. */
export interface UseMapProps {
  /** The stream's name, and the name of the map that it uses. */
  readonly name: string
  readonly uses: string
  readonly streamId: string
  readonly revision: number
  /** The id of the map that is shown. */
  readonly map: string
  readonly mayWrite: boolean
}

/** Says it, and changes it. */
export const UseMap = ({ name, uses, streamId, revision, map, mayWrite }: UseMapProps) => {
  const heeds = useCallback((ref: Readonly<Record<string, string>>) => ref.stream_id === streamId, [streamId])
  const { state, write } = useWrite({ heeds })
  const send = () =>
    write(() =>
      ask(
        api.PATCH('/v1/streams/{id}', {
          params: { path: { id: streamId } },
          body: { patch: { map_id: map }, expected_revision: revision },
        }),
      ),
    )
  return (
    <div className="stack">
      <p className="hint">
        {name} uses the map “{uses}”: where it says that the robot is, is on that field.
      </p>
      {mayWrite && (
        <div>
          <Button onClick={() => void send()}>Have {name} use this one</Button>
        </div>
      )}
      <WriteNote state={state} theirs={uses} onSetMine={() => void send()} />
    </div>
  )
}
