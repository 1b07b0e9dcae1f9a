// Starts the explorer on this device's own description.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#explorer',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null, // works without a network
  syntaxHighlight: false, // a whole picture's worth of text would stall the page
})
