import type { JSONRPCMessage } from './protocol.ts';

export const RAW_ARGUMENTS = 'acequia/arguments';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Some clients send arguments as JSON text or as an array, and anyone may send one named "constructor": the SDK would reject
 * these before any handler runs. The handler of a tool reads or refuses them instead; a prompt has no such argument.
 */
export function setAsideMalformedArguments(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || !isRecord(message.params)) return message;
  const { arguments: args, _meta: meta } = message.params;
  if (args === undefined || (isRecord(args) && !Object.hasOwn(args, 'constructor'))) return message;
  if (message.method === 'tools/call') {
    const params = { arguments: {}, _meta: { ...(isRecord(meta) ? meta : {}), [RAW_ARGUMENTS]: args } };
    return { ...message, params: { ...message.params, ...params } };
  }
  if (message.method !== 'prompts/get' || !isRecord(args)) return message;
  const { constructor: _, ...others } = args;
  return { ...message, params: { ...message.params, arguments: others } };
}
