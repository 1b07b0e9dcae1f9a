// Plugins: those that are installed, packages that wait, and one of them.
import { Route, Switch, useParams } from 'wouter'
import { ListPage } from './list.tsx'
import { PluginPage } from './plugin-page.tsx'

const OnePlugin = () => {
  const { name = '' } = useParams<{ readonly name: string }>()
  return <PluginPage key={name} name={name} />
}

const PluginsPage = () => (
  <Switch>
    <Route path="/plugins" component={ListPage} />
    <Route path="/plugins/:name" component={OnePlugin} />
  </Switch>
)

export default PluginsPage
