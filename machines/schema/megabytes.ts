// Sizes of files in sentences for people.

/** `12 MB`, rounded up: what is needed is never said to be less. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
