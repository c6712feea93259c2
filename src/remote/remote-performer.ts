import { randomUUID } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import { languageOf } from '../language/index.ts';
import { describeNotes } from '../language/notes.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import { validateArguments } from '../operation/argument-validation.ts';
import type { ComposedCall } from '../operation/call.ts';
import { partCall, runComposed } from '../operation/composition.ts';
import { type AnyComposedOperation, type AnyOperation, isWrite } from '../operation/operation.ts';
import type { OperationRequest, OperationResult, Performer } from '../operation/performer.ts';
import { type SummaryInput, writeSummary } from '../operation/summary.ts';
import type { OperationArguments } from '../operation/tool-arguments.ts';
import { AcequiaError } from '../schema/error.ts';
import type { NoteOrText } from '../schema/note.ts';
import { throwIfCancelled, yieldOrCancel } from '../store/cancellation.ts';
import { remoteCompany } from './company.ts';
import { openRemoteConnection, parseServiceAddress, withTrace } from './connection.ts';
import { monotonicMs, REMOTE_LIMITS, type RemoteLimits } from './limits.ts';
import { idempotentArgumentCache, readRemoteArguments } from './remote-arguments.ts';

import { mayAlreadyBeApplied } from './remote-errors.ts';
import { openRemoteService, type RemoteResponse } from './service.ts';
import {
  dropUnsupported,
  hasQueryParams,
  isComposedLocally,
  refuseTooManyPoints,
  supportedOperations,
  supportedParams,
} from './supported-operations.ts';

export interface RemoteOptions {
  /** Base URL of the service; by the specification it ends in /v1. */
  readonly url: string;
  /** Sent as x-api-key, to that origin alone. */
  readonly key: string | null;
  /** Now, in ms since 1970 UTC. */
  readonly clock: () => number;
  /** What people hear, where one was chosen; else that of the company's country. */
  readonly lang?: Lang | undefined;
  readonly bounds?: RemoteLimits;
}

/** An answer that is there already waits no longer than this for the names that its summary says, in ms. */
const SUMMARY_NAMES_WAIT_MS = 3_000;

