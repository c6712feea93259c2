import { quote, singleLine } from '../../domain/text.ts';
import { answerPhrases } from '../../language/answer-phrases.ts';
import { languageOf } from '../../language/index.ts';
import { formatNumber } from '../../language/number-format.ts';
import { moduleName } from '../../language/summary-context.ts';
import { saysYes } from '../../language/words/yes.ts';
import { IDEMPOTENCY_KEY_REUSED } from '../../operation/idempotency.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { OperationResult, OperationRunner } from '../../operation/operation-runner.ts';
import { CONFIRMATION_REQUIRED } from '../../operation/rest-conventions.ts';
import { summarizeResult } from '../../operation/summary.ts';
import { AcequiaError, type ErrorReporter } from '../../schema/error.ts';
import { MAX_FLOW_MM_PER_H } from '../../schema/irrigation/installation.ts';
import {
  parcelWateringAnswer,
  type WateringAnswer,
  type WateringBody,
  wateringAnswer,
} from '../../schema/irrigation/watering.ts';
import { conciseParcelAnswer } from '../../service/irrigation/watering-log.ts';
import { UnansweredQuestion } from './call-rounds.ts';
import type { AskPerson, Question } from './elicitation.ts';

interface FlowRateContext {
  readonly runner: Pick<OperationRunner, 'personLang' | 'directory' | 'summaryContext'>;
  readonly askPerson: AskPerson;
  readonly run: (
    operation: AnyOperation,
    fields: Record<string, unknown>,
  ) => Promise<OperationResult>;
  readonly report: ErrorReporter;
}

/**
 * The answer is entered in the setup version that the watering was logged under, if that still
 * lacks it.
 */
export async function askMissingFlowRate(
  operation: AnyOperation & Required<Pick<AnyOperation, 'asksFlowRate'>>,
  logged: OperationResult,
  { runner, askPerson, run, report }: FlowRateContext,
): Promise<OperationResult> {
  const affected = wateringsWithoutFlowRate(logged.fullBody);
  const [event] = affected;
  if (event === undefined) return logged;

  const { correctInstallation, getWatering } = operation.asksFlowRate;
  const read = () => readAgain(operation, logged, { getWatering, runner, run, report });

  const answer = await askPerson(await flowRateQuestion(event, runner)).catch(async (error) => {
    if (
      !(error instanceof UnansweredQuestion) ||
      !logged.isReplay ||
      stillLacksFlowRate(await read(), affected)
    )
      throw error;
    return null;
  });

  const flowMmPerH = parseFlowRate(answer);
  let current = await read();
  if (flowMmPerH === null) return current.result;

  let correction: OperationResult | AcequiaError | null = null;
  if (stillLacksFlowRate(current, affected)) {
    const versionId = event.configSnapshot!.installationId;
    correction = await run(correctInstallation, { versionId, flowMmPerH }).catch(asRefusal);
    current = await read();
  }

  const outcome = describeEntry(flowMmPerH, { correction, current, event });
  return { ...current.result, summary: `${current.result.summary} ${outcome}` };
}

async function flowRateQuestion(
  { configSnapshot, moduleId }: WateringBody,
  runner: FlowRateContext['runner'],
): Promise<Question> {
  const phrases = languageOf(await runner.personLang()).questions;
  const name = await moduleName(await runner.directory(), moduleId);
  return {
    name: 'flowMmPerH',
    message: phrases.flowRate({ name, isOfParcel: configSnapshot!.scope === 'parcel' }),
    schema: {
      type: 'number',
      title: phrases.flowRateTitle,
      minimum: 0,
      maximum: MAX_FLOW_MM_PER_H,
    },
  };
}

interface CurrentWaterings {
  readonly result: OperationResult;
  readonly waterings: readonly WateringAnswer[];
  readonly refusal: AcequiaError | null;
}

