import { yieldOrCancel } from '../domain/event-loop.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import type { ComposedCall } from '../operation/call.ts';
import type { FactOperation } from '../operation/operation.ts';
import type { OperationResult, Picture } from '../operation/operation-result.ts';
import type { Advisory } from '../schema/advisory.ts';
import { FactRequests } from './facts/fact-requests.ts';
import { WireFacts } from './facts/wire-facts.ts';
import { presentResponse, summaryContextAt } from './present-response.ts';
import type { RemoteRun } from './remote-run.ts';
import type { RemoteResponse } from './service/remote-service.ts';
import { unusableAnswer } from './unusable-answer.ts';

/** Composes the answer in this process, from facts that the service has. */
export async function composeLocally(
  run: RemoteRun,
  operation: FactOperation,
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
  const requests = new FactRequests({
    endpoints: await run.service.endpoints(),
    lang: call.lang,
    signal: request.signal,
    requestRead: (read, fields) => run.requestRead(read, fields),
  });

  let body: unknown;
  let picture: Picture | undefined;
  try {
    body = await operation.facts.answer(
      call,
      operationArguments.input,
      new WireFacts(requests, call),
    );
    const lang = await company.personLang(deadline);
    picture = await operation.render?.(body, { ...summaryContext, lang });
  } catch (error) {
    throw unusableAnswer(operation, requests.mismatches, error);
  }

  const { mismatches } = requests;
  const response: RemoteResponse = {
    body,
    mismatches,
    replay: null,
    wasRepeated: false,
    advisories: [],
  };
  const presented = await presentResponse(run, { ...operationArguments, advisories }, response);
  return { ...presented, picture };
}
