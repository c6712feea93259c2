import {
  ErrorCode,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { toolsByName } from '../../tools/index.ts';
import type { Lang } from '../domain/lang.ts';
import type { Observer } from '../observe/observer.ts';
import type { Incoming } from '../observe/request-id.ts';
import { type Identity, localPerformer } from '../operation/local-performer.ts';
import { quoted } from '../operation/names.ts';
import { type Reach, withinReach } from '../operation/reach.ts';
import type { Report } from '../operation/told.ts';
import type { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type Answers, answersBy } from './answers.ts';
import type { Catalog } from './catalog.ts';
import { exchange, jsonAnswer, type PostAnswer, type Takes } from './exchange.ts';
import { observedAnswers } from './observed-answers.ts';
import { isObject } from './sent-arguments.ts';
import { createServer } from './server.ts';

/** A message that was posted, and by whom. */
export interface Posted {
  readonly identity: Identity;
  /** What the body held. */
  readonly sent: unknown;
  /** The protocol that the client says it speaks. */
  readonly protocolVersion: string | undefined;
  /** What its call is followed by; a trace that the message itself belongs to counts where there is none. */
  readonly follow: Incoming;
  readonly takes: Takes;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface PostOptions {
  readonly catalog: Catalog;
  readonly store: Store;
  readonly clock: () => number;
  readonly lang: Lang | undefined;
  readonly reach: Reach;
  readonly report: Report;
  /** Follows every call. */
  readonly observer: Observer;
}

export interface PostAnswers {
  answer(posted: Posted): Promise<PostAnswer>;
  /** Tells that a body holds no JSON. */
  unread(error: AcequiaError): PostAnswer;
}

/** Methods by which a client finds out which protocol is spoken here: asked in a version of its own. */
const FINDING_OUT = ['initialize', 'server/discover'];

/**
 * Answers what is posted, each message by itself: nothing is remembered from one to the next, so that any process may
 * have the next. Hence nothing is asked of the client, and nothing is told that it did not ask for.
 */
export function answersToPosts(options: PostOptions): PostAnswers {
  const { catalog, reach } = options;

  async function answer({ identity, sent, protocolVersion, follow, takes, signal }: Posted): Promise<PostAnswer> {
    const read = JSONRPCMessageSchema.safeParse(sent);
    if (!read.success) return refused(sent, ErrorCode.InvalidRequest, notOneMessage(sent));
    const message = read.data;
    if (protocolVersion !== undefined && !isSpoken(protocolVersion) && !isFindingOut(message))
      return refused(sent, NOT_SPOKEN, notSpoken(protocolVersion));
    // What wants no answer is about a connection that lasts, or answers what was never asked.
    if (!isJSONRPCRequest(message)) return { status: 202, type: null, content: null };
    let answers: Answers | undefined;
    const server = createServer(catalog, async () => (answers ??= answersFor(identity, follow, options)), {
      isRemote: false,
      isNarrowed: true,
      reach,
      lasts: false,
      inputEnded: signal,
      hasStore: () => true,
    });
    return exchange(server, message, { takes, signal });
  }

  return {
    answer,
    unread: ({ message, hint }) => refused(null, ErrorCode.ParseError, `${message} ${hint ?? ''}`.trim()),
  };
}

function answersFor(
  identity: Identity,
  follow: Incoming,
  { store, clock, lang, reach, report, observer }: PostOptions,
): Answers {
  const performer = localPerformer({
    ...{ store, clock, lang, report, operations: toolsByName },
    ...{ source: 'mcp', known: identity },
  });
  const following: Observer = {
    begin(begun) {
      const traceparent = follow.traceparent ?? begun.incoming?.traceparent;
      return observer.begin({ ...begun, incoming: { ...follow, traceparent } });
    },
  };
  return observedAnswers(answersBy(withinReach(performer, reach), report), following, 'mcp');
}

const isSpoken = (version: string): boolean => SUPPORTED_PROTOCOL_VERSIONS.includes(version);

const isFindingOut = (message: object): boolean => 'method' in message && FINDING_OUT.includes(String(message.method));

/** The SDK's own code for a request that cannot be taken as it travels. */
const NOT_SPOKEN = -32000;

const notSpoken = (version: string): string =>
  `MCP-Protocol-Version ${quoted(version)} is not spoken here. Send one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`;

const notOneMessage = (sent: unknown): string =>
  Array.isArray(sent)
    ? 'The body is an array of messages. Send each message in a request of its own.'
    : 'The body is no JSON-RPC message. Send one with jsonrpc "2.0", a method, and an id where an answer is wanted.';

/** A refusal under the message's own id, as far as it has one. */
function refused(sent: unknown, code: number, message: string): PostAnswer {
  const asked = isObject(sent) ? sent.id : null;
  const id = typeof asked === 'string' || typeof asked === 'number' ? asked : null;
  return jsonAnswer(400, { jsonrpc: '2.0', id, error: { code, message } });
}
