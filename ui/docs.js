// Starts the explorer on this device's own description, where one may read it.
const explore = () =>
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#explorer',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    validatorUrl: null, // works without a network
    syntaxHighlight: false, // a whole picture's worth of text would stall the page
  })

fetch('/v1/session')
  .then((response) => response.json())
  .then(({ may }) => {
    if (may.includes('read')) explore()
    else document.getElementById('locked').hidden = false
  })
  .catch(explore) // it says best what is wrong
