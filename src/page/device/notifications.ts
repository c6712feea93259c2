import type { Lang } from '../../domain/lang.ts';

/** On an iPhone, true only once the page is on the home screen. */
export const canNotify = (): boolean => 'PushManager' in window && 'Notification' in window;

const registration = (): Promise<ServiceWorkerRegistration> => navigator.serviceWorker.ready;

export const isSubscribed = async (): Promise<boolean> =>
  canNotify() && (await (await registration()).pushManager.getSubscription()) !== null;

/** False if the person, or the browser, does not allow notifications. */
export async function startPush(pushKey: string, lang: Lang): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;

  const applicationServerKey = Uint8Array.from(
    atob(pushKey.replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  );
  const { pushManager } = await registration();
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });

  // The browser keeps the subscription of another service that was at this address, such as the
  // demo, and refuses a second.
  const subscription = await subscribe().catch(async () => {
    await unsubscribe();
    return subscribe();
  });
  await savePush({ ...subscription.toJSON(), lang });

  return true;
}

async function unsubscribe(): Promise<void> {
  await (await (await registration()).pushManager.getSubscription())?.unsubscribe();
}

/** Unsubscribes first, so that no alert is shown any more even if the service cannot be reached. */
export async function endPush(): Promise<void> {
  if (canNotify()) await unsubscribe();
  await deletePush();
}

/** The facts that the service has of this device. No operation returns it. */
export interface DeviceState {
  readonly email: string | null;
  /** The public key by which push services recognize the service. */
  readonly pushKey: string;
  readonly hasPush: boolean;
}

function request(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = new Headers({ 'Acequia-Page': '1' });
  const init: RequestInit = { method, headers };
  if (body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(body);
  }

  return fetch(path, init);
}

function assertOk({ ok, status }: Response): void {
  if (!ok) throw new Error(String(status));
}

async function send(method: string, path: string, body?: unknown): Promise<void> {
  assertOk(await request(method, path, body));
}

/** Null if nobody is signed in. */
async function readDevice(): Promise<DeviceState | null> {
  const response = await request('GET', 'page/device');
  if (response.status === 401) return null;
  assertOk(response);
  return response.json();
}

const savePush = (body: unknown): Promise<void> => send('PUT', 'page/push', body);
const deletePush = (): Promise<void> => send('DELETE', 'page/push');
export const signOut = (): Promise<void> => send('POST', 'sign-out');

const RETRY_MS = 5_000;

/** Retries, because the service may be down while the page is opened. Returns how to stop. */
export function onceDeviceKnown(onKnown: (device: DeviceState) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (): void =>
    void readDevice().then(
      (device) => device !== null && onKnown(device),
      () => {
        timer = setTimeout(attempt, RETRY_MS);
      },
    );
  attempt();
  return () => clearTimeout(timer);
}
