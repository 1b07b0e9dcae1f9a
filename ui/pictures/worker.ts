// Receives pictures and draws them, apart from the page.
export {}
