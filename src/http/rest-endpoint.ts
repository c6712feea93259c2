import type { IncomingMessage } from 'node:http';
import type { Lang } from '../domain/lang.ts';
import type { CallTrace } from '../observe/call-trace.ts';
import { authorize } from '../operation/authorization.ts';
import { toolArgumentName } from '../operation/input-fields.ts';
import { type Identify, type Identity, localPerformer } from '../operation/local-performer.ts';
import { formatNotesHeader, NOTES_HEADER, parseNotesRequest } from '../operation/notes-header.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import type { OperationRequest, OperationResult } from '../operation/performer.ts';
import {
  collectRestArguments,
  type RestParameters,
  readRestArguments,
  readUniqueParameters,
} from '../operation/rest-arguments.ts';

import { AcequiaError, invalidInput } from '../schema/error.ts';
import type { CompanyRecord } from '../store/company/companies.ts';
import type { Store } from '../store/store.ts';
import { type Admit, apiKeyHeader } from './admission.ts';
import type { HttpLimits } from './limits.ts';
import { readBatch, readJson, refuseBody } from './request-body.ts';
import type { ResponseHeaders } from './response-headers.ts';

export interface RestOptions {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What mail and messages are written in, where one was chosen; else each company's own. */
  readonly lang?: Lang | undefined;
  readonly limits: HttpLimits;
  /** Hears of a company that readings have come for. */
  readonly onReadings?: (company: CompanyRecord) => void;
}

/** What is answered: a status, and text or bytes of a type where there are any. */
export interface HttpReply {
  readonly status: number;
  readonly type: string | null;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Of what comes bit by bit: resolves after the last of it. */
  readonly finished?: Promise<void>;
}

export interface RestRequest {
  readonly incoming: IncomingMessage;
  readonly path: Readonly<Record<string, string>>;
  readonly trace: CallTrace;
}

/** Answers a request for an operation; headers that an error keeps too go to `headers`. */
export type RestHandler = (
  described: AnyOperation,
  request: RestRequest,
  headers: ResponseHeaders,
) => Promise<HttpReply>;

/** The operations over HTTP, for whoever's key a request carries. */
export function restEndpoint(options: RestOptions, admit: Admit): RestHandler {
  const { store, operations, clock, lang, limits, onReadings } = options;

  async function answer(operation: AnyOperation, request: RestRequest, headers: ResponseHeaders): Promise<HttpReply> {
    const { incoming, path, trace } = request;
    const admitted = admit(apiKeyHeader(incoming), incoming, headers);
    const noteLang = parseNotesRequest(incoming.headers)?.lang ?? lang;
    const performer = (source: { identify?: Identify; known?: Identity }) =>
      localPerformer({
        store,
        operations,
        clock,
        lang: noteLang,
        identify: source.identify,
        knownIdentity: source.known,
      });
    const sent = { path, query: queryOf(incoming) };
    if (!isWrite(operation)) {
      const operationRequest = readRequest(operation, sent, request);
      const result = await performer({ identify: admitted }).perform(operation, operationRequest);
      return toReply(operation, result, incoming, headers);
    }
    // Nothing of a body is read for whom it is not allowed, nor while a transaction is open; who was let in stays so until the answer.
    const knownIdentity = await performer({ identify: admitted }).identity(trace);
    authorize(knownIdentity.caller, operation);
    const operationRequest = await writeRequest(operation, sent, request, limits);
    const result = await performer({ known: knownIdentity }).perform(operation, operationRequest);
    if (result.isReplay) headers['Idempotent-Replayed'] = 'true';
    // Of a replay too: the process that kept the batch may have ended before it looked.
    if (operation.bringsReadings) onReadings?.(knownIdentity.company);
    return toReply(operation, result, incoming, headers);
  }

  return (operation, request, headers) =>
    answer(operation, request, headers).catch((error) => {
      throw withFieldName(operation, error);
    });
}

