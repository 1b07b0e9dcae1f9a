// Begins a plugin of one's own: a project that is made on the device and taken along as a zip.
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Card, Field, WriteNote } from '../../parts/parts.tsx'
import { useWrite } from '../../state/write.ts'

type Template = Documents['IdeTemplateName']

const TEMPLATES: Readonly<Record<Template, string>> = {
  'program-typescript': 'A program that watches and tells the robot, TypeScript',
  'program-python': 'A program that watches and tells the robot, Python',
  'node-typescript': 'A node for pipelines, TypeScript',
  'node-python': 'A node for pipelines, Python with NumPy',
  'panel-typescript': 'A panel on this page',
  'panel-python': 'A panel on this page, with a program in Python',
}

const isTemplate = (text: string): text is Template => Object.hasOwn(TEMPLATES, text)

export const NewProjectCard = () => {
  const [name, setName] = useState('')
  const [template, setTemplate] = useState<Template>('program-typescript')
  const [made, setMade] = useState<Documents['WholeIdeProject']>()
  const { state, write } = useWrite()
  const make = async () => {
    setMade(undefined)
    const answer = await write(() => ask(api.POST('/v1/device/ide/projects', { body: { name, template } })))
    if (answer.ok) setMade(answer.value)
  }
  return (
    <Card title="Begin one of your own">
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <Field name="Name" hint="Small letters, digits and hyphens, as note-finder.">
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              value={name}
              required
              pattern="[a-z][a-z0-9\-]{1,39}"
              autoCapitalize="none"
              aria-describedby={describedBy}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field name="What it is">
          {(id) => (
            <select
              id={id}
              className="input"
              value={template}
              onChange={({ target }) => isTemplate(target.value) && setTemplate(target.value)}
            >
              {Object.entries(TEMPLATES).map(([each, words]) => (
                <option key={each} value={each}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="row">
          <Button type="submit" disabled={state.state === 'pending'}>
            Make the project
          </Button>
        </div>
        <WriteNote state={state} />
        {made && (
          <div className="stack" role="status">
            <p>
              <strong>{made.title}</strong> is made. Take it along, test it with <code>{made.test}</code>, which needs
              no device, and put its files into a <code>.zip</code> again, which is added above.
            </p>
            <a
              className="button"
              href={`/v1/device/ide/projects?name=${encodeURIComponent(made.name)}&as=zip`}
              download={`${made.name}.zip`}
            >
              <Download size={16} aria-hidden />
              Download the project
            </a>
          </div>
        )}
      </form>
    </Card>
  )
}
