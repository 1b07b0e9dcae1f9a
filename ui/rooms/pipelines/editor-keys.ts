// Keys of the editor as a whole.
import { useEffect } from 'react'
import type { Edit } from './edit.ts'

/** Whether what is typed goes into a control. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox]), textarea, select')

/** Undo, redo and save, wherever on the page the focus is: what had it may be gone by then. */
export const useEditorKeys = (edit: Edit, save: () => Promise<void>): void => {
  useEffect(() => {
    const takeKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event
      if (!(ctrlKey || metaKey)) return
      const letter = key.toLowerCase()
      if (letter === 's') {
        event.preventDefault()
        void save()
      }
      if (isTyping(target) || !['z', 'y'].includes(letter)) return
      event.preventDefault()
      if (letter === 'y' || shiftKey) edit.trigger.redone()
      else edit.trigger.undone()
    }
    addEventListener('keydown', takeKey)
    return () => removeEventListener('keydown', takeKey)
  }, [edit, save])
}
