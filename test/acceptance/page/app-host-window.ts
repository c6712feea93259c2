// Runs in the browser: the window of a chat host, on the bridge of the reference implementation.
import type { CallToolResult } from '@modelcontextprotocol/client';
import {
  AppBridge,
  type McpUiHostCapabilities,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

export interface HostRecord {
  readonly kind: 'context' | 'link' | 'size';
  readonly params: unknown;
}

interface OpenedView {
  readonly sandbox: string;
  readonly html: string;
  readonly context: McpUiHostContext;
  readonly capabilities: McpUiHostCapabilities;
  readonly width: number;
  readonly height: number;
}

interface HostWindow {
  open(view: OpenedView): Promise<void>;
  sendInput(args: Record<string, unknown>): Promise<void>;
  sendResult(result: CallToolResult): Promise<void>;
  change(context: McpUiHostContext): Promise<void>;
  tearDown(): Promise<unknown>;
}

declare global {
  interface Window {
    /** Of the test. */
    callServerTool(
      name: string,
      args: Record<string, unknown> | undefined,
    ): Promise<CallToolResult>;
    recordOfHost(record: HostRecord): void;
    host: HostWindow;
  }
}

let bridge: AppBridge;

async function open({
  sandbox,
  html,
  context,
  capabilities,
  width,
  height,
}: OpenedView): Promise<void> {
  const frame = document.createElement('iframe');
  frame.style.cssText = `width: ${width}px; height: ${height}px; border: 0`;
  document.body.prepend(frame);
  bridge = new AppBridge(null, { name: 'test host', version: '1' }, capabilities, {
    hostContext: context,
  });
  bridge.oncalltool = ({ name, arguments: args }) => window.callServerTool(name, args);
  bridge.onupdatemodelcontext = async (params) => {
    window.recordOfHost({ kind: 'context', params });
    return {};
  };
  bridge.onopenlink = async (params) => {
    window.recordOfHost({ kind: 'link', params });
    return {};
  };
  bridge.onsizechange = (params) => {
    window.recordOfHost({ kind: 'size', params });
    if (params.height !== undefined) frame.style.height = `${params.height}px`;
  };
  bridge.onsandboxready = () => void bridge.sendSandboxResourceReady({ html });
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  frame.src = sandbox;
  await initialized;
}

window.host = {
  open,
  sendInput: (args) => bridge.sendToolInput({ arguments: args }),
  sendResult: (result) => bridge.sendToolResult(result),
  change: async (context) => bridge.sendHostContextChange(context),
  tearDown: () => bridge.teardownResource({}),
};
