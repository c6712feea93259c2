import { render } from 'preact';
import { App } from '../app.tsx';
import { knownLang } from '../page-environment.ts';
import { hrefOf } from '../route.ts';
import { isWriteRequest } from '../service/rest-service.ts';
import { HostBridge } from './bridge.ts';
import { followClicks } from './clicks.ts';
import {
  type HostContext,
  UNKNOWN_CONTEXT,
  wantedHeight,
  withHostContext,
} from './host-context.ts';
import { hostService } from './host-service.ts';
import { type HostFields, isFields, structuredOf, type ToolTable } from './tool-call.ts';

declare const ACEQUIA_TOOLS: ToolTable;
declare const ACEQUIA_VERSION: string;

const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_TIMEOUT_MS = 30_000;

/** In ms. The tool result says which probe to open. A host that sends none gets the farm. */
const RESULT_WAIT_MS = 5_000;

/** Shows the page in a chat, whose window is around it. */
export const openInHost = (root: HTMLElement): Promise<void> => new HostedPage(root).open();

class HostedPage {
  readonly #root: HTMLElement;
  readonly #bridge: HostBridge;
  readonly #resultShown: Promise<void>;
  #onResultShown = (): void => undefined;
  #context: HostContext = UNKNOWN_CONTEXT;
  #toolInput: HostFields = {};
  #show: (() => void) | null = null;
  #reportedHeight: number | null = null;
  #stopFollowing = (): void => undefined;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#resultShown = new Promise((resolve) => {
      this.#onResultShown = resolve;
    });
    this.#bridge = new HostBridge(window, {
      onNotification: (method, params) => this.#receive(method, params),
      onRequest: (method) => this.#answer(method),
    });
  }

  async open(): Promise<void> {
    const capabilities = await this.#initialize();
    const can = (capability: string): boolean => isFields(capabilities[capability]);
    await Promise.race([
      this.#resultShown,
      new Promise((resolve) => setTimeout(resolve, RESULT_WAIT_MS)),
    ]);

    const service = hostService({
      bridge: this.#bridge,
      tools: ACEQUIA_TOOLS,
      isWrite: isWriteRequest,
      every: whileVisible,
      canTellModel: can('updateModelContext'),
    });
    this.#show = () => {
      const { locale, theme, timeZone } = this.#context;
      const lang = locale === null ? null : knownLang([locale]);
      render(
        <App service={service} forcedTheme={theme} lang={lang} personZone={timeZone} />,
        this.#root,
      );
      this.#reportHeight();
    };

    this.#follow(can('openLinks'));
    this.#show();
  }

  /** Returns what the host can do. */
  async #initialize(): Promise<HostFields> {
    const answer = await this.#bridge.request(
      'ui/initialize',
      {
        appInfo: { name: 'acequia', title: 'Acequia', version: ACEQUIA_VERSION },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        protocolVersion: PROTOCOL_VERSION,
      },
      INITIALIZE_TIMEOUT_MS,
    );
    const { hostCapabilities, hostContext } = isFields(answer) ? answer : {};

    this.#updateContext(hostContext);
    this.#bridge.notify('ui/notifications/initialized', {});
    return isFields(hostCapabilities) ? hostCapabilities : {};
  }

  #receive(method: string, params: HostFields): void {
    const name = method.replace('ui/notifications/', '');
    if (name === 'host-context-changed') this.#updateContext(params);
    if (name === 'tool-input' && isFields(params.arguments)) this.#toolInput = params.arguments;
    if (name === 'tool-result') openResult(params, this.#toolInput);
    if (name === 'tool-result' || name === 'tool-cancelled') this.#onResultShown();
  }

  #answer(method: string): object | undefined {
    const isTeardown = method === 'ui/resource-teardown';
    // Afterwards, because the answer itself needs the bridge.
    if (isTeardown) queueMicrotask(() => this.#tearDown());
    return isTeardown || method === 'ping' ? {} : undefined;
  }

  #updateContext(params: unknown): void {
    this.#context = withHostContext(this.#context, params);
    this.#show?.();
  }

  #follow(canOpenLinks: boolean): void {
    // The margins of its content count towards its height.
    this.#root.style.display = 'flow-root';
    const observer = new ResizeObserver(() => this.#reportHeight());
    observer.observe(this.#root);
    const stopClicks = followClicks(this.#bridge, canOpenLinks);
    this.#stopFollowing = () => {
      observer.disconnect();
      stopClicks();
    };
  }

  #reportHeight(): void {
    const height = wantedHeight(this.#root.getBoundingClientRect().height, this.#context);
    if (height !== null && height !== this.#reportedHeight)
      this.#bridge.notify('ui/notifications/size-changed', { height });
    this.#reportedHeight = height;
  }

  #tearDown(): void {
    this.#show = null;
    this.#stopFollowing();
    this.#bridge.close();
    render(null, this.#root);
  }
}

/**
 * Opens the view for a result of show_farm, or of show_moisture, which has the requested period as
 * instants.
 */
function openResult(result: HostFields, toolInput: HostFields): void {
  const { moduleId, start, end } = structuredOf(result) ?? {};
  if (typeof moduleId !== 'number') {
    location.hash = hrefOf({ view: 'farm' });
    return;
  }

  const period = { start: Date.parse(String(start)), end: Date.parse(String(end)) };
  const isRequested = toolInput.start !== undefined || toolInput.end !== undefined;
  location.hash = hrefOf({
    view: 'probe',
    moduleId,
    period: isRequested && period.start < period.end ? period : undefined,
  });
}

function whileVisible(ms: number, callback: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') callback();
  }, ms);
  return () => clearInterval(timer);
}
