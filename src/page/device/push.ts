import type { Lang } from '../../domain/lang.ts';
import { deletePush, savePush } from './requests.ts';

/** On an iPhone only once the page is on the home screen. */
export const canNotify = (): boolean => 'PushManager' in window && 'Notification' in window;

const registration = (): Promise<ServiceWorkerRegistration> => navigator.serviceWorker.ready;

export const isSubscribed = async (): Promise<boolean> =>
  canNotify() && (await (await registration()).pushManager.getSubscription()) !== null;

/** False if the person, or the browser, does not allow notifications. */
export async function startPush(pushKey: string, lang: Lang): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const applicationServerKey = Uint8Array.from(atob(pushKey.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  const { pushManager } = await registration();
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  // The browser keeps the subscription of another service that was at this address, such as the demo, and refuses a second.
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

/** Also without a connection no alert is shown any more: the service is told last. */
export async function endPush(): Promise<void> {
  if (canNotify()) await unsubscribe();
  await deletePush();
}
