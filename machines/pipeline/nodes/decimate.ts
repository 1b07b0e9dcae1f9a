// The factors by which libapriltag makes a picture smaller before it looks for tags.

/** It has 1.5 and the whole ones; with any other the engine takes the one below. */
export const wholeDecimate = (decimate: number): number => (decimate === 1.5 ? decimate : Math.floor(decimate))
