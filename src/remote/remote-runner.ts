import { randomUUID } from 'node:crypto';
import { CancelledError, throwIfCancelled, yieldOrCancel } from '../domain/event-loop.ts';
import type { Lang } from '../domain/lang.ts';
import { describeAdvisories } from '../language/advisories.ts';
import { answerPhrases } from '../language/answer-phrases.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import { validateArguments } from '../operation/arguments/argument-validation.ts';
import { type OperationArguments, unchangedFields } from '../operation/arguments/tool-arguments.ts';
import type { ComposedCall } from '../operation/call.ts';
import {
  type AnyComposedOperation,
  type AnyOperation,
  argumentLocation,
  bodyInDetail,
  fieldsRequiredInRest,
  type RunRead,
} from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';
import {
  memoizedParts,
  type OperationRequest,
  type OperationResult,
  type OperationRunner,
  partCall,
  runComposed,
} from '../operation/operation-runner.ts';
import { type SummaryInput, writeSummary } from '../operation/summary.ts';
import type { Advisory } from '../schema/advisory.ts';
import { AcequiaError } from '../schema/error.ts';
import { COMPANY_PATH, remoteCompany } from './company.ts';
import { withTrace } from './connection.ts';
import { monotonicMs, REMOTE_LIMITS, type RemoteLimits } from './limits.ts';
import { idempotentArgumentCache, readRemoteArguments } from './remote-arguments.ts';
import { UncertainWriteError } from './remote-errors.ts';
import { openRemoteService, type RemoteResponse, type RemoteServiceOptions } from './service.ts';
import {
  assertParcelSupported,
  dropUnsupported,
  isComposedLocally,
  lacksEndpoint,
  supportedOperations,
} from './supported-operations.ts';

export interface RemoteOptions {
  readonly url: string;
  readonly key: string | null;
  readonly clock: () => number;
  readonly lang?: Lang | undefined;
  readonly limits?: RemoteLimits;
  readonly onBasePathChange?: RemoteServiceOptions['onBasePathChange'];
}

const SUMMARY_NAMES_WAIT_MS = 3_000;

const MAX_NAMED_MISMATCHES = 4;

