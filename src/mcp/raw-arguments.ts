import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export const RAW_ARGUMENTS = 'acequia/arguments';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some clients send arguments as JSON text or an array, which the SDK would reject before any handler runs. */
export function setAsideMalformedArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'tools/call' || !isRecord(message.params)) return message;
  const { arguments: sent, _meta: meta } = message.params;
  if (sent === undefined || isRecord(sent)) return message;
  return {
    ...message,
    params: { ...message.params, arguments: {}, _meta: { ...(isRecord(meta) ? meta : {}), [RAW_ARGUMENTS]: sent } },
  };
}
