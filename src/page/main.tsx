import { render } from 'preact';
import { App } from './app.tsx';
import { showDevice } from './device/device-bar.tsx';
import { knownLang } from './page-environment.ts';
import { RestService } from './service/rest-service.ts';

const ANSWERS = 'acequia-answers';
const STORED_AT = 'acequia-stored-at';

/**
 * The service worker stores answers (service-worker.js). On the first visit it is not there yet, so
 * the page stores them.
 */
const fetchAndStoreFirst: typeof fetch = async (address, init) => {
  // Read before the request, because the worker may take the page over before the answer comes.
  const isUncontrolled = navigator.serviceWorker?.controller === null;
  const response = await fetch(address, init);
  const isAnswer = init?.method === 'GET' && String(address).startsWith('v1/');
  if (isUncontrolled && isAnswer && response.ok)
    void store(String(address), response.clone()).catch(() => undefined);
  return response;
};

async function store(address: string, response: Response): Promise<void> {
  const body = await response.blob();
  await (await caches.open(ANSWERS)).put(
    address,
    new Response(body, { headers: { [STORED_AT]: `${Date.now()}` } }),
  );
}

const lang = knownLang(navigator.languages);
const service = new RestService(fetchAndStoreFirst);
render(<App service={service} forcedTheme={null} lang={lang} />, document.getElementById('page')!);
showDevice(lang);
