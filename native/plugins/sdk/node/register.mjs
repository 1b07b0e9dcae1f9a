// Loaded before the program of a plugin: from then on `vedette-plugin` can be imported, from wherever that lies.
import { registerHooks } from 'node:module'

const MODULES = {
  'vedette-plugin': new URL('./plugin.mjs', import.meta.url).href,
  'vedette-plugin/node': new URL('./node.mjs', import.meta.url).href,
}

registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(MODULES, specifier) ? { url: MODULES[specifier], shortCircuit: true } : next(specifier, context),
})
