// A map that all streams and their joint pose use from now on.
import { type Answer, api, ask } from '../../api/client.ts'
import { Button, WriteNote } from '../../parts/parts.tsx'
import { useKnownOf } from '../../state/live.ts'
import { localizationConfig, writeConfig } from '../../state/localization-config.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'

/** What it takes. */
export interface UseEverywhereProps {
  readonly id: string
  readonly name: string
}

/** The button; nothing where all use it already. */
export const UseEverywhere = ({ id, name }: UseEverywhereProps) => {
  const streams = useOwnStreams() ?? []
  const config = useKnownOf(localizationConfig, ({ value }) => value)
  const { state, write } = useWrite()
  const others = streams.filter(({ spec }) => spec.map_id !== id)
  const isSet = config === undefined || config.spec.map_id === null || config.spec.map_id === id
  const send = async (): Promise<Answer<unknown>> => {
    for (const { id: streamId, revision } of others) {
      const params = { path: { id: streamId } }
      const body = { patch: { map_id: id }, expected_revision: revision }
      const answer = await ask(api.PATCH('/v1/streams/{id}', { params, body }))
      if (!answer.ok) return answer
    }
    if (isSet) return { ok: true, value: undefined, revision: null }
    return writeConfig({ ...config.spec, map_id: id }, config.revision)
  }
  return (
    <div>
      {(others.length > 0 || !isSet) && <Button onClick={() => void write(send)}>Use {name} for everything</Button>}
      <WriteNote state={state} onSetMine={() => void write(send)} />
    </div>
  )
}