export function remoteRunner(options: RemoteOptions): OperationRunner {
  const { url, key, clock, lang, limits = REMOTE_LIMITS, onBasePathChange } = options;
  const service = openRemoteService({ url, key, limits, onBasePathChange });
  const company = remoteCompany(service, lang, limits.callMs);
  const argumentCache = idempotentArgumentCache();

  const run = (operation: AnyOperation, request: OperationRequest): Promise<OperationResult> =>
    withTrace(request.trace, () =>
      isWrite(operation)
        ? write(operation, request, monotonicMs() + limits.callMs)
        : read(operation, request, monotonicMs() + limits.callMs),
    );

  async function read(
    operation: AnyOperation,
    request: OperationRequest,
    deadline: number,
  ): Promise<OperationResult> {
    const now = clock();
    const readArgs = await readArguments(operation, request, now, deadline);
    if (operation.parts !== undefined && isComposedLocally(await service.endpoints(), operation))
      return composeLocally(operation, request, readArgs, now, deadline);
    const response = await requestRead(
      operation,
      wireInFull(operation, readArgs.restArguments),
      deadline,
    );
    return toResult(operation, readArgs, response, now, deadline);
  }

  async function requestRead(
    operation: AnyOperation,
    wire: Readonly<Record<string, unknown>>,
    deadline: number,
  ): Promise<RemoteResponse> {
    const endpoints = hasQuery(operation, wire) ? await service.endpoints() : null;
    const options = { idempotencyKey: null, lang: company.lang, deadline };
    return service.request(operation, dropUnsupported(operation, wire, endpoints), options);
  }

  async function write(
    operation: AnyOperation,
    request: OperationRequest,
    deadline: number,
  ): Promise<OperationResult> {
    if (operation.tool !== undefined) assertParcelSupported(operation, await service.endpoints());
    const now = clock();
    const idempotencyKey = request.idempotencyKey ?? randomUUID();
    const cacheKey = [operation.name, idempotencyKey, request.rawArguments] as const;
    const cachedArguments = argumentCache.get(...cacheKey, now);
    const readArgs = cachedArguments ?? {
      ...(await readWriteArguments(operation, request, now, deadline).catch(rethrowNothingWritten)),
      readAtMs: now,
    };

    argumentCache.set(...cacheKey, readArgs);
    try {
      const wire = wireInFull(operation, readArgs.restArguments);
      const confirmationLang = request.needsConfirmation
        ? await company.personLang(deadline)
        : null;
      const response = await service.request(operation, wire, {
        idempotencyKey,
        lang: company.lang,
        confirmationLang,
        deadline,
      });
      // A generated key cannot be repeated.
      if (request.idempotencyKey === undefined) argumentCache.delete(...cacheKey);
      if (operation.endpoint.path === COMPANY_PATH) await company.refresh(deadline);

      return toResult(
        operation,
        readArgs,
        response,
        response.replayed ? readArgs.readAtMs : now,
        deadline,
      );
    } catch (error) {
      // An earlier attempt may have written these arguments, even if this one was refused.
      if (cachedArguments === null && isPermanent(error)) argumentCache.delete(...cacheKey);
      throw error;
    }
  }

  const readArguments = (
    operation: AnyOperation,
    request: OperationRequest,
    now: number,
    deadline: number,
  ) =>
    readRemoteArguments(operation, request, {
      company,
      now,
      deadline,
      runRead: runPart(deadline),
    }).catch((error) => {
      throw unusableAnswers(operation, [], error);
    });

  /** Adds the fields that the service requires and a tool may leave out. */
  async function readWriteArguments(
    operation: AnyOperation,
    request: OperationRequest,
    now: number,
    deadline: number,
  ): Promise<OperationArguments> {
    const readArgs = await readArguments(operation, request, now, deadline);
    const { restArguments } = readArgs;
    const missing = fieldsRequiredInRest(operation).filter(
      (name) => restArguments[name] === undefined,
    );
    if (missing.length === 0) return readArgs;

    const unchanged = await unchangedFields(operation, restArguments, runPart(deadline)).catch(
      (error) => {
        throw isUnknownEndpoint(error)
          ? requiredFieldsError(missing, error)
          : unusableAnswers(operation, [], error);
      },
    );

    return { ...readArgs, restArguments: { ...unchanged, ...restArguments } };
  }

  const runPart =
    (deadline: number): RunRead =>
    async (part, fields) =>
      (await requestRead(part, fields, deadline)).body;

  async function composeLocally(
    operation: AnyComposedOperation,
    request: OperationRequest,
    { input, restArguments, advisories: argumentNotes }: OperationArguments,
    now: number,
    deadline: number,
  ): Promise<OperationResult> {
    const advisories: Advisory[] = [...argumentNotes];
    const mismatches: string[] = [];
    const summaryContext = await summaryContextAt(now, deadline);
    const endpoints = await service.endpoints();

    const requestPart = async (
      part: AnyOperation,
      fields: Record<string, unknown>,
    ): Promise<unknown> => {
      throwIfCancelled(request.signal);
      const response = await requestRead(part, fields, deadline);
      mismatches.push(...response.mismatches.map((path) => `${part.name}: ${path}`));
      return response.body;
    };

    const call: ComposedCall = {
      ...summaryContext,
      lang: company.lang,
      advise: (note) => void advisories.push(note),
      onProgress: request.onProgress,
      yieldOrCancel: () => yieldOrCancel(request.signal),
    };
    const runPart = memoizedParts(async (part, fields): Promise<unknown> => {
      if (isComposedLocally(endpoints, part))
        return runComposed(part, partCall(call), validateArguments(part, fields), runPart);
      if (part.bodyIfUnsupported !== undefined && lacksEndpoint(endpoints, part))
        return part.bodyIfUnsupported;
      return requestPart(part, fields);
    });

    const compose = async () => {
      const body = await runComposed(operation, call, input, runPart);
      const lang = await company.personLang(deadline);
      return { body, picture: await operation.render?.(body, { ...summaryContext, lang }) };
    };

    const { body, picture } = await compose().catch((error) => {
      throw unusableAnswers(operation, mismatches, error);
    });

    const response: RemoteResponse = { body, mismatches, replayed: false, advisories: [] };
    const result = await toResult(
      operation,
      { input, restArguments, advisories },
      response,
      now,
      deadline,
    );
    return { ...result, picture };
  }

  async function toResult(
    operation: AnyOperation,
    { input, advisories: argumentNotes }: OperationArguments,
    { body, mismatches, replayed, changeId, advisories: serviceNotes }: RemoteResponse,
    at: number,
    deadline: number,
  ): Promise<OperationResult> {
    const advisories = [...argumentNotes, ...serviceNotes];
    const namesDeadline = Math.min(deadline, monotonicMs() + SUMMARY_NAMES_WAIT_MS);
    const context = await summaryContextAt(at, namesDeadline);
    const isComplete = mismatches.length === 0;
    const summary =
      (isComplete ? await trySummary(operation, { body, input, advisories, context }) : null) ??
      summaryWithoutBody(mismatches, advisories, context);
    const answer = isComplete ? inDetail(operation, body, input, context) : body;
    return { body: answer, fullBody: body, summary, advisories, isReplay: replayed, changeId };
  }

  /**
   * Names and a zone that cannot be read are replaced by ids and UTC, so that the answer is not
   * lost.
   */
  async function summaryContextAt(now: number, deadline: number): Promise<SummaryContext> {
    const zoneOrError = await company.zone(deadline).catch(() => null);
    const zone = typeof zoneOrError === 'string' ? zoneOrError : 'UTC';
    const isZoneDeclared = await company.isZoneDeclared(deadline);
    const { directory } = company.names(deadline);
    const optionalDirectory: NameDirectory = {
      modules: () => directory.modules().catch(() => []),
      parcels: () => directory.parcels().catch(() => []),
    };
    return { now, zone, isZoneDeclared, directory: optionalDirectory };
  }

  return {
    run,
    lang: company.lang,
    personLang: () => company.personLang(monotonicMs() + limits.callMs),
    async directory(trace) {
      const { directory } = company.names(monotonicMs() + limits.callMs);
      return {
        modules: () => withTrace(trace, directory.modules),
        parcels: () => withTrace(trace, directory.parcels),
      };
    },
    summaryContext: () => summaryContextAt(clock(), monotonicMs() + SUMMARY_NAMES_WAIT_MS),
    async allowedOperations(all) {
      const endpoints = await service.endpoints();
      return endpoints === null ? null : supportedOperations(endpoints, all);
    },
    close: service.close,
  };
}

