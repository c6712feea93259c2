import { throwIfCancelled, yieldOrCancel } from '../domain/event-loop.ts';
import { validateArguments } from '../operation/arguments/argument-validation.ts';
import type { OperationArguments } from '../operation/arguments/tool-arguments.ts';
import type { ComposedCall } from '../operation/call.ts';
import type { AnyComposedOperation, AnyOperation } from '../operation/operation.ts';
import type { OperationResult, Picture } from '../operation/operation-result.ts';
import { memoizedParts, partCall, type RunPart, runComposed } from '../operation/parts.ts';
import type { Advisory } from '../schema/advisory.ts';
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
  operation: AnyComposedOperation,
  { input, restArguments, advisories: argumentAdvisories }: OperationArguments,
): Promise<OperationResult> {
  const { request, company, now, deadline } = run;
  const advisories: Advisory[] = [...argumentAdvisories];
  const summaryContext = await summaryContextAt(company, now, deadline);
  const call: ComposedCall = {
    ...summaryContext,
    lang: company.lang,
    advise: (advisory) => void advisories.push(advisory),
    onProgress: request.onProgress,
    yieldOrCancel: () => yieldOrCancel(request.signal),
  };
  const parts = new RemoteParts(run, call, await run.service.endpoints());

  let body: unknown;
  let picture: Picture | undefined;
  try {
    body = await runComposed(operation, call, input, parts.run);
    const lang = await company.personLang(deadline);
    picture = await operation.render?.(body, { ...summaryContext, lang });
  } catch (error) {
    throw unusableAnswer(operation, parts.mismatches, error);
  }

  const { mismatches } = parts;
  const response: RemoteResponse = { body, mismatches, replayed: false, advisories: [] };
  const operationArguments = { input, restArguments, advisories };
  return { ...(await presentResponse(run, operationArguments, response, now)), picture };
}

/** Runs the parts of a composed operation, each once, here or on the service. */
class RemoteParts {
  readonly #remoteRun: RemoteRun;
  readonly #call: ComposedCall;
  readonly #endpoints: DocumentedEndpoints | null;
  /** Where answers of the service are not as their schemas say. */
  readonly mismatches: string[] = [];

  constructor(run: RemoteRun, call: ComposedCall, endpoints: DocumentedEndpoints | null) {
    this.#remoteRun = run;
    this.#call = call;
    this.#endpoints = endpoints;
  }

  readonly run: RunPart = memoizedParts(async (part, fields): Promise<unknown> => {
    if (isComposedLocally(this.#endpoints, part))
      return runComposed(part, partCall(this.#call), validateArguments(part, fields), this.run);
    if (part.remote?.bodyIfUnsupported !== undefined && lacksEndpoint(this.#endpoints, part))
      return part.remote.bodyIfUnsupported;
    return this.#request(part, fields);
  });

  async #request(part: AnyOperation, fields: Record<string, unknown>): Promise<unknown> {
    throwIfCancelled(this.#remoteRun.request.signal);
    const { body, mismatches } = await this.#remoteRun.requestRead(part, fields);
    this.mismatches.push(...mismatches.map((path) => `${part.name}: ${path}`));
    return body;
  }
}
