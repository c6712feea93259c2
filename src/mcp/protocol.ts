// What the rest of src/mcp needs from the SDK.
import {
  CLIENT_CAPABILITIES_META_KEY,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
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

/** The SDK would quote its validator. */
export function malformedEnvelopeError(request: JSONRPCRequest): ProtocolError | null {
  const capabilities: unknown = request.params?._meta?.[CLIENT_CAPABILITIES_META_KEY];
  if (capabilities === undefined || isRecord(capabilities)) return null;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${CLIENT_CAPABILITIES_META_KEY} in _meta must be an object. Nothing was done`,
  );
}

export const unsupportedRevisionError = (requested: string): UnsupportedProtocolVersionError =>
  new UnsupportedProtocolVersionError({ supported: [...SPOKEN_REVISIONS], requested });

export type { Skill } from '@modelcontextprotocol/server/ext/skills';

/** Name in `_meta` under which setAsideMalformedArguments passes arguments on to the handler. */
export const RAW_ARGUMENTS = 'acequia/arguments';

/** Params of each method that the SDK requires as text, and that it may have. */
const TEXT_PARAMS: Readonly<Record<string, readonly string[]>> = {
  'tools/call': ['name'],
  'prompts/get': ['name'],
  'resources/read': ['uri'],
  'resources/subscribe': ['uri'],
  'resources/unsubscribe': ['uri'],
  'skills/get': ['uri'],
};
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** For methods other than those below, the SDK answers with a dump of its validator. */
export function withoutValidatorDump(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const fields = fieldsInDump(message.error.message);
  if (fields === null) return message;

  const text = `Missing or malformed: ${fields.join(', ')}. Nothing was done`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: text } };
}

const isIssue = (issue: unknown): issue is { readonly path: readonly unknown[] } =>
  isRecord(issue) && Array.isArray(issue.path);

/** Paths such as "params.protocolVersion"; null if the text is no dump. */
function fieldsInDump(text: string): string[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const issues: unknown = JSON.parse(text);
    if (!Array.isArray(issues) || !issues.every(isIssue)) return null;
    return [...new Set(issues.map(({ path }) => path.join('.')))];
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/**
 * The SDK would answer malformed params with a dump of its validator. As texts they reach the
 * handlers, which say what is wrong with them.
 */
function withTextParams({ method, params }: JSONRPCRequest): Record<string, unknown> | undefined {
  const isList = LISTS.includes(method);
  const names = TEXT_PARAMS[method] ?? (isList ? ['cursor'] : []);
  const isCompletion = method === 'completion/complete';
  if (names.length === 0 && !isCompletion) return params;

  const read: Record<string, unknown> = isRecord(params) ? { ...params } : {};
  for (const name of names)
    if (!isList || read[name] != null) read[name] = textOf(read[name]);
    else delete read[name];
  if (isCompletion) Object.assign(read, completionParams(read));
  return isList && params === undefined && Object.keys(read).length === 0 ? params : read;
}

function completionParams({ ref, argument }: Record<string, unknown>) {
  const { type, name, uri } = isRecord(ref) ? ref : { type: null, name: ref, uri: null };
  const { name: argumentName, value } = isRecord(argument)
    ? argument
    : { name: argument, value: '' };
  return {
    ref:
      type === 'ref/resource'
        ? { type, uri: textOf(uri) }
        : { type: 'ref/prompt', name: textOf(name) },
    argument: { name: textOf(argumentName), value: textOf(value) },
  };
}

/**
 * Some clients send arguments as JSON text or as an array, and anyone may send one named
 * "constructor": the SDK would reject these before any handler runs. The handler of a tool reads or
 * refuses them instead; a prompt has no such argument.
 */
export function setAsideMalformedArguments(received: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCRequest(received)) return received;

  const read = withTextParams(received);
  if (!isRecord(read)) return received;

  const message = { ...received, params: withTextState(read) };
  const { arguments: args, _meta: meta } = message.params;
  if (message.method === 'prompts/get')
    return { ...message, params: { ...message.params, arguments: promptArguments(args) } };

  const isReadable = isRecord(args) && !Object.hasOwn(args, 'constructor');
  if (message.method !== 'tools/call' || args === undefined || isReadable) return message;

  const otherMeta = isRecord(meta) ? meta : {};
  const params = {
    ...message.params,
    arguments: {},
    _meta: { ...otherMeta, [RAW_ARGUMENTS]: args },
  };
  return { ...message, params };
}

const promptArguments = (args: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(args) ? args : {}).flatMap(([name, value]) =>
      name === 'constructor' || value == null ? [] : [[name, textOf(value)]],
    ),
  );

/** A requestState that is not text becomes empty text, which our own check refuses, not the SDK. */
const withTextState = <P extends Record<string, unknown>>(params: P): P =>
  params.requestState === undefined || typeof params.requestState === 'string'
    ? params
    : { ...params, requestState: '' };
