// One plugin: how it does, its panel, what it may do, how it is held, and what it says.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Alert, Button, Card, Dialog, Empty, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { type Permission, type Plugin, plugins, titleOf } from '../../state/plugins.ts'
import { useWrite } from '../../state/write.ts'
import { counted, shownState, sizeOf } from '../../words.ts'
import { PanelFrame } from './panel-frame.tsx'
import { PermissionChoice } from './permission-choice.tsx'
import { PluginLog } from './plugin-log.tsx'
import { limitsOf, PERMISSION_WORDS, providesOf, stateOf } from './plugin-words.ts'

const Removal = ({ plugin, onClose }: { readonly plugin: Plugin; readonly onClose: () => void }) => {
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const { name } = plugin
  const remove = async () => {
    const answer = await write(() => ask(api.DELETE('/v1/plugins/{name}', { params: { path: { name } }, body: {} })))
    if (!answer.ok) return
    plugins.refresh()
    go('/plugins')
  }
  return (
    <Dialog title={`Remove ${titleOf(plugin)}?`} onClose={onClose}>
      <p>
        Its program ends, and its files and its own data are deleted. Pipelines with its nodes stay stored and say what
        they miss. Download it first if you may want it again.
      </p>
      <div className="row">
        <Button kind="danger" disabled={state.state === 'pending'} onClick={() => void remove()}>
          Remove it
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
      <WriteNote state={state} />
    </Dialog>
  )
}

const Actions = ({ plugin }: { readonly plugin: Plugin }) => {
  const { state, write } = useWrite()
  const [isRemoving, setRemoving] = useState(false)
  const { name } = plugin
  const path = { params: { path: { name } }, body: {} }
  const isPending = state.state === 'pending'
  const enable = () => write(() => ask(api.POST('/v1/plugins/{name}/enable', path)))
  const disable = () => write(() => ask(api.POST('/v1/plugins/{name}/disable', path)))
  return (
    <>
      <div className="row">
        {plugin.state === 'disabled' ? (
          <Button kind="main" disabled={isPending || !plugin.manifest} onClick={() => void enable()}>
            Enable
          </Button>
        ) : (
          <Button disabled={isPending || plugin.state === 'removing'} onClick={() => void disable()}>
            Disable
          </Button>
        )}
        <a className="button" href={`/v1/plugins/${name}`} download={`${name}-${plugin.version}.zip`}>
          <Download size={16} aria-hidden />
          Download
        </a>
        <Button kind="danger" disabled={isPending} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <WriteNote state={state} />
      {isRemoving && <Removal plugin={plugin} onClose={() => setRemoving(false)} />}
    </>
  )
}

