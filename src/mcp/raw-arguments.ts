import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Where the arguments of a call stand when a client sent something else than an object. */
export const RAW_ARGUMENTS = 'acequia/arguments';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Some clients send the arguments as JSON text or as an array, which the SDK refuses before any handler sees them. They
 * are set aside for the handler, which understands or refuses them in its own words.
 */
export function setAsideMalformedArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'tools/call' || !isRecord(message.params)) return message;
  const { arguments: sent, _meta: meta } = message.params;
  if (sent === undefined || isRecord(sent)) return message;
  return {
    ...message,
    params: { ...message.params, arguments: {}, _meta: { ...(isRecord(meta) ? meta : {}), [RAW_ARGUMENTS]: sent } },
  };
}
