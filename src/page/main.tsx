import { render } from 'preact';
import { App } from './app.tsx';
import { showDevice } from './device/device-bar.tsx';
import { openInHost } from './host/open-in-host.tsx';
import { restService } from './rest-service.ts';
import { knownLang } from './surroundings.ts';

const ANSWERS = 'acequia-answers';
const STORED_AT = 'acequia-stored-at';

/** The service worker stores answers (service-worker.js). On the first visit it is not there yet, so the page does. */
const fetchAndKeepFirst: typeof fetch = async (address, init) => {
  // It may take the page over before the answer is there.
  const isFirst = navigator.serviceWorker?.controller === null;
  const response = await fetch(address, init);
  const isAnswer = init?.method === 'GET' && String(address).startsWith('v1/');
  if (isFirst && isAnswer && response.ok) void keep(String(address), response.clone()).catch(() => undefined);
  return response;
};

async function keep(address: string, response: Response): Promise<void> {
  const stored = await response.blob();
  await (await caches.open(ANSWERS)).put(address, new Response(stored, { headers: { [STORED_AT]: `${Date.now()}` } }));
}

const root = document.getElementById('page')!;

// The service forbids frames around the page, so a window around it is that of a chat.
if (window.parent !== window) void openInHost(root);
else {
  const lang = knownLang(navigator.languages);
  render(<App service={restService(fetchAndKeepFirst)} forcedTheme={null} lang={lang} />, root);
  showDevice(lang);
}
