// Ids in paths of other devices.

/** A part of a path that stays one, whatever is in it: also dots, which a URL would take for a way up. */
export const pathPart = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E')
