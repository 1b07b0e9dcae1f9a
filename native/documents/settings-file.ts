// The name of the file in which settings are.

/** In the folder of the settings, which is the data directory where nothing else is said. */
export const SETTINGS_FILE = 'vedette.db'
