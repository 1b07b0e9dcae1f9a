// Files that are dropped on a part of the page. They can be chosen with a button there, too.
import { type DragEvent, useState } from 'react'

/** What the element gets on which they are dropped. take: gets them. isOpen: whether any are taken now. */
export const useFileDrop = (take: (files: readonly File[]) => void, isOpen = true) => {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(isOpen)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      if (isOpen) take([...event.dataTransfer.files])
    },
  }
}
