import type { HostBridge } from './bridge.ts';

const OPEN_TIMEOUT_MS = 30_000;

/**
 * Handles clicks that go wrong in the frame of a host: a link within the page would leave it,
 * because its address is the host's; a link elsewhere opens nothing; and a sandbox may block forms,
 * without even an event.
 */
export function followClicks(bridge: HostBridge, canOpenLinks: boolean): () => void {
  function follow(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const href = target?.closest('a')?.getAttribute('href');
    const button = target?.closest<HTMLButtonElement>('button[type=submit]');
    if (href?.startsWith('#')) location.hash = href;
    else if (canOpenLinks && href && /^https?:/.test(href))
      void bridge.request('ui/open-link', { url: href }, OPEN_TIMEOUT_MS).catch(() => undefined);
    else if (button?.form) submit(button.form, button);
    else return;
    event.preventDefault();
  }

  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}

/** The Enter key in a field clicks the button as well. */
function submit(form: HTMLFormElement, submitter: HTMLButtonElement): void {
  if (form.reportValidity())
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter }));
}
