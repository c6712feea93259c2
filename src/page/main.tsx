import { render } from 'preact';
import { App } from './app.tsx';
import { fetchAndKeepFirst } from './device/first-answers.ts';
import { showDevice } from './device/show-device.tsx';
import { openInHost } from './host/open-in-host.tsx';
import { restService } from './rest-service.ts';
import { knownLang } from './surroundings.ts';

const root = document.getElementById('page')!;

// The service forbids frames around the page, so a window around it is that of a chat.
if (window.parent !== window) void openInHost(root);
else {
  const lang = knownLang(navigator.languages);
  render(<App service={restService(fetchAndKeepFirst)} forcedTheme={null} lang={lang} />, root);
  showDevice(lang);
}
