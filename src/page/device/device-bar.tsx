import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { languageOf } from '../../language/index.ts';
import { Button } from '../button.tsx';
import { formatAgo } from '../page-texts.ts';
import { CONNECTION } from '../service/page-service.ts';
import { SIGNED_OUT } from '../service/use-loaded.ts';
import {
  canNotify,
  type DeviceState,
  endPush,
  isSubscribed,
  onceDeviceKnown,
  signOut,
  startPush,
} from './notifications.ts';

/** Shown below the page, except in a chat. */
export function showDevice(lang: Lang | null): void {
  void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
  const container = document.createElement('div');
  document.body.append(container);
  render(<DeviceBar lang={lang ?? DEFAULT_LANG} />, container);
}

interface DeviceProps {
  readonly lang: Lang;
}

/**
 * Who is signed in on this device, whether it gets alerts, and how old the data are without a
 * connection.
 */
function DeviceBar({ lang }: DeviceProps) {
  const texts = languageOf(lang).thisDevice;
  const [device, setDevice] = useState<DeviceState | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    addEventListener(SIGNED_OUT, () => setDevice(null));
    return onceDeviceKnown(setDevice);
  }, []);

  const attempt = (action: () => Promise<unknown>) => async (): Promise<void> => {
    setProblem(null);
    await action().catch(() => setProblem(texts.failed));
  };

  const leaveDevice = attempt(async () => {
    // Emptied first, so that the person's data leave the device even without a connection.
    await emptyCaches();
    await endPush().catch(() => undefined);
    await signOut();
    // An answer may have been stored meanwhile.
    await emptyCaches();
    location.reload();
  });

  return (
    <>
      <OfflineNotice lang={lang} />
      {device && (
        <footer class="device">
          {canNotify() && (
            <PushSwitch lang={lang} device={device} attempt={attempt} onProblem={setProblem} />
          )}
          {problem !== null && <p role="alert">{problem}</p>}
          <p>
            {device.email !== null && texts.signedIn(device.email)}
            <Button onClick={leaveDevice}>{texts.signOut}</Button>
          </p>
        </footer>
      )}
    </>
  );
}

async function emptyCaches(): Promise<void> {
  for (const name of (await window.caches?.keys()) ?? []) await caches.delete(name);
}

interface PushSwitchProps extends DeviceProps {
  readonly device: DeviceState;
  readonly attempt: (action: () => Promise<unknown>) => () => Promise<void>;
  readonly onProblem: (problem: string) => void;
}

function PushSwitch({ lang, device: { pushKey, hasPush }, attempt, onProblem }: PushSwitchProps) {
  const texts = languageOf(lang).thisDevice;
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (hasPush) void isSubscribed().then(setOn);
  }, [hasPush]);

  const toggle = attempt(async () => {
    if (isOn) {
      await endPush();
      setOn(false);
    } else if (await startPush(pushKey, lang)) setOn(true);
    else onProblem(texts.blocked);
  });

  return (
    <Button role="switch" aria-checked={isOn} onClick={toggle}>
      {texts.notify}
    </Button>
  );
}

/**
 * The service worker posts a message when it answers with stored data; a page that asks for nothing
 * hears that the connection was lost.
 */
function OfflineNotice({ lang }: DeviceProps) {
  const [storedAt, setStoredAt] = useState<number | null>(null);
  const [lostAt, setLostAt] = useState<number | null>(null);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const workers = navigator.serviceWorker;

    const onMessage = ({ data }: MessageEvent<{ readonly storedAt: number | null }>): void => {
      setNow(Date.now());
      // The oldest of the stored answers that the page shows.
      setStoredAt((before) =>
        data.storedAt === null ? null : Math.min(before ?? data.storedAt, data.storedAt),
      );
    };

    const onConnection = (event: Event): void =>
      setLostAt((event as CustomEvent<number | null>).detail);

    addEventListener(CONNECTION, onConnection);
    workers?.addEventListener('message', onMessage);
    workers?.startMessages();

    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => {
      removeEventListener(CONNECTION, onConnection);
      workers?.removeEventListener('message', onMessage);
      clearInterval(timer);
    };
  }, []);

  const since = storedAt ?? lostAt;
  return (
    <div class="offline" role="status">
      {since !== null &&
        languageOf(lang).thisDevice.offline(formatAgo(Math.max(0, now - since), lang))}
    </div>
  );
}
