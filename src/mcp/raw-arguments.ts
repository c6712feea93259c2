import type { JSONRPCMessage } from './protocol.ts';

export const RAW_ARGUMENTS = 'acequia/arguments';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Some clients send arguments as JSON text or as an array, and anyone may send one named "constructor": the SDK would reject
 * these before any handler runs. The handler of a tool reads or refuses them instead; a prompt has no such argument.
 */
export function setAsideMalformedArguments(received: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in received) || !isRecord(received.params)) return received;
  const message = { ...received, params: withTextState(received.params) };
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

/** The SDK refuses a state that is no text in words of its own; an empty one is refused like any other that does not fit. */
const withTextState = <P extends Record<string, unknown>>(params: P): P =>
  params.requestState === undefined || typeof params.requestState === 'string'
    ? params
    : { ...params, requestState: '' };
