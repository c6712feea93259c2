// Shows the document of this service. The key that a person enters stays in this page and is gone with it.
window.SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#document',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: false,
  validatorUrl: null,
});
