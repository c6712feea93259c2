// What the rest of src/mcp needs from the SDK.
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { isRecord } from '../domain/records.ts';

export {
  type CacheHint,
  type CallToolResult,
  type CompleteResult,
  createMcpHandler,
  type GetPromptResult,
  type Icon,
  type InputRequiredResult,
  isInputRequiredResult,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServerFactory,
  type PrimitiveSchemaDefinition,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type ReadResourceResult,
  type RequestId,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  serializeMessage,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/server';

/**
 * The only revision of the newer era, which a request names in its envelope. The SDK does not
 * export it.
 */
export const NEWER_REVISION = '2026-07-28';

/** The newest first. */
export const SPOKEN_REVISIONS: readonly string[] = [NEWER_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Undefined for a request without an envelope, such as one of the earlier era. */
export const envelopeRevision = ({ params }: JSONRPCRequest): unknown =>
  params?._meta?.[PROTOCOL_VERSION_META_KEY];

export const unsupportedRevisionError = (requested: string): UnsupportedProtocolVersionError =>
  new UnsupportedProtocolVersionError({ supported: [NEWER_REVISION], requested });

export type { Skill } from '@modelcontextprotocol/server/ext/skills';

/** Name in `_meta` under which setAsideMalformedArguments passes arguments on to the handler. */
export const RAW_ARGUMENTS = 'acequia/arguments';

/**
 * Some clients send arguments as JSON text or as an array, and anyone may send one named
 * "constructor": the SDK would reject these before any handler runs. The handler of a tool reads or
 * refuses them instead; a prompt has no such argument.
 */
export function setAsideMalformedArguments(received: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in received) || !isRecord(received.params)) return received;

  const message = { ...received, params: withTextState(received.params) };
  const { arguments: args, _meta: meta } = message.params;
  const isReadable = isRecord(args) && !Object.hasOwn(args, 'constructor');
  if (args === undefined || isReadable) return message;

  if (message.method === 'tools/call') {
    const otherMeta = isRecord(meta) ? meta : {};
    const params = {
      ...message.params,
      arguments: {},
      _meta: { ...otherMeta, [RAW_ARGUMENTS]: args },
    };
    return { ...message, params };
  }

  if (message.method !== 'prompts/get' || !isRecord(args)) return message;
  const { constructor: _, ...others } = args;
  return { ...message, params: { ...message.params, arguments: others } };
}

/** A requestState that is not text becomes empty text, which our own check refuses, not the SDK. */
const withTextState = <P extends Record<string, unknown>>(params: P): P =>
  params.requestState === undefined || typeof params.requestState === 'string'
    ? params
    : { ...params, requestState: '' };
