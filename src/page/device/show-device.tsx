import { render } from 'preact';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { DeviceBar } from './device-bar.tsx';

/** Below the page, where it is not inside a chat. */
export function showDevice(lang: Lang | null): void {
  void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
  const place = document.createElement('div');
  document.body.append(place);
  render(<DeviceBar lang={lang ?? DEFAULT_LANG} />, place);
}
