import { roundRate } from '../../../domain/decimal.ts';
import { verbatim } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { mmToInches } from '../../../domain/units.ts';
import { languageOf } from '../../../language/index.ts';
import {
  CHANGED_SINCE_QUESTION,
  describeGivenRate,
  describeOtherRate,
} from '../../../language/irrigation/flow-rate-summary.ts';
import { summarizeParcelWatering } from '../../../language/irrigation/parcel-watering-summary.ts';
import { summarizeWatering } from '../../../language/irrigation/watering-summary.ts';
import { moduleName } from '../../../language/summary-context.ts';
import { render, renderForAll } from '../../../language/text/render.ts';
import { type AnswerText, joinAnswers } from '../../../language/text/rendered-text.ts';
import { summarizeResult } from '../../../operation/answer.ts';
import { argumentWordsOf } from '../../../operation/arguments/argument-words.ts';
import type { AnyOperation } from '../../../operation/operation.ts';
import type { OperationResult } from '../../../operation/operation-result.ts';
import {
  type Conversation,
  type FollowUp,
  formText,
  type PersonAnswer,
  type Question,
  UnansweredQuestion,
} from '../../../operation/question.ts';
import { IDEMPOTENCY_KEY_REUSED } from '../../../operation/replay/idempotency.ts';
import { AcequiaError } from '../../../schema/error.ts';
import { MAX_FLOW_MM_PER_H } from '../../../schema/irrigation/installation.ts';
import {
  parcelWateringAnswer,
  type WateringAnswer,
  type WateringBody,
} from '../../../schema/irrigation/watering.ts';
import {
  isOfSameVersion,
  lacksFlowRate,
  parseFlowRate,
  wateringsOf,
  wateringsWithoutFlowRate,
  withCurrentWaterings,
} from './waterings-without-flow-rate.ts';

interface FlowRateOperations {
  readonly correctInstallation: AnyOperation;
  readonly getWatering: AnyOperation;
}

/**
 * If the dose of a logged watering lacks only the application rate, the person is asked for it. The
 * answer is entered in the setup version that the watering was logged under, if that still lacks
 * it.
 */
export const askMissingFlowRate =
  (operations: FlowRateOperations): FollowUp<AnyOperation> =>
  async (logged, conversation) => {
    const affected = wateringsWithoutFlowRate(logged.fullBody);
    const [event] = affected;
    if (event === undefined) return logged;

    return new FlowRateQuestion(operations, conversation, { logged, affected, event }).ask();
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

class FlowRateQuestion {
  readonly #operations: FlowRateOperations;
  readonly #conversation: Conversation<AnyOperation>;
  readonly #logged: OperationResult;
  readonly #affected: readonly WateringBody[];
  readonly #event: WateringBody;

  constructor(
    operations: FlowRateOperations,
    conversation: Conversation<AnyOperation>,
    { logged, affected, event }: LoggedWaterings,
  ) {
    this.#operations = operations;
    this.#conversation = conversation;
    this.#logged = logged;
    this.#affected = affected;
    this.#event = event;
  }

  async ask(): Promise<OperationResult | UnansweredQuestion> {
    const context = await this.#conversation.summaryContext();
    const answer = await this.#answer();
    if (answer instanceof UnansweredQuestion) return answer;
    const flowMmPerH = parseFlowRate(answer, context.units);
    let current = await this.#readAgain();
    if (flowMmPerH === null) return current.result;

    let correction: OperationResult | AcequiaError | null = null;
    if (this.#stillLacksFlowRate(current)) {
      correction = await this.#enter(flowMmPerH);
      current = await this.#readAgain();
    }

    const entered = correction instanceof AcequiaError ? null : correction;
    const obstacle = this.#obstacleTo(flowMmPerH, correction, current);
    const argumentWords = argumentWordsOf(this.#operations.correctInstallation);
    const outcome = render(describeGivenRate(flowMmPerH, obstacle), { ...context, argumentWords });
    const answers = [current.result, outcome, ...(isNew(entered) ? [entered] : [])];
    return { ...current.result, ...joinAnswers(answers) };
  }

  async #answer(): Promise<PersonAnswer | UnansweredQuestion> {
    const answer = await this.#conversation.askPerson(await this.#question());
    if (!(answer instanceof UnansweredQuestion) || !this.#logged.isReplay) return answer;

    // A repeated call finds that the rate has been entered since, and needs no answer.
    return this.#stillLacksFlowRate(await this.#readAgain()) ? answer : null;
  }

  async #question(): Promise<Question> {
    const { configSnapshot, moduleId } = this.#event;
    const lang = await this.#conversation.personLang();
    const { questions, usUnits } = languageOf(lang);
    const name = verbatim(await moduleName(await this.#conversation.directory(), moduleId));
    const { units } = await this.#conversation.summaryContext();
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

  #enter(flowMmPerH: number): Promise<OperationResult | AcequiaError> {
    const versionId = this.#event.configSnapshot?.installationId;
    const { correctInstallation } = this.#operations;
    return this.#conversation
      .run(correctInstallation, { versionId, flowMmPerH })
      .catch(acequiaErrorOrThrow);
  }

  /** Waterings may have changed since they were logged, or no longer exist. */
  async #readAgain(): Promise<CurrentWaterings> {
    const logged = this.#logged;
    const found: OperationResult[] = [];
    let refusal: AcequiaError | null = null;

    for (const { event } of wateringsOf(logged.fullBody)) {
      const watering = await this.#conversation
        .run(this.#operations.getWatering, { eventId: event.id })
        .catch(acequiaErrorOrThrow);
      if (!(watering instanceof AcequiaError)) found.push(watering);
      else if (watering.status === 404) refusal = watering;
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
    const answerText = await this.#summarize(result);
    return {
      result: { ...result, ...answerText },
      waterings: wateringsOf(result.fullBody),
      refusal,
    };
  }

  async #summarize({ fullBody: body, advisories }: OperationResult): Promise<AnswerText> {
    const isOfParcel = parcelWateringAnswer.safeParse(body).success;
    const summary = isOfParcel ? summarizeParcelWatering : summarizeWatering;
    const context = await this.#conversation.summaryContext();

    return summarizeResult(
      { effect: 'create', summary },
      { body, input: {}, advisories, context },
      this.#conversation.report,
    );
  }

  #stillLacksFlowRate({ waterings }: CurrentWaterings): boolean {
    const isAffected = ({ event }: WateringAnswer): boolean =>
      this.#affected.some(
        ({ id, configSnapshot }) => id === event.id && isOfSameVersion(event, configSnapshot),
      );

    return waterings.some((watering) => lacksFlowRate(watering) && isAffected(watering));
  }

  /** Why the rate is not in the equipment; null if it is. */
  #obstacleTo(
    flowMmPerH: number,
    correction: OperationResult | AcequiaError | null,
    { waterings, refusal }: CurrentWaterings,
  ): Text | null {
    const isRefused = correction instanceof AcequiaError;
    if (!isRefused && isNew(correction)) return null;

    const watering = waterings.find(({ event }) => event.id === this.#event.id);
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
}

/** True of a correction that was made, and not made before. */
const isNew = (correction: OperationResult | null): correction is OperationResult =>
  correction !== null && !correction.isReplay;

function acequiaErrorOrThrow(error: unknown): AcequiaError {
  if (error instanceof AcequiaError) return error;
  throw error;
}
