import { sentences } from '../domain/text/say.ts';
import { describeAdvisories } from '../language/advisories.ts';
import { describeIncompleteAnswer } from '../language/answer-remarks.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import { render } from '../language/text/render.ts';
import type { AnswerText } from '../language/text/rendered-text.ts';
import { conciseIfRequested, type SummaryInput, writeSummary } from '../operation/answer.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import { replayText } from '../operation/replay/replay-text.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { RemoteCompany } from './remote-company.ts';
import type { RemoteRun } from './remote-run.ts';
import { monotonicMs } from './service/deadline.ts';
import type { RemoteResponse } from './service/remote-service.ts';
import { MAX_NAMED_MISMATCHES } from './unusable-answer.ts';

export const SUMMARY_NAMES_WAIT_MS = 3_000;

/** Adds the summary, and shortens the body. */
export async function presentResponse(
  { operation, company, now, deadline }: RemoteRun,
  { input, advisories: argumentAdvisories }: OperationArguments,
  response: RemoteResponse,
): Promise<OperationResult> {
  const { body, mismatches, replay, changeId } = response;
  const advisories = [...argumentAdvisories, ...response.advisories];
  const namesDeadline = Math.min(deadline, monotonicMs() + SUMMARY_NAMES_WAIT_MS);
  const currentContext = await summaryContextAt(company, now, namesDeadline);
  const answeredAt = replay === null ? now : replay.answeredAt;
  const context = { ...currentContext, now: answeredAt ?? now };

  const call = { operation: operation.name, at: answeredAt, body, advisories };
  const result = {
    fullBody: body,
    advisories,
    isReplay: replay !== null,
    answeredAt: answeredAt ?? undefined,
    replayText: replay === null ? undefined : replayText(call, currentContext),
    changeId,
  };
  if (mismatches.length > 0)
    return { ...result, body, ...summaryWithoutBody(mismatches, advisories, context) };

  const answerText =
    (await trySummary(operation, { body, input, advisories, context })) ??
    summaryWithoutBody(mismatches, advisories, context);
  return { ...result, body: conciseBody(operation, { body, input, context }), ...answerText };
}

/**
 * Names and a zone that cannot be read are replaced by ids and UTC, so that the answer is not lost.
 */
export async function summaryContextAt(
  company: RemoteCompany,
  now: number,
  deadline: number,
): Promise<SummaryContext> {
  const zoneOrError = await company.zone(deadline).catch(() => null);
  const zone = typeof zoneOrError === 'string' ? zoneOrError : 'UTC';
  const isZoneDeclared = await company.isZoneDeclared(deadline);
  const units = await company.units(deadline);
  const { directory } = company.names(deadline);

  const optionalDirectory: NameDirectory = {
    modules: () => directory.modules().catch(() => []),
    parcels: () => directory.parcels().catch(() => []),
  };
  return { now, zone, isZoneDeclared, units, directory: optionalDirectory };
}

const summaryWithoutBody = (
  mismatches: readonly string[],
  advisories: readonly Advisory[],
  context: SummaryContext,
): AnswerText =>
  render(
    sentences([
      describeIncompleteAnswer(
        mismatches.slice(0, MAX_NAMED_MISMATCHES),
        Math.max(0, mismatches.length - MAX_NAMED_MISMATCHES),
      ),
      ...describeAdvisories(advisories, context),
    ]),
    { ...context, units: 'metric' },
  );

/** The whole body if shortening throws, as an out-of-range value may make it. */
function conciseBody(
  operation: AnyOperation,
  { body, input, context }: Pick<SummaryInput, 'body' | 'input' | 'context'>,
): unknown {
  try {
    return conciseIfRequested(operation, body, input, context);
  } catch {
    return body;
  }
}

/** Null if the summary cannot be written: a value of the right type may still be out of range. */
async function trySummary(
  operation: AnyOperation,
  result: SummaryInput,
): Promise<AnswerText | null> {
  try {
    return await writeSummary(operation, result);
  } catch {
    return null;
  }
}
