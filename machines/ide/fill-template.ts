// The files of a new project, made of those of its template.

/** A text file of a project. */
export interface ProjectFile {
  /** In the project, with slashes. */
  readonly path: string
  readonly text: string
}

/** What a project is called. */
export interface ProjectNames {
  readonly name: string
  /** For people. */
  readonly title: string
}

/** Puts the names in where a template has its places for them. Titles stand within strings of JSON and of Markdown. */
export const fillTemplate = (files: readonly ProjectFile[], { name, title }: ProjectNames): readonly ProjectFile[] => {
  const inJson = JSON.stringify(title).slice(1, -1)
  return files.map(({ path, text }) => ({
    path,
    text: text
      .replaceAll('<<name>>', name)
      .replaceAll('<<title>>', () => (path.endsWith('.json') ? inJson : inText(title))),
  }))
}

/** A title may hold what HTML and Markdown take for their own. */
const inText = (title: string): string => title.replace(/[<>&"'`\\]/g, ' ').trim() || 'A plugin'

/** A title for a name: `note-finder` is `Note finder`. */
export const titleFor = (name: string): string => {
  const words = name.replaceAll('-', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
