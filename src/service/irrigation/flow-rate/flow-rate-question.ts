import { roundRate } from '../../../domain/decimal.ts';
import { verbatim } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { mmToInches } from '../../../domain/units.ts';
import { languageOf } from '../../../language/index.ts';
import {
  CHANGED_SINCE_QUESTION,
  describeAnsweredRate,
  describeOtherRate,
} from '../../../language/irrigation/flow-rate-summary.ts';
import { moduleName } from '../../../language/summary-context.ts';
import { render, renderForAll } from '../../../language/text/render.ts';
import { joinAnswers } from '../../../language/text/rendered-text.ts';
import type { OperationResult } from '../../../operation/operation-result.ts';
import {
  type Conversation,
  type FollowUp,
  formText,
  type Question,
  UnansweredQuestion,
} from '../../../operation/question.ts';
import { IDEMPOTENCY_KEY_REUSED } from '../../../operation/replay/idempotency.ts';
import { AcequiaError } from '../../../schema/error.ts';
import { MAX_FLOW_MM_PER_H } from '../../../schema/irrigation/installation.ts';
import type { WateringAnswer, WateringBody } from '../../../schema/irrigation/watering.ts';
import {
  isOfSameVersion,
  lacksFlowRate,
  parseFlowRate,
  wateringsOf,
  wateringsWithoutFlowRate,
  withCurrentWaterings,
} from './waterings-without-flow-rate.ts';

/**
 * If the dose of a logged watering lacks only the application rate, the person is asked for it. The
 * answer is entered in the setup version that the watering was logged under, if that still lacks
 * it.
 */
export const askMissingFlowRate: FollowUp = async (logged, conversation) => {
  const affected = wateringsWithoutFlowRate(logged.fullBody);
  const [event] = affected;
  if (event === undefined) return logged;

  return askAndEnter(conversation, { logged, affected, event });
};

interface LoggedWaterings {
  readonly logged: OperationResult;
  readonly affected: readonly WateringBody[];
  /** The first of them. */
  readonly event: WateringBody;
}

interface CurrentWaterings {
  readonly result: OperationResult;
  readonly waterings: readonly WateringAnswer[];
  /** Why one of them could not be read, if so. */
  readonly refusal: AcequiaError | null;
}

async function askAndEnter(
  conversation: Conversation,
  { logged, affected, event }: LoggedWaterings,
): Promise<OperationResult | UnansweredQuestion> {
  const readCurrent = () => readAgain(conversation, logged);
  const context = await conversation.summaryContext();

  let answer = await conversation.askPerson(await flowRateQuestion(event, conversation));
  if (answer instanceof UnansweredQuestion) {
    // A repeated call finds that the rate has been entered since, and needs no answer.
    const isOpen = !logged.isReplay || stillLacksFlowRate(affected, await readCurrent());
    if (isOpen) return answer;
    answer = null;
  }

  const flowMmPerH = parseFlowRate(answer, context.units);
  let current = await readCurrent();
  if (flowMmPerH === null) return current.result;

  let correction: OperationResult | AcequiaError | null = null;
  if (stillLacksFlowRate(affected, current)) {
    const versionId = event.configSnapshot?.installationId;
    correction = await conversation
      .run('correct_installation', { versionId, flowMmPerH })
      .catch(acequiaErrorOrThrow);
    current = await readCurrent();
  }

  const entered = correction instanceof AcequiaError ? null : correction;
  const obstacle = obstacleTo(flowMmPerH, event, correction, current);
  const argumentWords = conversation.argumentWords('correct_installation');
  const outcome = render(describeAnsweredRate(flowMmPerH, obstacle), { ...context, argumentWords });
  const answers = [current.result, outcome, ...(isNew(entered) ? [entered] : [])];
  return { ...current.result, ...joinAnswers(answers) };
}

async function flowRateQuestion(
  { configSnapshot, moduleId }: WateringBody,
  conversation: Conversation,
): Promise<Question> {
  const lang = await conversation.personLang();
  const { questions, usUnits } = languageOf(lang);
  const name = verbatim(await moduleName(await conversation.directory(), moduleId));
  const { units } = await conversation.summaryContext();
  const toFormText = (text: Text): string => formText(renderForAll(text, lang));
  const isOfParcel = configSnapshot?.scope === 'parcel';
  const { field, unit, maximum } =
    units === 'us'
      ? {
          field: 'flowInchesPerH',
          unit: `${usUnits.inches}/h`,
          maximum: Math.floor(mmToInches(MAX_FLOW_MM_PER_H)),
        }
      : { field: 'flowMmPerH', unit: 'mm/h', maximum: MAX_FLOW_MM_PER_H };

  return {
    name: field,
    message: toFormText(questions.flowRate({ name, isOfParcel, units })),
    schema: {
      type: 'number',
      title: toFormText(questions.flowRateTitle(verbatim(unit))),
      minimum: 0,
      maximum,
    },
  };
}

/** Waterings may have changed since they were logged, or no longer exist. */
async function readAgain(
  conversation: Conversation,
  logged: OperationResult,
): Promise<CurrentWaterings> {
  const found: OperationResult[] = [];
  let refusal: AcequiaError | null = null;

  for (const { event } of wateringsOf(logged.fullBody)) {
    const watering = await conversation
      .run('get_watering', { eventId: event.id })
      .catch(acequiaErrorOrThrow);
    if (!(watering instanceof AcequiaError)) found.push(watering);
    else if (watering.status === 404) refusal = watering;
    // Nothing is known of the others then: the answer stays as it was logged.
    else
      return {
        result: { ...logged, isReplay: false },
        waterings: wateringsOf(logged.fullBody),
        refusal: watering,
      };
  }

  const [first] = found;
  if (first === undefined) return { result: logged, waterings: [], refusal };

  const result = withCurrentWaterings(logged, first, found);
  return {
    result: { ...result, ...(await conversation.summarize(result)) },
    waterings: wateringsOf(result.fullBody),
    refusal,
  };
}

function stillLacksFlowRate(
  affected: readonly WateringBody[],
  { waterings }: CurrentWaterings,
): boolean {
  const isAffected = ({ event }: WateringAnswer): boolean =>
    affected.some(
      ({ id, configSnapshot }) => id === event.id && isOfSameVersion(event, configSnapshot),
    );

  return waterings.some((watering) => lacksFlowRate(watering) && isAffected(watering));
}

/** Why the rate is not in the equipment; null if it is. */
function obstacleTo(
  flowMmPerH: number,
  { id }: WateringBody,
  correction: OperationResult | AcequiaError | null,
  { waterings, refusal }: CurrentWaterings,
): Text | null {
  const isRefused = correction instanceof AcequiaError;
  if (!isRefused && isNew(correction)) return null;

  const watering = waterings.find(({ event }) => event.id === id);
  const storedMmPerH = watering?.event.configSnapshot?.flowMmPerH;
  if (storedMmPerH != null)
    return roundRate(storedMmPerH) === roundRate(flowMmPerH)
      ? null
      : describeOtherRate(storedMmPerH);

  // Another answer to the same question came first, and has been undone since.
  const isOtherAnswer = isRefused && correction.code === IDEMPOTENCY_KEY_REUSED;
  const reason = isRefused && !isOtherAnswer ? correction : refusal;
  return reason ? reason.texts.message : CHANGED_SINCE_QUESTION;
}

/** True of a correction that was made, and not made before. */
const isNew = (correction: OperationResult | null): correction is OperationResult =>
  correction !== null && !correction.isReplay;

function acequiaErrorOrThrow(error: unknown): AcequiaError {
  if (error instanceof AcequiaError) return error;
  throw error;
}
