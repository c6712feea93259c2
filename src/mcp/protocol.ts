// What the rest of src/mcp needs of the SDK.
import {
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

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
/** The one revision of the newer age, which a request names in its envelope. The SDK does not export it. */
export const NEWER_REVISION = '2026-07-28';

/** Undefined for a request without an envelope, as those of the earlier age. */
export const envelopeRevision = ({ params }: JSONRPCRequest): unknown => params?._meta?.[PROTOCOL_VERSION_META_KEY];

export const unsupportedRevision = (requested: string): UnsupportedProtocolVersionError =>
  new UnsupportedProtocolVersionError({ supported: [NEWER_REVISION], requested });

export type { Skill } from '@modelcontextprotocol/server/ext/skills';
