const ANSWERS = 'acequia-answers';
const STORED_AT = 'acequia-stored-at';

/** The service worker stores answers (service-worker.js). On the first visit it is not there yet, so the page does. */
export const fetchAndKeepFirst: typeof fetch = async (address, init) => {
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
