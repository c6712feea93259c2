import type { Lang } from '../domain/lang.ts';
import { describeAdvisories } from '../language/advisories.ts';
import { langOfCountry } from '../language/index.ts';
import {
  type PersonContext,
  summaryContextOf,
  visibleDirectory,
} from '../language/summary-context.ts';
import type { ErrorReporter } from '../schema/error.ts';
import type { CompanyRecord } from '../store/company/companies.ts';
import type { StoredOutcome } from './idempotency.ts';
import { type AnyOperation, bodyInDetail, type Picture } from './operation.ts';
import type { OperationRequest, OperationResult } from './operation-runner.ts';
import type { CallContext, OperationSetting } from './run-operation.ts';
import { summarizeResult } from './summary.ts';

export interface Presentation {
  readonly setting: Pick<OperationSetting, 'store' | 'lang'>;
  readonly operation: AnyOperation;
  readonly request: Pick<OperationRequest, 'wantsAdvisoryTexts' | 'wantsSummary' | 'trace'>;
  readonly context: CallContext;
  /** When the answer was made: earlier than the call, if it is a replay. */
  readonly at: number;
  readonly isReplay: boolean;
  /** Drawn already; default: by the operation. */
  readonly picture?: Picture | undefined;
  readonly report: ErrorReporter | undefined;
}

export const personLangOf = (
  { lang }: Pick<OperationSetting, 'lang'>,
  company: CompanyRecord,
): Lang => lang ?? langOfCountry(company.country_code);

/** Questions and pictures are in the person's language, with the names that answers use. */
export const personContext = <C extends Pick<CallContext, 'company' | 'directory'>>(
  setting: Pick<OperationSetting, 'lang'>,
  context: C,
) => ({
  ...context,
  lang: personLangOf(setting, context.company),
  directory: visibleDirectory(context.directory),
});

/** Adds what depends on the caller and on the surface: detail, language, summary, picture. */
export async function presentAnswer(
  { body: ownBody, input, advisories, changeId }: StoredOutcome,
  presentation: Presentation,
): Promise<OperationResult> {
  const { operation, request, context, isReplay } = presentation;
  const body = await bodyForCaller(ownBody, presentation);

  const summaryContext = summaryContextOf({ ...context, now: presentation.at });
  const result = {
    body: bodyInDetail(operation, body, input, summaryContext),
    fullBody: body,
    picture: presentation.picture ?? (await drawPicture(body, presentation)),
    advisories,
    advisoryTexts: request.wantsAdvisoryTexts
      ? describeAdvisories(advisories, summaryContext)
      : undefined,
    isReplay,
    changeId,
  };
  if (request.wantsSummary === false) return { ...result, summary: '' };

  const summary = await summarizeResult(
    operation,
    { body, input, advisories, context: summaryContext },
    presentation.report,
    request.trace?.requestId,
  );

  return { ...result, summary };
}

async function bodyForCaller(
  body: unknown,
  { setting, operation, context: { caller, company } }: Presentation,
): Promise<unknown> {
  const { forCaller } = operation;
  if (!forCaller) return body;
  return setting.store.read(company.id, (db) => forCaller(body, { caller, db }));
}

export async function drawPicture(
  body: unknown,
  {
    setting,
    operation,
    context,
    at,
  }: Pick<Presentation, 'setting' | 'operation' | 'context' | 'at'>,
): Promise<Picture | undefined> {
  const drawContext: PersonContext = {
    ...personContext(setting, context),
    now: at,
  };
  return operation.render?.(body, drawContext);
}