/** Performs operations by asking a remote service for them; words and names are read here, and summaries said. */
export function remotePerformer(options: RemoteOptions): Performer {
  const { key, clock, bounds: limits = REMOTE_LIMITS } = options;
  const address = parseServiceAddress(options.url);
  const connection = openRemoteConnection({ address, key, limits });
  const service = openRemoteService({ connection, address, key, limits });
  const company = remoteCompany(service, options.lang, limits.callMs);
  const argumentCache = idempotentArgumentCache();

  const perform = (operation: AnyOperation, request: OperationRequest): Promise<OperationResult> =>
    withTrace(request.trace, () =>
      isWrite(operation)
        ? write(operation, request, monotonicMs() + limits.callMs)
        : read(operation, request, monotonicMs() + limits.callMs),
    );

  async function read(operation: AnyOperation, request: OperationRequest, deadline: number): Promise<OperationResult> {
    const now = clock();
    const readArgs = await readRemoteArguments(operation, request, company, now, deadline);
    if (operation.performs && isComposedLocally(await service.endpoints(), operation))
      return composeLocally(operation, request, readArgs, now, deadline);
    const response = await requestRead(operation, readArgs.wire, now, deadline);
    return toResult(operation, request, readArgs, response, now, deadline);
  }

  /** Asks for a read with what the service takes of its arguments. */
  async function requestRead(
    operation: AnyOperation,
    wireArgs: Readonly<Record<string, unknown>>,
    now: number,
    deadline: number,
  ): Promise<RemoteResponse> {
    const supported = hasQueryParams(operation, wireArgs)
      ? supportedParams(await service.endpoints(), operation.endpoint)
      : null;
    const wireSent = supported === null ? wireArgs : dropUnsupported(operation, wireArgs, supported, now);
    const response = await service.request(operation, wireSent, {
      idempotencyKey: null,
      lang: await company.lang(deadline),
      deadline,
    });
    refuseTooManyPoints(wireArgs, response.body);
    return response;
  }

  async function write(operation: AnyOperation, request: OperationRequest, deadline: number): Promise<OperationResult> {
    const now = clock();
    const idempotencyKey = request.idempotencyKey ?? randomUUID();
    const cacheKey = [operation.name, idempotencyKey, request.rawArguments] as const;
    const cachedArguments = argumentCache.earlier(...cacheKey, now);
    const readArgs = cachedArguments ?? {
      ...(await readRemoteArguments(operation, request, company, now, deadline).catch(nothingWritten)),
      readAtMs: now,
    };
    argumentCache.keep(...cacheKey, readArgs);
    try {
      const lang = await company.lang(deadline);
      const response = await service.request(operation, readArgs.wire, { idempotencyKey, lang, deadline });
      // Nobody but this call knows a key that was made for it.
      if (request.idempotencyKey === undefined) argumentCache.forget(...cacheKey);
      return toResult(operation, request, readArgs, response, response.replayed ? readArgs.readAtMs : now, deadline);
    } catch (error) {
      // Words that an earlier try has used may stand in the books, whatever is refused since.
      if (cachedArguments === null && isPermanent(error)) argumentCache.forget(...cacheKey);
      throw error;
    }
  }

  /** Runs here what the service has not, over what it has. */
  async function composeLocally(
    operation: AnyComposedOperation,
    request: OperationRequest,
    { input, wire, notes: argumentNotes }: OperationArguments,
    now: number,
    deadline: number,
  ): Promise<OperationResult> {
    const notes: NoteOrText[] = [...argumentNotes];
    const missingPaths: string[] = [];
    const summaryContext = await summaryContextAt(now, deadline);
    const endpoints = await service.endpoints();
    const requestPart = async (part: AnyOperation, fields: Record<string, unknown>): Promise<unknown> => {
      throwIfCancelled(request.signal);
      const response = await requestRead(part, fields, now, deadline);
      missingPaths.push(...response.missingPaths.map((path) => `${part.name}: ${path}`));
      return response.body;
    };
    const run = (composed: AnyComposedOperation, call: ComposedCall, fields: Record<string, unknown>) =>
      runComposed(
        composed,
        call,
        fields,
        (part, partFields): Promise<unknown> =>
          isComposedLocally(endpoints, part)
            ? run(part, partCall(call), validateArguments(part, partFields))
            : requestPart(part, partFields),
      );
    const call: ComposedCall = {
      ...summaryContext,
      note: (note) => void notes.push(note),
      onStep: request.onStep,
      yieldOrCancel: () => yieldOrCancel(request.signal),
    };
    try {
      const body = await run(operation, call, input);
      const response: RemoteResponse = { body, missingPaths: [], replayed: false, notes: [] };
      const result = await toResult(operation, request, { input, wire, notes }, response, now, deadline);
      return { ...result, picture: await operation.render?.(body, summaryContext) };
    } catch (error) {
      throw composedError(error, operation, missingPaths);
    }
  }

  async function toResult(
    operation: AnyOperation,
    request: OperationRequest,
    { input, notes: argumentNotes }: OperationArguments,
    { body, missingPaths, replayed, notes: serviceNotes }: RemoteResponse,
    at: number,
    deadline: number,
  ): Promise<OperationResult> {
    const notes = [...argumentNotes, ...serviceNotes];
    if (request.wantsSummary === false) return { body, summary: '', notes, isReplay: replayed };
    const namesDeadline = Math.min(deadline, monotonicMs() + SUMMARY_NAMES_WAIT_MS);
    const context = await summaryContextAt(at, namesDeadline);
    const complete = missingPaths.length > 0 ? null : await trySummary(operation, { body, input, notes, context });
    return { body, summary: complete ?? summarizeIncomplete(missingPaths, notes, context), notes, isReplay: replayed };
  }

  /** An answer is not lost because a name or the zone could not be had: ids and UTC say the same. */
  async function summaryContextAt(now: number, deadline: number): Promise<SummaryContext> {
    const lang = await company.lang(deadline);
    const zoneOrError = await company.zone(deadline).catch(() => null);
    const zone = typeof zoneOrError === 'string' ? zoneOrError : 'UTC';
    const isZoneDeclared = await company.isZoneDeclared(deadline);
    const { directory } = company.names(deadline);
    const optionalDirectory: NameDirectory = {
      modules: () => directory.modules().catch(() => []),
      parcels: () => directory.parcels().catch(() => []),
    };
    return { now, zone, isZoneDeclared, lang, directory: optionalDirectory };
  }

  return {
    perform,
    lang: () => company.lang(monotonicMs() + limits.callMs),
    async directory(trace) {
      const { directory } = company.names(monotonicMs() + limits.callMs);
      return {
        modules: () => withTrace(trace, directory.modules),
        parcels: () => withTrace(trace, directory.parcels),
      };
    },
    allowedOperations: async (all) => supportedOperations(await service.endpoints(), all),
    close: () => connection.close(),
  };
}

/** What fails while the words are read has written nothing, which a person wants to know of a write. */
function nothingWritten(error: unknown): never {
  if (!(error instanceof AcequiaError) || error.status < 500) throw error;
  throw new AcequiaError({ ...error.toJSON(), hint: `${error.hint ?? ''} Nothing was written by this call.`.trim() });
}

/** Refused as it stands at every try: no later one under the same key is the same entry. */
const isPermanent = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  !mayAlreadyBeApplied(error);

/** What is said of an answer that no summary can be drawn from. */
const summarizeIncomplete = (
  missingPaths: readonly string[],
  notes: readonly NoteOrText[],
  context: SummaryContext,
): string =>
  [
    languageOf(context.lang).core.incompleteAnswer(missingPaths.slice(0, 4), Math.max(0, missingPaths.length - 4)),
    ...describeNotes(notes, context),
  ].join(' ');

/** Null where an answer of the right shape holds what no sentence takes, such as a date that does not exist. */
async function trySummary(operation: AnyOperation, result: SummaryInput): Promise<string | null> {
  try {
    return await writeSummary(operation, result);
  } catch {
    return null;
  }
}

/** Blames what the service left out, if anything, rather than this program. */
function composedError(
  error: unknown,
  { name, performs }: AnyComposedOperation,
  missingPaths: readonly string[],
): unknown {
  if (error instanceof AcequiaError || missingPaths.length === 0) return error;
  return new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message: `The service leaves out what ${name} is put together from (${missingPaths.slice(0, 4).join(', ')}).`,
    hint: `Ask for what it has with ${Object.values(performs)
      .map((part) => part.name)
      .join(', ')}.`,
  });
}
