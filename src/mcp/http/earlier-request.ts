import { failure, ok, type Result } from '../../domain/result.ts';
import { quote } from '../../domain/strings.ts';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../protocol.ts';
import { errorResponse, type McpHttpReply } from './http-exchange.ts';
import { NO_SESSION, readSessionId, type SessionState } from './session-id.ts';

/** How a message of the earlier era is answered: by a refusal, or within its session. */
type EarlierRequest = Result<
  { readonly message: JSONRPCMessage; readonly session: SessionState },
  McpHttpReply
>;

/** Checks the message, the revision and the session, in this order. */
export function checkEarlierRequest(body: unknown, headers: Headers): EarlierRequest {
  const message = parseMessage(body);
  if (message === null) {
    const reason = invalidMessageReason(body);
    return failure(errorResponse(body, ProtocolErrorCode.InvalidRequest, reason));
  }

  if (isInitialize(message)) return ok({ message, session: NO_SESSION });

  const version = headers.get('mcp-protocol-version');
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const reason = unsupportedVersionReason(version);
    return failure(errorResponse(body, UNSUPPORTED_VERSION, reason));
  }

  const session = readSessionId(headers.get('mcp-session-id'));
  if (session === null)
    return failure(errorResponse(body, UNKNOWN_SESSION, UNKNOWN_SESSION_REASON, undefined, 404));

  return ok({ message, session });
}

/** The protocol only prescribes the status 404; this is the SDK's code. */
const UNKNOWN_SESSION = -32001;

const UNKNOWN_SESSION_REASON =
  'This server issued no such Mcp-Session-Id, and nothing was done. Begin with initialize, without the header.';

/** The SDK's code for it in the earlier era. */
const UNSUPPORTED_VERSION = -32000;

const unsupportedVersionReason = (version: string): string =>
  `Protocol version ${quote(version)} is not supported, and nothing was done. Send one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}, or begin with initialize.`;

/** This message negotiates the version, so any version is accepted with it. */
export const isInitialize = (message: JSONRPCMessage): boolean =>
  'method' in message && message.method === 'initialize';

/** Null if the body is not a single message. */
function parseMessage(body: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return null;
  }
}

const invalidMessageReason = (body: unknown): string =>
  Array.isArray(body)
    ? 'The body is an array of messages. Send each message in its own request.'
    : 'The body is not a JSON-RPC message. Send one with jsonrpc "2.0", a method, and an id for a request.';
