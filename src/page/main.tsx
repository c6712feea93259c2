import { render } from 'preact';
import { App } from './app.tsx';
import { restService } from './rest-service.ts';
import { knownLang } from './surroundings.ts';

render(
  <App service={restService()} forcedTheme={null} lang={knownLang(navigator.languages)} />,
  document.getElementById('page')!,
);
