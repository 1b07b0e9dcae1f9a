// Where the config of localization is stored.
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore, type StoredValue } from '../settings/store.ts'
import { DEFAULT_LOCALIZATION_CONFIG, LocalizationConfig } from './config.ts'
import { repeatedIn } from './config-flaws.ts'
import { localizationConfigChanged } from './events.ts'

/** The id of the one document in the collection. */
export const LOCALIZATION_DOCUMENT = 'config'

/** The config of localization; its defaults until somebody writes one. */
export const localizationCollection = collection({
  name: 'localization',
  id: Type.Literal(LOCALIZATION_DOCUMENT),
  schema: LocalizationConfig,
  limit: 1,
  changed: localizationConfigChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has set anything of localization yet' }),
  blank: DEFAULT_LOCALIZATION_CONFIG,
  check: repeatedIn,
})

/** The config that is in force. revision 0: nobody has changed anything. */
export const localizationConfigIn = (store: SettingsStore): StoredValue<LocalizationConfig> =>
  documentOf(store, localizationCollection, LOCALIZATION_DOCUMENT) ?? {
    revision: 0,
    value: DEFAULT_LOCALIZATION_CONFIG,
  }
