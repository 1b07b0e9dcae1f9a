// Where the settings of the resource guard are stored.
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { documentOf, type SettingsStore, type StoredValue } from '../settings/store.ts'
import { guardSettingsChanged } from './events.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings, StoredGuardSettings } from './settings.ts'

/** The id of the one document in the collection. */
export const GUARD_DOCUMENT = 'settings'

/** The settings of the guard; their defaults until somebody writes some. */
export const guardCollection = collection({
  name: 'guard',
  id: Type.Literal(GUARD_DOCUMENT),
  schema: StoredGuardSettings,
  limit: 1,
  changed: guardSettingsChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has set anything of the resource guard yet' }),
  blank: DEFAULT_GUARD_SETTINGS,
})

/** Those that are in force. revision 0: nobody has changed anything. */
export const guardSettingsIn = (store: SettingsStore): StoredValue<GuardSettings> => {
  const { revision = 0, value } = documentOf(store, guardCollection, GUARD_DOCUMENT) ?? {}
  return { revision, value: { ...DEFAULT_GUARD_SETTINGS, ...value } }
}
