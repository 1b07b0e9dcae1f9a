// The kinds of codes that can be read.

/** Index = the `symbology` field of a row. */
export const SYMBOLOGIES = ['qr', 'data-matrix', 'pdf417', 'code-128', 'code-39', 'ean-13'] as const