/** A refusal that names an argument as the tool calls it, by the field's own name. */
function withFieldName(operation: AnyOperation, error: unknown): unknown {
  if (
    !(error instanceof AcequiaError) ||
    error.field === undefined ||
    Object.hasOwn(operation.input.shape, error.field)
  )
    return error;
  const field = Object.keys(operation.input.shape).find((name) => toolArgumentName(operation, name) === error.field);
  return field === undefined ? error : new AcequiaError({ ...error.toJSON(), field });
}

/** The body or the picture alone is the answer; an MCP server, which makes sentences of it, asks for the notes too. */
function toReply(
  { endpoint }: AnyOperation,
  { body, picture, notes }: OperationResult,
  incoming: IncomingMessage,
  headers: ResponseHeaders,
): HttpReply {
  if (parseNotesRequest(incoming.headers)) headers[NOTES_HEADER] = formatNotesHeader(notes);
  const { status } = endpoint;
  if (picture) return { status, type: picture.mimeType, content: new Uint8Array(picture.data) };
  return { status, type: 'application/json', content: JSON.stringify(body) };
}

const NO_QUERY = new URLSearchParams();

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return at < 0 ? NO_QUERY : new URLSearchParams(url.slice(at));
}

/** Facts are for clients that ask for them; others get sentences. */
const wantsNoteTexts = ({ headers }: IncomingMessage): boolean => parseNotesRequest(headers)?.wantsFacts === false;

type PathAndQuery = Omit<RestParameters, 'body'>;

const readRequest = (
  operation: AnyOperation,
  { path, query }: PathAndQuery,
  { incoming, trace }: RestRequest,
): OperationRequest => ({
  rawArguments: {},
  wantsSummary: false,
  wantsNoteTexts: wantsNoteTexts(incoming),
  trace,
  async readArguments(context) {
    refuseBody(incoming);
    return readRestArguments(operation, collectRestArguments(operation, { path, query, body: undefined }), context);
  },
});

async function writeRequest(
  operation: AnyOperation,
  request: PathAndQuery,
  { incoming, trace }: RestRequest,
  limits: HttpLimits,
): Promise<OperationRequest> {
  const idempotencyKey = idempotencyKeyIn(incoming);
  if (operation.endpoint.method === 'DELETE') refuseBody(incoming);
  const args = collectRestArguments(operation, await withBody(operation, request, incoming, limits));
  return {
    rawArguments: args,
    idempotencyKey,
    idempotencyKeyName: KEY_HEADER,
    wantsSummary: false,
    wantsNoteTexts: wantsNoteTexts(incoming),
    trace,
    readArguments: (context) => readRestArguments(operation, args, context),
  };
}

/** A body of CSV stands for one argument, and the others come in the query. */
async function withBody(
  { batch }: AnyOperation,
  request: PathAndQuery,
  incoming: IncomingMessage,
  limits: HttpLimits,
): Promise<RestParameters> {
  const { path, query } = request;
  if (batch === undefined) return { path, query, body: await readJson(incoming, limits) };
  const body = await readBatch(incoming, limits);
  if (!('csv' in body)) return { path, query, body: body.json };
  return { path, query: NO_QUERY, body: { ...readUniqueParameters(query), [batch.csv]: body.csv } };
}

const KEY_HEADER = 'Idempotency-Key';

function idempotencyKeyIn({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, another] = headersDistinct[KEY_HEADER.toLowerCase()] ?? [];
  if (key === undefined) return undefined;
  if (another !== undefined)
    throw invalidInput('invalid_parameter', `${KEY_HEADER} is given more than once.`, {
      hint: 'Send one for each entry.',
      field: KEY_HEADER,
    });
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput('invalid_parameter', `${KEY_HEADER} is not a text of 1 to 255 printable characters.`, {
    hint: 'Send any short ASCII text that is new for this entry, such as a UUID, or leave it out.',
    field: KEY_HEADER,
  });
}
