// The firmware that starts the device.
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Card, Figure, Figures, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { createLive, useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'

const bootloader = createLive<Documents['Bootloader']>({
  read: () => ask(api.GET('/v1/device/bootloader')),
  heed: () => undefined, // programs of the system say it, and nobody tells of a change
})

/** How it is, and the way to the newest one. */
export const BootloaderCard = () => {
  const { value, problem } = useKnown(bootloader)
  const { state, write } = useWrite()
  const stage = async () => {
    const answer = await write(() => ask(api.POST('/v1/device/bootloader/update', {})))
    if (answer.ok) bootloader.refresh()
  }
  return (
    <Card title="Boot firmware">
      <div className="card-body stack">
        {problem && <ProblemNote problem={problem} />}
        {value?.current && (
          <Figures>
            <Figure name="version" value={value.current.version} />
            {value.latest && <Figure name="newest" value={value.latest.version} />}
          </Figures>
        )}
        {value && <p>{value.detail}</p>}
        {value?.state === 'available' && (
          <div className="row">
            <Button disabled={state.state === 'pending'} onClick={() => void stage()}>
              Put it in at the next start
            </Button>
          </div>
        )}
        <WriteNote state={state} />
      </div>
    </Card>
  )
}
