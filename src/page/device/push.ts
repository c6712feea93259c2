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
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await savePush({ ...subscription.toJSON(), lang });
  return true;
}

export async function endPush(): Promise<void> {
  await deletePush();
  if (canNotify()) await (await (await registration()).pushManager.getSubscription())?.unsubscribe();
}