/** The summary is written from the whole body, which is then shortened here. */
const wireInFull = (
  { concise }: AnyOperation,
  { detail, ...wire }: Readonly<Record<string, unknown>>,
) => (concise === undefined && detail !== undefined ? { ...wire, detail } : wire);

const hasQuery = ({ endpoint }: AnyOperation, wire: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wire).some(
    ([name, value]) => value !== undefined && argumentLocation(endpoint, name) === 'query',
  );

function rethrowNothingWritten(error: unknown): never {
  if (!(error instanceof AcequiaError) || error.status < 500) throw error;
  throw new AcequiaError({
    ...error.toJSON(),
    hint: `${error.hint ?? ''} Nothing was written by this call.`.trim(),
  });
}

const isPermanent = (error: unknown): boolean =>
  error instanceof AcequiaError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  !(error instanceof UncertainWriteError);

const isUnknownEndpoint = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && error.status === 404 && error.code === 'not_found';

const requiredFieldsError = (
  names: readonly string[],
  { code, status }: AcequiaError,
): AcequiaError =>
  new AcequiaError({
    code,
    status,
    message: `The service requires ${names.join(' and ')}, and does not return their current values.`,
    hint: `Pass ${names.join(' and ')} as list_waterings shows them.`,
    field: names[0],
  });

/**
 * A value of the right type may still be one that no rule can use, such as a day in the year
 * 200,000.
 */
function unusableAnswers(
  { name }: AnyOperation,
  mismatches: readonly string[],
  error: unknown,
): unknown {
  if (error instanceof AcequiaError || error instanceof CancelledError) return error;

  const missing = mismatches.slice(0, MAX_NAMED_MISMATCHES).join(', ');
  const unusable = new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message:
      missing === ''
        ? `The service answers with values that ${name} cannot use.`
        : `The service omits values that ${name} needs (${missing}).`,
    hint: 'Read what the service has with the tools for single probes and lists.',
  });
  unusable.cause = error;

  return unusable;
}

const summaryWithoutBody = (
  mismatches: readonly string[],
  advisories: readonly Advisory[],
  context: SummaryContext,
): string =>
  [
    answerPhrases.incompleteAnswer(
      mismatches.slice(0, MAX_NAMED_MISMATCHES),
      Math.max(0, mismatches.length - MAX_NAMED_MISMATCHES),
    ),
    ...describeAdvisories(advisories, context),
  ].join(' ');

/** The whole body if it cannot be shortened, for the same reason that a summary may fail. */
function inDetail(...[operation, body, input, context]: Parameters<typeof bodyInDetail>): unknown {
  try {
    return bodyInDetail(operation, body, input, context);
  } catch {
    return body;
  }
}

/** Null if the summary cannot be written: a value of the right type may still be out of range. */
async function trySummary(operation: AnyOperation, result: SummaryInput): Promise<string | null> {
  try {
    return await writeSummary(operation, result);
  } catch {
    return null;
  }
}
