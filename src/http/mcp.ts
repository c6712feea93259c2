import type { IncomingMessage } from 'node:http';
import type { Incoming } from '../observe/request-id.ts';
import type { Identity } from '../operation/local-performer.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type Admit, keyOrToken } from './admission.ts';
import { readJson } from './body.ts';
import type { Headers } from './headers.ts';
import type { Limits } from './limits.ts';
import { notAcceptable } from './refusals.ts';
import type { Reply } from './rest.ts';

/** A message whose sender is known. */
export interface Post {
  readonly identity: Identity;
  /** What the body holds. */
  readonly sent: unknown;
  readonly protocolVersion: string | undefined;
  /** What its call is followed by. */
  readonly follow: Incoming;
  /** What the client reads as an answer. */
  readonly takes: { readonly json: boolean; readonly events: boolean };
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** What answers messages of MCP, whatever they travel by. */
export interface McpAnswers {
  answer(post: Post): Promise<Reply>;
  /** Tells that a body holds no JSON. */
  unread(error: AcequiaError): Reply;
}

export interface McpRequest {
  readonly incoming: IncomingMessage;
  /** What the calls within are followed by. */
  readonly follow: Incoming;
  readonly signal: AbortSignal;
}

/** MCP over HTTP: one message a request, for whoever's key it carries. */
export function mcpOn(
  { store, limits }: { store: Store; limits: Limits },
  admit: Admit,
  answers: McpAnswers,
): (request: McpRequest, headers: Headers) => Promise<Reply> {
  return async ({ incoming, follow, signal }, headers) => {
    const key = keyOrToken(incoming);
    const identity = await store.readAll(admit(key, incoming, headers)).catch((error) => {
      if (error instanceof AcequiaError && error.status === 401)
        headers['WWW-Authenticate'] = `Bearer realm="acequia"${key === undefined ? '' : ', error="invalid_token"'}`;
      throw error;
    });
    const takes = takenBy(incoming);
    let sent: unknown;
    try {
      sent = await readJson(incoming, limits);
    } catch (error) {
      if (error instanceof AcequiaError && error.code === 'invalid_body') return answers.unread(error);
      throw error;
    }
    const protocolVersion = incoming.headersDistinct['mcp-protocol-version']?.join(', ');
    const reply = await answers.answer({ identity, sent, protocolVersion, follow, takes, signal });
    // What is told bit by bit must not be gathered on its way.
    if (reply.ended) headers['X-Accel-Buffering'] = 'no';
    return reply;
  };
}

/** What a client reads, by its Accept: JSON where it says nothing. */
function takenBy({ headers }: IncomingMessage): Post['takes'] {
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