/** Asked and granted, side by side; and the form that changes it. */
const Permissions = ({ plugin, asked }: { readonly plugin: Plugin; readonly asked: readonly Permission[] }) => {
  const [chosen, setChosen] = useState<readonly Permission[]>()
  const { state, write } = useWrite()
  const { name, granted } = plugin
  const change = async () => {
    const body = { grant: [...(chosen ?? [])] }
    const answer = await write(() => ask(api.POST('/v1/plugins/{name}/enable', { params: { path: { name } }, body })))
    if (answer.ok) setChosen(undefined)
  }
  return (
    <Card title="What it may do">
      <div className="card-body stack">
        {chosen ? (
          <>
            <PermissionChoice asked={asked} granted={chosen} onChange={setChosen} />
            <div className="row">
              <Button kind="main" disabled={state.state === 'pending'} onClick={() => void change()}>
                {plugin.state === 'disabled' ? 'Enable it with this' : 'Start it again with this'}
              </Button>
              <Button onClick={() => setChosen(undefined)}>Leave it as it is</Button>
            </div>
            <WriteNote state={state} />
          </>
        ) : (
          <>
            {asked.length === 0 ? (
              <p>It asks for nothing: it computes, and sees no more than what a pipeline gives it.</p>
            ) : (
              <table className="plugins-permissions">
                <thead>
                  <tr>
                    <th scope="col">Asked for</th>
                    <th scope="col">Granted</th>
                  </tr>
                </thead>
                <tbody>
                  {asked.map((permission) => (
                    <tr key={permission}>
                      <th scope="row">
                        {PERMISSION_WORDS[permission].name}
                        <p className="hint">{PERMISSION_WORDS[permission].means}</p>
                      </th>
                      <td>
                        {granted.includes(permission) ? <Pill tone="good">yes</Pill> : <Pill tone="quiet">no</Pill>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {asked.length > 0 && (
              <div className="row">
                <Button onClick={() => setChosen(granted)}>Change what it may do</Button>
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

/** How a program is held: what a means holds, or why it does not on this device. */
const Holding = ({ plugin }: { readonly plugin: Plugin }) => {
  const { manifest, run } = plugin
  const limits = manifest ? limitsOf(manifest) : []
  const confinement = run?.confinement ?? []
  if (limits.length === 0)
    return (
      <Card title="How it is held">
        <p className="card-body">
          It has no program. Its panel runs in the browser, in a frame that sees nothing of this page and gets nothing
          but what is granted.
        </p>
      </Card>
    )
  return (
    <Card title="How it is held">
      <div className="card-body stack">
        <ul className="plugins-words" aria-label="Limits">
          {limits.map((limit) => (
            <li key={limit}>at most {limit}</li>
          ))}
        </ul>
        {confinement.length > 0 && (
          <ul className="plugins-held" aria-label="How it is confined">
            {confinement.map(({ means, holds, why }) => (
              <li key={means}>
                <Pill tone={holds ? 'good' : 'busy'}>{holds ? 'held' : 'not held'}</Pill>
                <span>
                  <strong>{means}</strong>: {why}
                </span>
              </li>
            ))}
          </ul>
        )}
        {confinement.length === 0 && <p className="hint">How it is confined shows when its program runs.</p>}
      </div>
    </Card>
  )
}

const Known = ({ plugin }: { readonly plugin: Plugin }) => {
  const { name, version, manifest, run, fault, previous_version, unpacked_bytes } = plugin
  const { word, tone } = stateOf(plugin)
  const panel = plugin.state === 'enabled' ? manifest?.provides.panel : undefined
  return (
    <>
      <div className="page-head">
        <BackLink href="/plugins" name="All plugins" />
        <h1>{titleOf(plugin)}</h1>
        <span className="hint">{version}</span>
        <Pill tone={tone}>{word}</Pill>
      </div>
      {manifest?.description && <p>{manifest.description}</p>}
      <Actions plugin={plugin} />
      {fault && (
        <Alert tone={plugin.state === 'disabled' ? 'bad' : 'busy'}>
          <strong>{plugin.state === 'disabled' ? 'It was disabled' : 'Something went wrong'}:</strong> {fault.detail}
        </Alert>
      )}
      {run?.fault && <Alert tone="bad">{run.fault.detail}</Alert>}
      <div className="plugins-page">
        <div className="stack">
          {panel && (
            <Card title={panel.title}>
              <PanelFrame name={name} version={version} granted={plugin.granted} />
            </Card>
          )}
          <Permissions plugin={plugin} asked={manifest?.permissions ?? []} />
          {manifest?.program && <PluginLog name={name} lines={run?.lines ?? []} />}
        </div>
        <div className="stack">
          <Card title="What it is">
            <dl className="card-body plugins-facts">
              <dt>Brings</dt>
              <dd>{manifest ? providesOf(manifest).join('; ') || 'nothing yet' : 'its files are missing'}</dd>
              {manifest?.program && (
                <>
                  <dt>Program</dt>
                  <dd>{run ? shownState(run.state).word : 'does not run'}</dd>
                  <dt>Crashes</dt>
                  <dd>
                    {run?.restarts ? counted(run.restarts, 'start after a crash', 'starts after crashes') : 'none'}
                  </dd>
                </>
              )}
              <dt>Size</dt>
              <dd>{unpacked_bytes === null ? 'not known' : sizeOf(unpacked_bytes)}</dd>
              {previous_version !== null && (
                <>
                  <dt>Before</dt>
                  <dd>{previous_version}, which it goes back to if this one does not start</dd>
                </>
              )}
            </dl>
          </Card>
          <Holding plugin={plugin} />
        </div>
      </div>
    </>
  )
}

export const PluginPage = ({ name }: { readonly name: string }) => {
  const { value, problem } = useKnown(plugins)
  const plugin = value?.items.find((each) => each.name === name)
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {plugin && <Known key={name} plugin={plugin} />}
      {value && !plugin && <Empty>There is no plugin {name} on this device.</Empty>}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
