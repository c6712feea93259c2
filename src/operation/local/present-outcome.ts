import type { Lang } from '../../domain/lang.ts';
import { describeAdvisories } from '../../language/advisories.ts';
import { langOfCountry } from '../../language/index.ts';
import {
  type PersonContext,
  summaryContextOf,
  visibleDirectory,
} from '../../language/summary-context.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import type { StoredOutcome } from '../idempotency.ts';
import { type AnyOperation, bodyInDetail } from '../operation.ts';
import type { OperationResult, Picture } from '../operation-result.ts';
import { summarizeResult } from '../summary.ts';
import type { CallContext, OperationSetting } from './call-context.ts';
import type { OperationRun } from './operation-run.ts';

interface Presentation {
  /** When the outcome was made: earlier than the call, if it is a replay. */
  readonly at: number;
  readonly isReplay: boolean;
  /** Drawn already; default: by the operation. */
  readonly picture?: Picture | undefined;
}

export const personLangOf = ({ lang }: Pick<OperationSetting, 'lang'>, company: CompanyRow): Lang =>
  lang ?? langOfCountry(company.country_code);

/** Questions and pictures are in the person's language, with the names that answers use. */
export const personContext = <C extends Pick<CallContext, 'company' | 'directory'>>(
  setting: Pick<OperationSetting, 'lang'>,
  context: C,
) => ({
  ...context,
  lang: personLangOf(setting, context.company),
  directory: visibleDirectory(context.directory),
});

/** Adds what depends on the caller and on the channel: detail, language, summary, picture. */
export async function presentOutcome(
  run: OperationRun,
  context: CallContext,
  { body: ownBody, input, advisories, changeId }: StoredOutcome,
  { at, isReplay, picture }: Presentation,
): Promise<OperationResult> {
  const { setup, operation, request } = run;
  const body = await bodyForCaller(run, context, ownBody);

  const summaryContext = summaryContextOf({ ...context, now: at });
  const result = {
    body: bodyInDetail(operation, body, input, summaryContext),
    fullBody: body,
    picture: picture ?? (await drawPicture(body, { setting: setup, operation, context, at })),
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
    setup.report,
    request.trace?.requestId,
  );

  return { ...result, summary };
}

async function bodyForCaller(
  { setup, operation }: OperationRun,
  { caller, company }: CallContext,
  body: unknown,
): Promise<unknown> {
  const forCaller = operation.load?.forCaller;
  if (!forCaller) return body;
  return setup.store.read(company.id, (db) => forCaller(body, { caller, db }));
}

interface Drawing {
  readonly setting: Pick<OperationSetting, 'lang'>;
  readonly operation: AnyOperation;
  readonly context: CallContext;
  readonly at: number;
}

export async function drawPicture(
  body: unknown,
  { setting, operation, context, at }: Drawing,
): Promise<Picture | undefined> {
  const drawContext: PersonContext = {
    ...personContext(setting, context),
    now: at,
  };
  return operation.render?.(body, drawContext);
}
