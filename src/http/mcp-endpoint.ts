import type { IncomingMessage } from 'node:http';
import type { Share } from '../domain/shares/shares.ts';
import { type CallTrace, type IncomingCorrelation, observedStore } from '../observe/observer.ts';
import { type Caller, type Identity, scopeRefusal } from '../operation/authorization.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Admit } from './admission/admission.ts';
import type { RequestShares } from './admission/request-shares.ts';
import { parseJsonBody, receiveJson } from './body/json-body.ts';
import type { HttpLimits } from './http-limits.ts';
import type { HttpReply, ResponseHeaders } from './reply.ts';
import type { RestOptions } from './rest/rest-endpoint.ts';
import { notAcceptableError } from './transport-errors.ts';

interface McpPost {
  readonly identity: Identity;
  readonly body: unknown;
  readonly headers: Headers;
  readonly traceHeaders: IncomingCorrelation;
  readonly accepts: { readonly json: boolean; readonly events: boolean };
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the call, also while it waits for its turn. */
  readonly cancelled: AbortSignal;
}

type McpReply = HttpReply & { readonly sessionId?: string };

export interface McpHandler {
  handle(post: McpPost): Promise<McpReply>;
  /** Throws what is refused whatever the body says. `method` is what the header says. */
  assertMayBegin(caller: Caller, method: string | undefined): void;
  /** A call waits for its turn; a notification and a stream of changes do not. */
  isCall(body: unknown): boolean;
  /** From now on the client can cancel the call, until `end`. */
  beginCall(caller: Caller, body: unknown): { readonly signal: AbortSignal; end(): void };
  invalidJson(error: AcequiaError): HttpReply;
  /** The operation that a request calls, reads or watches; undefined for other requests. */
  operationOf(body: unknown): AnyOperation | undefined;
}

interface McpRequest {
  readonly incoming: IncomingMessage;
  readonly trace: CallTrace;
  readonly traceHeaders: IncomingCorrelation;
  readonly signal: AbortSignal;
}

export class McpEndpoint {
  readonly #options: Pick<RestOptions, 'store' | 'limits'>;
  readonly #admit: Admit;
  readonly #handler: McpHandler;

  constructor(options: Pick<RestOptions, 'store' | 'limits'>, admit: Admit, handler: McpHandler) {
    this.#options = options;
    this.#admit = admit;
    this.#handler = handler;
  }

  async answer(
    { incoming, trace, traceHeaders, signal }: McpRequest,
    headers: ResponseHeaders,
  ): Promise<HttpReply> {
    const { store, limits } = this.#options;
    const { identify, shares, challengeScope, recentIdentity } = await this.#admit(
      { incoming, acceptsBearerKeys: true },
      headers,
    );
    // A refusal to a key that was seen lately reads neither the store nor the body.
    const recent = recentIdentity();
    if (recent) this.#assertMayBegin(recent, incoming);
    const identity = await shares.storeInTurn(observedStore(store, trace)).readAll(identify);
    this.#assertMayBegin(identity, incoming);
    const accepts = acceptedTypes(incoming);

    const body = new ReceivedBody(limits);
    const post = { identity, headers: headersOf(incoming), traceHeaders, accepts, signal };
    const turn = new Turn(shares, trace);
    let reply: McpReply | undefined;
    try {
      await body.receive(incoming);
      if (shares.hasLargeBody) await turn.wait();

      // OAuth clients expect a status; other refusals are answers of the protocol, which assistants
      // read.
      const refusal = scopeRefusal(identity.caller, this.#handler.operationOf(body.value));
      if (refusal && (await challengeScope(refusal))) throw refusal;

      reply = this.#handler.isCall(body.value)
        ? await this.#answerCall(post, body, turn)
        : await this.#handler.handle({ ...post, body: body.value, cancelled: NEVER });
    } catch (error) {
      if (!(error instanceof AcequiaError) || error.code !== 'invalid_body') throw error;
      reply = this.#handler.invalidJson(error);
    } finally {
      turn.endAfter(reply);
    }

    // Proxies must not buffer an event stream.
    if (reply.finished) headers['X-Accel-Buffering'] = 'no';
    if (reply.sessionId) headers['Mcp-Session-Id'] = reply.sessionId;
    return reply;
  }

  #assertMayBegin({ caller }: Identity, { headers }: IncomingMessage): void {
    this.#handler.assertMayBegin(caller, headers['mcp-method']?.toString());
  }

  async #answerCall(
    post: Omit<McpPost, 'body' | 'cancelled'>,
    body: ReceivedBody,
    turn: Turn,
  ): Promise<McpReply> {
    const call = this.#handler.beginCall(post.identity.caller, body.value);
    turn.onEnd = call.end;
    if (!turn.tryBegin()) {
      body.forgetValue();
      await turn.wait();
    }
    await turn.nextLoopTurn();
    return this.#handler.handle({ ...post, body: body.value, cancelled: call.signal });
  }
}

/** The place of a call, which it keeps until its reply ends. */
class Turn {
  readonly #shares: RequestShares;
  readonly #trace: CallTrace;
  #place: Share | null = null;
  onEnd = (): void => undefined;

  constructor(shares: RequestShares, trace: CallTrace) {
    this.#shares = shares;
    this.#trace = trace;
  }

  /** False if the call has to wait. */
  tryBegin(): boolean {
    this.#place ??= this.#shares.tryTakeCall();
    return this.#place !== null;
  }

  async wait(): Promise<void> {
    this.#place = await this.#shares.takeCall().finally(this.#trace.startWait());
  }

  nextLoopTurn(): Promise<void> {
    return this.#shares.nextLoopTurn();
  }

  /** A reply is returned as soon as it begins. */
  endAfter(reply: McpReply | undefined): void {
    void Promise.resolve(reply?.finished).then(() => {
      this.onEnd();
      this.#place?.release();
    });
  }
}

/** Parsed values take far more memory than bytes, so a call that waits keeps only its bytes. */
class ReceivedBody {
  readonly #limits: HttpLimits;
  #bytes: Buffer | null = null;
  #parsed: { readonly value: unknown } | null = null;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  async receive(incoming: IncomingMessage): Promise<void> {
    this.#bytes = await receiveJson(incoming, this.#limits);
  }

  /** Throws if the body is no JSON. */
  get value(): unknown {
    this.#parsed ??= {
      value: this.#bytes === null ? undefined : parseJsonBody(this.#bytes, this.#limits),
    };
    return this.#parsed.value;
  }

  forgetValue(): void {
    this.#parsed = null;
  }
}

const NEVER = new AbortController().signal;

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** A request without an Accept header accepts JSON. */
function acceptedTypes({ headers }: IncomingMessage): McpPost['accepts'] {
  const types = (headers.accept ?? '*/*').split(',').map(acceptedType);
  const json = types.some((type) => type !== null && JSON_RANGES.has(type));
  const events = types.includes('text/event-stream');
  if (!json && !events) throw notAcceptableError();

  return { json, events };
}

const ZERO_WEIGHT = /^q=0(\.0*)?$/;

/** Null for a type with the weight 0, which the client refuses. */
function acceptedType(range: string): string | null {
  const [type = '', ...parameters] = range
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return parameters.some((each) => ZERO_WEIGHT.test(each)) ? null : type;
}
