// While there is no connection, shows the stored page and the last answers to what it reads. The page and the sign-in
// page delete both caches, so that no other person sees them.

const PAGE = 'acequia-page';
const ANSWERS = 'acequia-answers';
const STORED_AT = 'acequia-stored-at';
const MAX_ANSWERS = 200;
/** With a weak signal, the stored answer is shown after this time. */
const ANSWER_TIMEOUT_MS = 8_000;
/** Shorter, because the stored page is as good as a new one. */
const PAGE_TIMEOUT_MS = 3_000;
/** Statuses of a proxy while the service is down. */
const DOWN_STATUSES = [502, 503, 504];
/** Query parameters whose values change with the clock, so that later requests for the same data have others. */
const PERIOD_PARAMETERS = ['start', 'end', 'from', 'to', 'since', 'until'];

const home = new URL('./', self.registration.scope);
const isApiRequest = ({ pathname }) => pathname.startsWith(new URL('v1/', home).pathname);

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(begin()));

/**
 * The page that installs the worker was loaded without it, so it is stored now: the next time there may be no connection.
 * It is in the cache of the browser. The page itself stores its first answers.
 */
async function begin() {
  await self.clients.claim();
  await ignoreFailure(fetch(home, { cache: 'force-cache' }).then(storePage));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== home.origin) return;
  if (request.mode === 'navigate' && url.pathname === home.pathname)
    event.respondWith(openPage(event));
  else if (isApiRequest(url) && request.headers.has('acequia-page'))
    event.respondWith(answerRequest(event));
});

/** False for the sign-in page of a network or a proxy, which may answer in place of the service. */
const isPage = ({ ok, headers }) => ok && headers.has('acequia-page');
const isAnswer = ({ status, headers }) =>
  /json/.test(headers.get('content-type')) && !DOWN_STATUSES.includes(status);

async function openPage(event) {
  const network = fetch(event.request).then((response) => {
    if (DOWN_STATUSES.includes(response.status)) throw new Error('down');
    return response;
  });
  event.waitUntil(ignoreFailure(network.then((response) => storePage(response.clone()))));
  return (
    (await withinTime(network, PAGE_TIMEOUT_MS)) ??
    (await ignoreFailure(caches.match(home, { cacheName: PAGE }))) ??
    network
  );
}

async function answerRequest(event) {
  const { request, clientId } = event;
  const network = fetch(request).then((response) => {
    if (!isAnswer(response)) throw new Error('down');
    return response;
  });
  event.waitUntil(
    ignoreFailure(network.then((response) => storeAnswer(request, response.clone()))),
  );
  const response = await withinTime(network, ANSWER_TIMEOUT_MS);
  const stored = response ? null : await ignoreFailure(lastAnswer(request));
  // Nothing is stored, so waiting longer is the best that can be done.
  if (!response && !stored) return network;

  await postStoredAt(clientId, stored && Number(stored.headers.get(STORED_AT)));
  return response ?? stored;
}

/** Null if there is no answer after `ms`. */
function withinTime(promise, ms) {
  const timeout = new Promise((resolve) => setTimeout(resolve, ms, null));
  return Promise.race([promise.catch(() => null), timeout]);
}

/** Storing fails if the device has no space left, or if no answer came. */
const ignoreFailure = (promise) => promise.catch(() => undefined);

async function storePage(response) {
  if (isPage(response)) await (await caches.open(PAGE)).put(home, response);
}

async function storeAnswer(request, response) {
  if (response.status === 401) await caches.delete(ANSWERS);
  // An answer about single modules updates a part of one about all, which is stored already.
  if (!response.ok || new URL(request.url).searchParams.has('moduleIds')) return;
  const cache = await caches.open(ANSWERS);
  const headers = { [STORED_AT]: String(Date.now()) };
  await cache.put(request, new Response(await response.blob(), { headers }));

  // The keys are in the order in which they were stored.
  const requests = await cache.keys();
  const excess = Math.max(0, requests.length - MAX_ANSWERS);
  for (const old of requests.slice(0, excess)) await cache.delete(old);
}

/** The stored answer to the same request, or to one that differs only in its period. */
async function lastAnswer(request) {
  const cache = await caches.open(ANSWERS);
  const exact = await cache.match(request);
  if (exact) return exact;

  const address = withoutPeriod(request.url);
  const requests = await cache.keys();
  const alike = requests.findLast(({ url }) => withoutPeriod(url) === address);
  return alike && cache.match(alike);
}

function withoutPeriod(address) {
  const url = new URL(address);
  for (const name of PERIOD_PARAMETERS) url.searchParams.delete(name);
  return url.href;
}

/** `storedAt` is null once answers are fresh again. */
async function postStoredAt(clientId, storedAt) {
  const client = await self.clients.get(clientId);
  client?.postMessage({ storedAt });
}

/** Shows an alert. A click on it opens its probe. */
self.addEventListener('push', (event) => {
  const { title, body, tag, moduleId } = event.data.json();
  const address = new URL(`#/probe/${moduleId}`, home).href;
  const icon = new URL('icon-192.png', home).href;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      renotify: true,
      icon,
      badge: icon,
      data: { address },
    }),
  );
});

/** The push service gave the browser another address. It is sent to the service if the signed-in person agreed to push. */
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPush(event)));

async function renewPush({ newSubscription }) {
  const headers = { 'acequia-page': '1', 'content-type': 'application/json' };
  const device = await fetch(new URL('page/device', home), { headers });
  const { hasPush, pushLang, pushKey } = device.ok ? await device.json() : {};
  if (!hasPush) return;

  const options = { userVisibleOnly: true, applicationServerKey: pushKey };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const body = JSON.stringify({ ...subscription.toJSON(), lang: pushLang });
  await fetch(new URL('page/push', home), { method: 'PUT', headers, body });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openProbe(event.notification.data.address));
});

async function openProbe(address) {
  const [open] = await self.clients.matchAll({ type: 'window' });
  if (!open) return self.clients.openWindow(address);
  await open.focus();
  return open.navigate(address);
}