/** Waterings may have changed since they were logged, or no longer exist. */
async function readAgain(
  operation: AnyOperation,
  logged: OperationResult,
  {
    getWatering,
    runner,
    run,
    report,
  }: Omit<FlowRateContext, 'askPerson'> & { getWatering: AnyOperation },
): Promise<CurrentWaterings> {
  const found: OperationResult[] = [];
  let refusal: AcequiaError | null = null;

  for (const { event } of wateringsOf(logged.fullBody)) {
    const each = await run(getWatering, { eventId: event.id }).catch(asRefusal);
    if (!(each instanceof AcequiaError)) found.push(each);
    else if (each.status === 404) refusal = each;
    else
      return {
        result: { ...logged, isReplay: false },
        waterings: wateringsOf(logged.fullBody),
        refusal: each,
      };
  }

  if (found.length === 0) return { result: logged, waterings: [], refusal };

  const result = withCurrentWaterings(logged, found);
  const describedOperation =
    (parcelWateringAnswer.safeParse(result.fullBody).success && operation.parcelVariant) ||
    operation;
  const context = await runner.summaryContext();
  const facts = { body: result.fullBody, input: {}, advisories: logged.advisories, context };
  const summary = await summarizeResult(describedOperation, facts, report);

  return { result: { ...result, summary }, waterings: wateringsOf(result.fullBody), refusal };
}

function asRefusal(error: unknown): AcequiaError {
  if (error instanceof AcequiaError) return error;
  throw error;
}

const stillLacksFlowRate = (
  { waterings }: CurrentWaterings,
  affected: readonly WateringBody[],
): boolean =>
  waterings.some(
    (each) =>
      lacksFlowRate(each) &&
      affected.some(
        ({ id, configSnapshot }) => id === each.event.id && isOfVersion(each.event, configSnapshot),
      ),
  );

function describeEntry(
  flowMmPerH: number,
  {
    correction,
    current: { waterings, refusal },
    event: { id },
  }: {
    correction: OperationResult | AcequiaError | null;
    current: CurrentWaterings;
    event: WateringBody;
  },
): string {
  const flow = formatNumber(flowMmPerH);
  const isRefused = correction instanceof AcequiaError;
  if (correction !== null && !isRefused && !correction.isReplay)
    return `${answerPhrases.flowRateGiven(flow)} ${correction.summary}`;

  const storedMmPerH = waterings.find(({ event }) => event.id === id)?.event.configSnapshot
    ?.flowMmPerH;
  const stored = storedMmPerH == null ? null : formatNumber(storedMmPerH);
  if (stored === flow) return answerPhrases.flowRateGiven(flow);
  if (stored !== null)
    return answerPhrases.flowRateNotEntered(flow, answerPhrases.otherFlowRate(stored));

  // Another answer to the same question came first, and has been taken back since.
  const isOtherAnswer = isRefused && correction.code === IDEMPOTENCY_KEY_REUSED;
  const reason = isRefused && !isOtherAnswer ? correction : refusal;
  return answerPhrases.flowRateNotEntered(
    flow,
    reason?.message ?? answerPhrases.changedSinceQuestion,
  );
}

function wateringsOf(body: unknown): readonly WateringAnswer[] {
  const parcel = parcelWateringAnswer.safeParse(body).data;
  if (parcel !== undefined) return parcel.waterings;
  const single = wateringAnswer.safeParse(body).data;
  return single === undefined ? [] : [single];
}

const lacksFlowRate = ({ event, warnings }: WateringAnswer): boolean =>
  warnings.includes('MISSING_FLOW_RATE') && event.status !== 'skipped';

const isOfVersion = (
  { configSnapshot }: WateringBody,
  other: WateringBody['configSnapshot'],
): boolean =>
  configSnapshot?.installationId != null && configSnapshot.installationId === other?.installationId;

/** Returns only those of the first setup without a flow rate. */
function wateringsWithoutFlowRate(body: unknown): WateringBody[] {
  const without = wateringsOf(body).flatMap((each) => (lacksFlowRate(each) ? [each.event] : []));
  return without.filter((event) => isOfVersion(event, without[0]!.configSnapshot));
}

