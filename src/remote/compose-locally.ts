import { yieldOrCancel } from '../domain/event-loop.ts';
import { validateArguments } from '../operation/arguments/argument-validation.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import type { ComposedCall } from '../operation/call.ts';
import type { AnyComposedOperation, FactOperation } from '../operation/operation.ts';
import type { OperationResult, Picture } from '../operation/operation-result.ts';
import { memoizedParts, partCall, type RunPart, runComposed } from '../operation/parts.ts';
import type { Advisory } from '../schema/advisory.ts';
import { FactRequests } from './facts/fact-requests.ts';
import { WireFacts } from './facts/wire-facts.ts';
import { presentResponse, summaryContextAt } from './present-response.ts';
import type { RemoteRun } from './remote-run.ts';
import type { RemoteResponse } from './service/service.ts';
import {
  type DocumentedEndpoints,
  isComposedLocally,
  lacksEndpoint,
} from './service/supported-operations.ts';
import { unusableAnswer } from './unusable-answer.ts';

/** Runs an operation here that is composed of reads of the service. */
export async function composeLocally(
  run: RemoteRun,
  operation: AnyComposedOperation | FactOperation,
  operationArguments: OperationArguments,
): Promise<OperationResult> {
  const { request, company, now, deadline } = run;
  const advisories: Advisory[] = [...operationArguments.advisories];
  const summaryContext = await summaryContextAt(company, now, deadline);
  const call: ComposedCall = {
    ...summaryContext,
    lang: company.lang,
    advise: (advisory) => void advisories.push(advisory),
    onProgress: request.onProgress,
    yieldOrCancel: () => yieldOrCancel(request.signal),
  };
  const answers = new RemoteAnswers(run, call, await run.service.endpoints());

  let body: unknown;
  let picture: Picture | undefined;
  try {
    body = await answers.answer(operation, call, operationArguments.input);
    const lang = await company.personLang(deadline);
    picture = await operation.render?.(body, { ...summaryContext, lang });
  } catch (error) {
    throw unusableAnswer(operation, answers.mismatches, error);
  }

  const { mismatches } = answers;
  const response: RemoteResponse = { body, mismatches, replayed: false, advisories: [] };
  const presented = await presentResponse(
    run,
    { ...operationArguments, advisories },
    response,
    now,
  );
  return { ...presented, picture };
}

/** Answers from facts or from parts, each of which is requested once. */
class RemoteAnswers {
  readonly #call: ComposedCall;
  readonly #endpoints: DocumentedEndpoints | null;
  readonly #requests: FactRequests;
  readonly #facts: WireFacts;

  constructor(run: RemoteRun, call: ComposedCall, endpoints: DocumentedEndpoints | null) {
    this.#call = call;
    this.#endpoints = endpoints;
    this.#requests = new FactRequests({
      endpoints,
      lang: call.lang,
      signal: run.request.signal,
      requestRead: (operation, fields) => run.requestRead(operation, fields),
    });
    this.#facts = new WireFacts(this.#requests, call);
  }

  /** Where answers of the service are not as their schemas say. */
  get mismatches(): readonly string[] {
    return this.#requests.mismatches;
  }

  answer(
    operation: AnyComposedOperation | FactOperation,
    call: ComposedCall,
    input: Record<string, unknown>,
  ): Promise<unknown> {
    return operation.facts
      ? operation.facts.answer(call, input, this.#facts)
      : runComposed(operation, call, input, this.#runPart);
  }

  readonly #runPart: RunPart = memoizedParts(async (part, fields): Promise<unknown> => {
    if (isComposedLocally(this.#endpoints, part))
      return this.answer(part, partCall(this.#call), validateArguments(part, fields));
    if (part.remote?.bodyIfUnsupported !== undefined && lacksEndpoint(this.#endpoints, part))
      return part.remote.bodyIfUnsupported;
    return this.#requests.read(part, fields);
  });
}
