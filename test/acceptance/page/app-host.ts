import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type {
  McpUiHostCapabilities,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { type Json, REPOSITORY } from '../program.ts';
import { sharedBrowser } from '../shared-browser.ts';
import type { HostRecord } from './app-host-window.ts';

/** The policy of the specification for a page that declares no domains. */
const STRICT_POLICY = [
  ...[
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data:',
  ],
  ...["connect-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-src 'self'"],
].join('; ');

/** Puts the page into a frame of its own, and passes on what the two say. */
const sandboxPage = (
  attributes: string,
  fill: string,
): string => `<!doctype html><body style="margin:0"><script>
const inner = document.createElement('iframe');
inner.setAttribute('sandbox', '${attributes}');
inner.style.cssText = 'display:block;width:100%;height:100vh;border:0';
addEventListener('message', ({ source, data }) => {
  if (source === inner.contentWindow) parent.postMessage(data, '*');
  else if (source !== parent) return;
  else if (data.method === 'ui/notifications/sandbox-resource-ready') {
    document.body.append(inner);
    ${fill}
  } else inner.contentWindow.postMessage(data, '*');
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

/**
 * As hosts do: a frame without an origin, or one of the origin of the sandbox whose document is
 * written.
 */
const SANDBOXES = {
  isolated: sandboxPage('allow-scripts', 'inner.srcdoc = data.params.html;'),
  written: sandboxPage(
    'allow-scripts allow-same-origin',
    'const d = inner.contentDocument; d.open(); d.write(data.params.html); d.close();',
  ),
} as const;
type SandboxKind = keyof typeof SANDBOXES;

/** A page of another site beside the view, which posts to it what it is told to. */
const STRANGER = `<!doctype html><script>
addEventListener('message', ({ data }) => parent.frames[0].frames[0].postMessage(data, '*'));
</script>`;

async function hostScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(REPOSITORY, 'test', 'acceptance', 'page', 'app-host-window.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

function serve(pages: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const page = pages[url] ?? '';
    const policy =
      url === '/' || url === '/stranger' ? {} : { 'content-security-policy': STRICT_POLICY };
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...policy });
    response.end(page);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

export interface AppHost {
  open(options: OpenOptions): Promise<OpenApp>;
  close(): void;
}

export interface OpenOptions {
  readonly client: Client;
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly context?: McpUiHostContext;
  readonly capabilities?: McpUiHostCapabilities;
  readonly sandbox?: SandboxKind;
  readonly width?: number;
  readonly height?: number;
  /** Changes results as a host does before the page gets them. */
  readonly passOn?: (result: CallToolResult) => CallToolResult;
  readonly sendsResult?: boolean;
}

export interface OpenApp {
  readonly page: Page;
  readonly view: Frame;
  /** The calls of the page, by the name of the tool. */
  readonly calls: readonly string[];
  /** Uncaught errors, what the policy of the host forbids, and refusals of tools. */
  readonly complaints: readonly string[];
  /** Beyond the pages of the host. */
  readonly requests: readonly string[];
  recorded(kind: HostRecord['kind']): Json[];
  change(context: McpUiHostContext): Promise<void>;
  tearDown(): Promise<unknown>;
  /** Sends a message from a frame of another site. */
  postFromStranger(message: unknown): Promise<void>;
  close(): Promise<void>;
}

const CAPABILITIES: McpUiHostCapabilities = {
  serverTools: {},
  openLinks: {},
  updateModelContext: { text: {} },
};

export async function startAppHost(): Promise<AppHost> {
  const script = (await hostScript()).replaceAll('</script', '<\\/script');
  const server = await serve({
    '/': `<!doctype html><body style="margin:0"><script>${script}</script>`,
    ...Object.fromEntries(Object.entries(SANDBOXES).map(([kind, page]) => [`/${kind}`, page])),
    '/stranger': STRANGER,
  });
  const { port } = server.address() as AddressInfo;
  const browser = await sharedBrowser();
  return {
    open: (options) => openApp(browser, port, options),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openApp(
  browser: Browser,
  port: number,
  {
    client,
    tool,
    args = {},
    context = {},
    capabilities = CAPABILITIES,
    sandbox = 'isolated',
    width = 720,
    height = 400,
    passOn = (result) => result,
    sendsResult = true,
  }: OpenOptions,
): Promise<OpenApp> {
  const listed = (await client.listTools()).tools.find(({ name }) => name === tool);
  const { resourceUri } = listed!._meta!.ui as { resourceUri: string };
  const { contents } = await client.readResource({ uri: resourceUri });
  const { text: html } = contents[0] as { text: string };
  const result = passOn((await client.callTool({ name: tool, arguments: args })) as CallToolResult);

  const page = await browser.newPage({
    viewport: { width: Math.max(width, 1280), height: Math.max(height, 800) },
  });
  const [calls, complaints, requests]: [string[], string[], string[]] = [[], [], []];
  const records: HostRecord[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().includes(`:${port}/`)) requests.push(request.url());
  });
  await page.exposeFunction('recordOfHost', (record: HostRecord) => void records.push(record));
  await page.exposeFunction(
    'callServerTool',
    async (name: string, callArguments: Record<string, unknown>) => {
      calls.push(name);
      const answer = (await client.callTool({ name, arguments: callArguments })) as CallToolResult;
      if (answer.isError) complaints.push(JSON.stringify(answer.content));
      return passOn(answer);
    },
  );
  await page.goto(`http://127.0.0.1:${port}/`);
  const opened = {
    sandbox: `http://localhost:${port}/${sandbox}`,
    html,
    context,
    capabilities,
    width,
    height,
  };
  await page.evaluate((sent) => window.host.open(JSON.parse(sent)), JSON.stringify(opened));
  await page.evaluate((sent) => window.host.sendInput(sent), args);
  if (sendsResult)
    await page.evaluate((sent) => window.host.sendResult(JSON.parse(sent)), JSON.stringify(result));
  await page.evaluate((url) => {
    const stranger = document.createElement('iframe');
    stranger.id = 'stranger';
    stranger.src = url;
    document.body.append(stranger);
    return new Promise((resolve) => stranger.addEventListener('load', resolve));
  }, `http://localhost:${port}/stranger`);
  const sandboxFrame = page.frames().find((frame) => frame.url().endsWith(`/${sandbox}`))!;
  return {
    page,
    calls,
    complaints,
    requests,
    view: sandboxFrame.childFrames()[0]!,
    recorded: (kind) =>
      records.filter((each) => each.kind === kind).map(({ params }) => params as Json),
    change: (changed) =>
      page.evaluate((sent) => window.host.change(JSON.parse(sent)), JSON.stringify(changed)),
    tearDown: () => page.evaluate(() => window.host.tearDown()),
    postFromStranger: (message) =>
      page.evaluate((text) => {
        const stranger = document.querySelector<HTMLIFrameElement>('#stranger')!;
        stranger.contentWindow!.postMessage(JSON.parse(text), '*');
      }, JSON.stringify(message)),
    close: () => page.close(),
  };
}