function withCurrentWaterings(
  logged: OperationResult,
  found: readonly OperationResult[],
): OperationResult {
  const parcel = parcelWateringAnswer.safeParse(logged.fullBody).data;
  const isFull = logged.body === logged.fullBody;
  if (parcel === undefined) {
    const { fullBody, body } = found[0]!;
    return { ...logged, isReplay: false, fullBody, body: isFull ? fullBody : body };
  }

  const waterings = found.flatMap(({ fullBody }) => wateringsOf(fullBody));
  const fullBody = { ...parcel, count: waterings.length, waterings };
  return {
    ...logged,
    isReplay: false,
    fullBody,
    body: isFull ? fullBody : conciseParcelAnswer(fullBody),
  };
}

/** Some clients send typed numbers as text. */
function parseFlowRate(answer: unknown): number | null {
  const typed =
    typeof answer === 'string' && answer.trim() !== ''
      ? Number(answer.trim().replace(',', '.'))
      : answer;
  return typeof typed === 'number' && typed > 0 && typed <= MAX_FLOW_MM_PER_H ? typed : null;
}

/** A destructive operation runs once the person confirms it, if they can be asked. */
export async function askConfirmation<T>(
  { name, asksConfirmation }: AnyOperation,
  runner: Pick<OperationRunner, 'personLang'>,
  ask: AskPerson | undefined,
  run: (needsConfirmation: boolean) => Promise<T>,
): Promise<T> {
  if (!ask || !asksConfirmation) return run(false);

  try {
    return await run(true);
  } catch (error) {
    if (!(error instanceof AcequiaError) || error.code !== CONFIRMATION_REQUIRED) throw error;
    const title = languageOf(await runner.personLang()).questions.yes;
    const answer = await ask({
      name: 'confirm',
      message: error.message,
      schema: { type: 'boolean', title },
    });
    if (!isYes(answer)) throw notConfirmed(name);
    return run(false);
  }
}

/** Some clients send a ticked box as text. */
function isYes(answer: unknown): boolean {
  const text = String(answer).trim();
  return /^(?:true|1)$/i.test(text) || saysYes(text);
}

const notConfirmed = (name: string): AcequiaError =>
  new AcequiaError({
    code: 'NOT_CONFIRMED',
    status: 409,
    message: 'The person was asked and did not confirm this, so nothing was changed.',
    hint: `Ask them what they want instead. If they do want it, call ${name} again, and they are asked once more.`,
  });

const MAX_CANDIDATES = 20;

const MAX_QUESTIONS = 2;

type RawArguments = Readonly<Record<string, unknown>>;

export async function askAmbiguousNames<T>(
  rawArguments: RawArguments,
  runner: Pick<OperationRunner, 'personLang'>,
  ask: AskPerson | undefined,
  run: (chosenArguments: RawArguments) => Promise<T>,
): Promise<T> {
  let chosenArguments = rawArguments;
  for (let questionCount = 0; ; questionCount++) {
    try {
      return await run(chosenArguments);
    } catch (error) {
      const chosen =
        ask && questionCount < MAX_QUESTIONS
          ? await askCandidate(error, chosenArguments, runner, ask)
          : null;
      if (chosen === null) throw error;
      chosenArguments = { ...chosenArguments, ...chosen };
    }
  }
}

async function askCandidate(
  error: unknown,
  rawArguments: RawArguments,
  runner: Pick<OperationRunner, 'personLang'>,
  ask: AskPerson,
): Promise<RawArguments | null> {
  if (
    !(error instanceof AcequiaError) ||
    error.code !== 'AMBIGUOUS_NAME' ||
    error.field === undefined
  )
    return null;

  const { field, candidates } = error;
  if (candidates.length === 0 || candidates.length > MAX_CANDIDATES) return null;

  const phrases = languageOf(await runner.personLang()).questions;
  const labels = candidates.map(({ id, name, argument }) => {
    const label = `${name === null ? '' : `${singleLine(name)} `}(#${id})`;
    return argument === undefined ? label : phrases.wholeParcel(label);
  });
  const answer = await ask({
    name: field,
    message: phrases.whichOne(quote(String(rawArguments[field]))),
    schema: { type: 'string', title: field, enum: labels },
  });

  const chosen = candidates[labels.indexOf(String(answer))];
  return chosen === undefined
    ? null
    : { [field]: undefined, [chosen.argument ?? field]: `#${chosen.id}` };
}
