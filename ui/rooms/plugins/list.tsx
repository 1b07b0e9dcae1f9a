// All plugins of the device, and packages that wait to be installed.
import { Link } from 'wouter'
import { Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { type Plugin, type PluginUpload, plugins, titleOf } from '../../state/plugins.ts'
import { InstallCard } from './install-card.tsx'
import { NewProjectCard } from './new-project-card.tsx'
import { providesOf, stateOf } from './plugin-words.ts'
import { UploadCard } from './upload-card.tsx'

const Row = ({ plugin }: { readonly plugin: Plugin }) => {
  const { name, version, manifest, granted, fault } = plugin
  const { word, tone } = stateOf(plugin)
  const asked = manifest?.permissions ?? []
  return (
    <li className="plugins-row">
      <div className="grow">
        <Link href={`/plugins/${name}`}>{titleOf(plugin)}</Link> <span className="hint">{version}</span>
        <p className="hint">
          {manifest ? providesOf(manifest).join('; ') : 'Its files are not on the device any more.'}
        </p>
        {fault && <p className="plugins-fault">{fault.detail}</p>}
      </div>
      <span className="hint">{asked.length > 0 && `${granted.length} of ${asked.length} granted`}</span>
      <Pill tone={tone}>{word}</Pill>
    </li>
  )
}

export const ListPage = () => {
  const { value, problem } = useKnown(plugins)
  const items = value?.items ?? []
  const waiting = (value?.uploads ?? []).filter((upload) => !items.some((plugin) => isInstalled(plugin, upload)))
  return (
    <>
      <div className="page-head">
        <h1>Plugins</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {!value && !problem && <p className="hint">Loading</p>}
      {value && (
        <div className="plugins-page">
          <div className="stack">
            {waiting.map((upload) => (
              <InstallCard
                key={upload.sha256}
                upload={upload}
                installed={items.find(({ name }) => name === upload.manifest.name)}
              />
            ))}
            <Card title="Installed">
              {items.length === 0 ? (
                <Empty>
                  No plugin is installed. A plugin adds what this device does not have by itself: a detector of your
                  own, a node for pipelines, a panel on this page. Add one with its <code>.zip</code>, or begin one of
                  your own.
                </Empty>
              ) : (
                <ul className="list">
                  {items.map((plugin) => (
                    <Row key={plugin.name} plugin={plugin} />
                  ))}
                </ul>
              )}
            </Card>
          </div>
          <div className="stack">
            <UploadCard />
            <NewProjectCard />
          </div>
        </div>
      )}
    </>
  )
}

/** Whether an upload is installed already: the same version may have come again with other content. */
const isInstalled = ({ name, version, installed_at_ms }: Plugin, { manifest, uploaded_at_ms }: PluginUpload): boolean =>
  name === manifest.name && version === manifest.version && (installed_at_ms ?? 0) >= uploaded_at_ms
