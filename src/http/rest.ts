import type { IncomingMessage } from 'node:http';
import type { Lang } from '../domain/lang.ts';
import type { Trail } from '../observe/trail.ts';
import { type Identify, type Identity, localPerformer } from '../operation/local-performer.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import type { Ask, Performed } from '../operation/performer.ts';
import { REMARKS_HEADER, remarksAsHeader, remarksAsked } from '../operation/remarks-header.ts';
import { onceEach, type RestSent, restArguments, understandRest } from '../operation/rest-arguments.ts';
import { authorize } from '../operation/scope.ts';
import { toolName } from '../operation/tool-names.ts';
import { AcequiaError, refuse } from '../schema/error.ts';
import type { Company } from '../store/companies.ts';
import type { Store } from '../store/store.ts';
import { type Admit, keyIn } from './admission.ts';
import { readBatch } from './batch.ts';
import { readJson, refuseBody } from './body.ts';
import type { Headers } from './headers.ts';
import type { Limits } from './limits.ts';

export interface RestOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What mail and messages are written in, where one was chosen; else each company's own. */
  readonly lang?: Lang | undefined;
  readonly limits: Limits;
  /** Hears of a company that readings have come for. */
  readonly onReadings?: (company: Company) => void;
}

/** What is answered: a status, and text or bytes of a type where there are any. */
export interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Of what comes bit by bit: resolves after the last of it. */
  readonly ended?: Promise<void>;
}

export interface RestRequest {
  readonly incoming: IncomingMessage;
  readonly path: Readonly<Record<string, string>>;
  readonly trail: Trail;
}

/** Answers a request for an operation; headers that an error keeps too go to `headers`. */
export type Rest = (described: AnyOperation, request: RestRequest, headers: Headers) => Promise<Reply>;

/** The operations over HTTP, for whoever's key a request carries. */
export function restOn(options: RestOptions, admit: Admit): Rest {
  const { store, operations, clock, lang, limits, onReadings } = options;

  async function answer(described: AnyOperation, request: RestRequest, headers: Headers): Promise<Reply> {
    const { incoming, path, trail } = request;
    const admitted = admit(keyIn(incoming), incoming, headers);
    const heard = remarksAsked(incoming.headers[REMARKS_HEADER])?.lang ?? lang;
    const performer = (who: { identify?: Identify; known?: Identity }) =>
      localPerformer({ store, operations, clock, lang: heard, identify: who.identify, known: who.known });
    const sent = { path, query: queryOf(incoming) };
    if (!isWrite(described)) {
      const ask = readAsk(described, sent, request);
      const performed = await performer({ identify: admitted }).perform(described, ask);
      return replyWith(described, performed, incoming, headers);
    }
    // Nothing of a body is read for whom it is not allowed, nor while a transaction is open; who was let in stays so until the answer.
    const known = await performer({ identify: admitted }).identity(trail);
    authorize(known.caller, described);
    const ask = await writeAsk(described, sent, request, limits);
    const performed = await performer({ known }).perform(described, ask);
    if (performed.replayed) headers['Idempotent-Replayed'] = 'true';
    // Of a replay too: the process that kept the batch may have ended before it looked.
    if (described.bringsReadings) onReadings?.(known.company);
    return replyWith(described, performed, incoming, headers);
  }

  return (described, request, headers) =>
    answer(described, request, headers).catch((error) => {
      throw namedAsField(described, error);
    });
}

/** A refusal that names an argument as the tool calls it, by the field's own name. */
function namedAsField(described: AnyOperation, error: unknown): unknown {
  if (
    !(error instanceof AcequiaError) ||
    error.field === undefined ||
    Object.hasOwn(described.input.shape, error.field)
  )
    return error;
  const field = Object.keys(described.input.shape).find((name) => toolName(name) === error.field);
  return field === undefined ? error : new AcequiaError({ ...error.toJSON(), field });
}

/** The body or the picture alone is the answer; a server of MCP, which makes sentences of it, asks for the remarks beside it. */
function replyWith(
  { endpoint }: AnyOperation,
  { body, picture, remarks }: Performed,
  incoming: IncomingMessage,
  headers: Headers,
): Reply {
  if (remarksAsked(incoming.headers[REMARKS_HEADER])) headers[REMARKS_HEADER] = remarksAsHeader(remarks);
  const { status } = endpoint;
  if (picture) return { status, type: picture.mimeType, content: new Uint8Array(picture.data) };
  return { status, type: 'application/json', content: JSON.stringify(body) };
}

const NO_QUERY = new URLSearchParams();

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return at < 0 ? NO_QUERY : new URLSearchParams(url.slice(at));
}

type Addressed = Omit<RestSent, 'body'>;

const readAsk = (described: AnyOperation, { path, query }: Addressed, { incoming, trail }: RestRequest): Ask => ({
  given: {},
  isSaid: false,
  trail,
  async understand(context) {
    refuseBody(incoming);
    return understandRest(described, restArguments(described, { path, query, body: undefined }), context);
  },
});

async function writeAsk(
  described: AnyOperation,
  sent: Addressed,
  { incoming, trail }: RestRequest,
  limits: Limits,
): Promise<Ask> {
  const idempotencyKey = idempotencyKeyIn(incoming);
  if (described.endpoint.method === 'DELETE') refuseBody(incoming);
  const given = restArguments(described, await withBody(described, sent, incoming, limits));
  return {
    given,
    idempotencyKey,
    idempotencyKeyName: KEY_HEADER,
    isSaid: false,
    trail,
    understand: (context) => understandRest(described, given, context),
  };
}

/** A body of CSV stands for one argument, and the others come in the query. */
async function withBody(
  { batch }: AnyOperation,
  sent: Addressed,
  incoming: IncomingMessage,
  limits: Limits,
): Promise<RestSent> {
  const { path, query } = sent;
  if (batch === undefined) return { path, query, body: await readJson(incoming, limits) };
  const body = await readBatch(incoming, limits);
  if (!('csv' in body)) return { path, query, body: body.json };
  return { path, query: NO_QUERY, body: { ...onceEach(query), [batch.csv]: body.csv } };
}

const KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyIn({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, another] = headersDistinct[KEY_HEADER.toLowerCase()] ?? [];
  if (key === undefined) return undefined;
  if (another !== undefined)
    throw refuse('invalid_parameter', `${KEY_HEADER} is given more than once.`, {
      hint: 'Send one for each entry.',
      field: KEY_HEADER,
    });
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw refuse('invalid_parameter', `${KEY_HEADER} is not a text of 1 to 255 printable characters.`, {
    hint: 'Send any short ASCII text that is new for this entry, such as a UUID, or leave it out.',
    field: KEY_HEADER,
  });
}
