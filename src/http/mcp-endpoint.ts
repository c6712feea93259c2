import type { IncomingMessage } from 'node:http';
import type { IncomingCorrelation } from '../observe/observer.ts';
import type { Identity } from '../operation/local-performer.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type Admit, apiKeyOrBearer } from './admission.ts';
import type { HttpLimits } from './limits.ts';
import { readJson } from './request-body.ts';
import type { ResponseHeaders } from './response-headers.ts';
import type { HttpReply } from './rest-endpoint.ts';
import { notAcceptable } from './transport-errors.ts';

/** A message whose sender is known. */
export interface McpPost {
  readonly identity: Identity;
  /** What the body holds. */
  readonly body: unknown;
  readonly protocolVersion: string | undefined;
  /** What its call is followed by. */
  readonly traceHeaders: IncomingCorrelation;
  /** What the client reads as an answer. */
  readonly accepts: { readonly json: boolean; readonly events: boolean };
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** What answers messages of MCP, whatever they travel by. */
export interface McpHandler {
  handle(post: McpPost): Promise<HttpReply>;
  /** Tells that a body holds no JSON. */
  invalidJson(error: AcequiaError): HttpReply;
}

export interface McpRequest {
  readonly incoming: IncomingMessage;
  /** What the calls within are followed by. */
  readonly traceHeaders: IncomingCorrelation;
  readonly signal: AbortSignal;
}

/** MCP over HTTP: one message a request, for whoever's key it carries. */
export function mcpEndpoint(
  { store, limits }: { store: Store; limits: HttpLimits },
  admit: Admit,
  answers: McpHandler,
): (request: McpRequest, headers: ResponseHeaders) => Promise<HttpReply> {
  return async ({ incoming, traceHeaders: follow, signal }, headers) => {
    const key = apiKeyOrBearer(incoming);
    const identity = await store.readAll(admit(key, incoming, headers)).catch((error) => {
      if (error instanceof AcequiaError && error.status === 401)
        headers['WWW-Authenticate'] = `Bearer realm="acequia"${key === undefined ? '' : ', error="invalid_token"'}`;
      throw error;
    });
    const accepts = acceptedTypes(incoming);
    let body: unknown;
    try {
      body = await readJson(incoming, limits);
    } catch (error) {
      if (error instanceof AcequiaError && error.code === 'invalid_body') return answers.invalidJson(error);
      throw error;
    }
    const protocolVersion = incoming.headersDistinct['mcp-protocol-version']?.join(', ');
    const reply = await answers.handle({ identity, body, protocolVersion, traceHeaders: follow, accepts, signal });
    // What is told bit by bit must not be gathered on its way.
    if (reply.finished) headers['X-Accel-Buffering'] = 'no';
    return reply;
  };
}

/** What a client reads, by its Accept: JSON where it says nothing. */
function acceptedTypes({ headers }: IncomingMessage): McpPost['accepts'] {
  const ranges = (headers.accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
    .map(([type]) => type);
  const json = ranges.some((type) => type === 'application/json' || type === 'application/*' || type === '*/*');
  const events = ranges.includes('text/event-stream');
  if (!json && !events) throw notAcceptable();
  return { json, events };
}
