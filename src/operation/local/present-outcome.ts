import type { Lang } from '../../domain/lang.ts';
import { describeAdvisories } from '../../language/advisories.ts';
import { langOfCountry } from '../../language/index.ts';
import {
  type PersonContext,
  summaryContextOf,
  visibleDirectory,
} from '../../language/summary-context.ts';
import { inMetric } from '../../language/text/render.ts';
import { NO_ANSWER_TEXT } from '../../language/text/rendered-text.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { conciseIfRequested, summarizeResult } from '../answer.ts';
import type { AnyOperation } from '../operation.ts';
import type { OperationResult, Picture } from '../operation-result.ts';
import type { StoredOutcome } from '../replay/idempotency.ts';
import { replayText } from '../replay/replay-text.ts';
import type { CallContext, CallEnvironment } from './call-context.ts';
import type { OperationRun } from './operation-run.ts';

interface Presentation {
  /** When the outcome was made: earlier than the call, if it is a replay. */
  readonly at: number;
  readonly isReplay: boolean;
  /** Set if it was drawn by the thread that ran the operation; default: it is drawn here. */
  readonly picture?: Picture | undefined;
}

export const personLangOf = ({ lang }: Pick<CallEnvironment, 'lang'>, company: CompanyRow): Lang =>
  lang ?? langOfCountry(company.country_code);

/**
 * For questions and pictures, which a person sees as they are and therefore in their language. The
 * summary is English, because a model reads it and answers in the language of the conversation.
 */
export const personContext = <C extends Pick<CallContext, 'company' | 'directory'>>(
  environment: Pick<CallEnvironment, 'lang'>,
  context: C,
) => ({
  ...context,
  lang: personLangOf(environment, context.company),
  directory: visibleDirectory(context.directory),
});

/** Adds what depends on the caller and on the channel: detail, language, summary, picture. */
export async function presentOutcome(
  run: OperationRun,
  context: CallContext,
  { body: bodyForAll, input, advisories, changeId }: StoredOutcome,
  { at, isReplay, picture }: Presentation,
): Promise<OperationResult> {
  const { environment, operation, request } = run;
  const body = await bodyForCaller(run, context, bodyForAll);

  const summaryContext = summaryContextOf({ ...context, now: at });
  const result = {
    body: conciseIfRequested(operation, body, input, summaryContext),
    fullBody: body,
    picture: picture ?? (await drawPicture(body, { environment, operation, context, at })),
    advisories,
    advisoryTexts: request.wantsAdvisoryTexts
      ? describeAdvisories(advisories, summaryContext).map((text) => inMetric(text, summaryContext))
      : undefined,
    isReplay,
    answeredAt: at,
    changeId,
  };
  if (request.wantsSummary === false) return { ...result, ...NO_ANSWER_TEXT };

  const answerText = await summarizeResult(
    operation,
    { body, input, advisories, context: summaryContext },
    environment.report,
    request.trace?.requestId,
  );

  if (!isReplay) return { ...result, ...answerText };
  const call = { operation: operation.name, at, body, advisories };
  return { ...result, ...answerText, replayText: replayText(call, summaryContextOf(context)) };
}

async function bodyForCaller(
  { environment, operation }: OperationRun,
  { caller, company }: CallContext,
  body: unknown,
): Promise<unknown> {
  const forCaller = operation.load?.forCaller;
  if (!forCaller) return body;
  return environment.store.read(company.id, (db) => forCaller(body, { caller, db }));
}

interface Drawing {
  readonly environment: Pick<CallEnvironment, 'lang'>;
  readonly operation: AnyOperation;
  readonly context: CallContext;
  readonly at: number;
}

export async function drawPicture(
  body: unknown,
  { environment, operation, context, at }: Drawing,
): Promise<Picture | undefined> {
  const person: PersonContext = { ...personContext(environment, context), now: at };
  return operation.render?.(body, person);
}
