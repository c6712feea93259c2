import { render } from 'preact';
import { App } from '../app.tsx';
import { knownLang } from '../environment.ts';
import { hrefOf } from '../route.ts';
import { isWriteRequest } from '../service/rest-service.ts';
import { connectHost, type HostBridge } from './bridge.ts';
import {
  type HostContext,
  UNKNOWN_CONTEXT,
  wantedHeight,
  withHostContext,
} from './host-context.ts';
import { hostService } from './host-service.ts';
import { type Fields, isFields, structuredOf, type ToolTable } from './tool-call.ts';

declare const ACEQUIA_TOOLS: ToolTable;
declare const ACEQUIA_VERSION: string;

const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_TIMEOUT_MS = 30_000;

/** In ms. The tool result says which probe to open. A host that sends none gets the farm. */
const RESULT_WAIT_MS = 5_000;

/** Shows the page in a chat, whose window is around it. */
export async function openInHost(root: HTMLElement): Promise<void> {
  let context: HostContext = UNKNOWN_CONTEXT;
  let toolInput: Fields = {};
  let show: (() => void) | null = null;
  let tearDown = (): void => bridge.close();
  let onResultShown = (): void => undefined;

  const resultShown = new Promise<void>((resolve) => {
    onResultShown = resolve;
  });

  const updateContext = (params: unknown): void => {
    context = withHostContext(context, params);
    show?.();
  };

  const bridge = connectHost(window, {
    onNotification(method, params) {
      if (method === 'ui/notifications/host-context-changed') updateContext(params);
      if (method === 'ui/notifications/tool-input' && isFields(params.arguments))
        toolInput = params.arguments;
      if (method === 'ui/notifications/tool-result') openResult(params, toolInput);
      if (/^ui\/notifications\/tool-(result|cancelled)$/.test(method)) onResultShown();
    },
    onRequest(method) {
      if (method === 'ui/resource-teardown') queueMicrotask(() => tearDown());
      return method === 'ui/resource-teardown' || method === 'ping' ? {} : undefined;
    },
  });

  const initialized = await bridge.request(
    'ui/initialize',
    {
      appInfo: { name: 'acequia', title: 'Acequia', version: ACEQUIA_VERSION },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: PROTOCOL_VERSION,
    },
    INITIALIZE_TIMEOUT_MS,
  );

  const { hostCapabilities, hostContext } = isFields(initialized) ? initialized : {};
  const can = (capability: string): boolean =>
    isFields(hostCapabilities) && isFields(hostCapabilities[capability]);

  updateContext(hostContext);
  bridge.notify('ui/notifications/initialized', {});
  await Promise.race([resultShown, new Promise((resolve) => setTimeout(resolve, RESULT_WAIT_MS))]);

  const service = hostService({
    bridge,
    tools: ACEQUIA_TOOLS,
    isWrite: isWriteRequest,
    every: whileVisible,
    canTellModel: can('updateModelContext'),
  });
  show = () => {
    const lang = context.locale === null ? null : knownLang([context.locale]);
    const { theme, timeZone } = context;
    render(<App service={service} forcedTheme={theme} lang={lang} personZone={timeZone} />, root);
    reportHeight();
  };

  const { reportHeight, stop } = followHeight(root, bridge, () => context);
  const stopClicks = followClicks(bridge, can('openLinks'));
  tearDown = () => {
    show = null;
    stop();
    stopClicks();
    bridge.close();
    render(null, root);
  };
  show();
}

/**
 * Opens the view for a result of show_farm, or of show_moisture, which has the requested period as
 * instants.
 */
function openResult(result: Fields, toolInput: Fields): void {
  const { moduleId, start, end } = structuredOf(result) ?? {};
  if (typeof moduleId !== 'number') {
    location.hash = hrefOf({ view: 'farm' });
    return;
  }
  const period = { start: Date.parse(String(start)), end: Date.parse(String(end)) };
  const hasPeriod =
    (toolInput.start !== undefined || toolInput.end !== undefined) && period.start < period.end;
  location.hash = hrefOf({ view: 'probe', moduleId, ...(hasPeriod && { period }) });
}

function whileVisible(ms: number, callback: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') callback();
  }, ms);
  return () => clearInterval(timer);
}

function followHeight(root: HTMLElement, bridge: HostBridge, context: () => HostContext) {
  // So that the margins of its content count.
  root.style.display = 'flow-root';
  let reported: number | null = null;

  const reportHeight = (): void => {
    const height = wantedHeight(root.getBoundingClientRect().height, context());
    if (height !== null && height !== reported)
      bridge.notify('ui/notifications/size-changed', { height });
    reported = height;
  };

  const observer = new ResizeObserver(reportHeight);
  observer.observe(root);
  return { reportHeight, stop: () => observer.disconnect() };
}

const OPEN_TIMEOUT_MS = 30_000;

/**
 * Handles clicks that go wrong in the frame of a host: a link within the page would leave it,
 * because its address is the host's; a link elsewhere opens nothing; and a sandbox may block forms,
 * without even an event.
 */
function followClicks(bridge: HostBridge, canOpenLinks: boolean): () => void {
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
