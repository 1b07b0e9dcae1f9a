// A package that was uploaded and checked: what it is, what it wants, and the button that installs it.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { Button, Card, WriteNote } from '../../parts/parts.tsx'
import { type Permission, type Plugin, type PluginUpload, plugins } from '../../state/plugins.ts'
import { useWrite } from '../../state/write.ts'
import { sizeOf } from '../../words.ts'
import { PermissionChoice } from './permission-choice.tsx'
import { limitsOf, providesOf } from './plugin-words.ts'

interface InstallProps {
  readonly upload: PluginUpload
  /** The plugin of this name that is there already. */
  readonly installed: Plugin | undefined
}

export const InstallCard = ({ upload, installed }: InstallProps) => {
  const { manifest, size_bytes } = upload
  const asked = manifest.permissions
  const [granted, setGranted] = useState<readonly Permission[]>(
    () => installed?.granted.filter((each) => asked.includes(each)) ?? [],
  )
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const install = async () => {
    const body = { upload: upload.upload, grant: [...granted] }
    const answer = await write(() => ask(api.POST('/v1/plugins/install', { body })))
    plugins.refresh()
    if (answer.ok) go(`/plugins/${manifest.name}`)
  }
  const isPending = state.state === 'pending'
  return (
    <Card
      title={`${manifest.title} ${manifest.version}`}
      side={<span className="hint">{installed ? `instead of ${installed.version}` : 'ready to install'}</span>}
    >
      <div className="card-body stack">
        {manifest.description && <p>{manifest.description}</p>}
        <ul className="plugins-words" aria-label="What it brings">
          {[...providesOf(manifest), ...limitsOf(manifest).map((limit) => `takes at most ${limit}`)].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        <PermissionChoice asked={asked} granted={granted} onChange={setGranted} />
        <div className="row">
          <Button kind="main" disabled={isPending} onClick={() => void install()}>
            {installed ? `Install ${manifest.version}` : 'Install'}
          </Button>
          <span className="hint">
            {sizeOf(size_bytes)}, sent as {upload.upload}
          </span>
        </div>
        {isPending && <p role="status">It is being installed and started. That takes some seconds.</p>}
        <WriteNote state={state} />
      </div>
    </Card>
  )
}
