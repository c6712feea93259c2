import { singleLine } from '../../domain/strings.ts';
import { MAX_SHORT_TEXT } from '../../domain/text/greatest-lengths.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say, sentences, verbatim } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { languageOf } from '../../language/index.ts';
import { renderForAll } from '../../language/text/render.ts';
import { saysYes } from '../../language/words/yes.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { OperationRequest, OperationRunner } from '../../operation/operation-runner.ts';
import {
  type AskPerson,
  DECLINED,
  formText,
  UnansweredQuestion,
} from '../../operation/question.ts';
import { CONFIRMATION_REQUIRED } from '../../operation/rest-conventions.ts';
import { AcequiaError } from '../../schema/error.ts';

const NOT_CONFIRMED = 'NOT_CONFIRMED';

type RawArguments = Readonly<Record<string, unknown>>;

/**
 * Only an operation that asks has the argument `confirm`, which a refusal names and no list has.
 */
export function splitConfirm({ tool }: AnyOperation, sentArguments: RawArguments) {
  if (!tool?.asksConfirmation) return { rawArguments: sentArguments, isConfirmed: false };
  const { confirm, ...rawArguments } = sentArguments;
  return { rawArguments, isConfirmed: isYes(confirm) };
}

interface WaysToConfirm {
  readonly askPerson: AskPerson | undefined;
  /** True if the assistant says that it has asked the person. */
  readonly isConfirmed: boolean;
  readonly mustBeConfirmed: boolean | undefined;
}

/** An operation that asks runs once the person confirms it, if they can be asked. */
export async function askConfirmation<T>(
  { name, tool }: AnyOperation,
  runner: Pick<OperationRunner, 'personLang'>,
  { askPerson, isConfirmed, mustBeConfirmed }: WaysToConfirm,
  run: (state: Pick<OperationRequest, 'needsConfirmation' | 'isConfirmed'>) => Promise<T>,
): Promise<T | UnansweredQuestion> {
  if (!tool?.asksConfirmation || !(askPerson || mustBeConfirmed)) return run({});
  if (!askPerson && isConfirmed) return run({ isConfirmed: true });

  try {
    return await run({ needsConfirmation: true });
  } catch (error) {
    if (!(error instanceof AcequiaError) || error.code !== CONFIRMATION_REQUIRED) throw error;
    if (!askPerson) throw unconfirmed(error, name);

    const title = languageOf(await runner.personLang()).questions.yes;
    const answer = await askPerson({
      name: 'confirm',
      message: error.message,
      schema: { type: 'boolean', title },
    });
    if (answer instanceof UnansweredQuestion) return answer;
    if (!isYes(answer)) throw notConfirmed(name);
    return run({ isConfirmed: true });
  }
}

/** Some clients send a ticked box as text. */
function isYes(answer: unknown): boolean {
  if (typeof answer === 'string' && answer.length > MAX_SHORT_TEXT) return false;
  const text = String(answer).trim();
  return /^(?:true|1)$/i.test(text) || saysYes(text);
}

const unconfirmed = ({ message }: AcequiaError, name: string): AcequiaError =>
  new AcequiaError({
    code: CONFIRMATION_REQUIRED,
    status: 409,
    message: say`Nothing was changed, because the person has to confirm this first and no form can be shown here. The question to them: ${verbatim(message)}`,
    hint: say`Ask them. If they confirm it, call ${operationName(name)} again with the same arguments and ${argument('confirm')}: true.`,
    field: 'confirm',
  });

const notConfirmed = (name: string): AcequiaError =>
  new AcequiaError({
    code: NOT_CONFIRMED,
    status: 409,
    message: say`The person was asked and did not confirm this, so nothing was changed.`,
    hint: say`Ask them what they want instead. If they do want it, call ${operationName(name)} again, and they are asked once more.`,
  });

/** A longer list is not offered to the person. */
const MAX_CANDIDATES = 20;

const MAX_QUESTIONS = 2;

/** Runs again with the choice of the person, once for each ambiguous name. */
export async function askAmbiguousNames<T>(
  rawArguments: RawArguments,
  runner: Pick<OperationRunner, 'personLang'>,
  ask: AskPerson | undefined,
  run: (chosenArguments: RawArguments) => Promise<T>,
): Promise<T | UnansweredQuestion> {
  let chosenArguments = rawArguments;
  for (let questionCount = 0; ; questionCount++) {
    try {
      return await run(chosenArguments);
    } catch (error) {
      if (!ask || questionCount === MAX_QUESTIONS || !isAskable(error)) throw error;
      const chosen = await askCandidate(error, chosenArguments, runner, ask);
      if (chosen instanceof UnansweredQuestion) return chosen;
      chosenArguments = { ...chosenArguments, ...chosen };
    }
  }
}

type AskableError = AcequiaError & { readonly field: string };

const isAskable = (error: unknown): error is AskableError =>
  error instanceof AcequiaError &&
  error.code === 'AMBIGUOUS_NAME' &&
  error.field !== undefined &&
  error.candidates.length > 0 &&
  error.candidates.length <= MAX_CANDIDATES;

/** Throws without a choice. */
async function askCandidate(
  error: AskableError,
  rawArguments: RawArguments,
  runner: Pick<OperationRunner, 'personLang'>,
  ask: AskPerson,
): Promise<RawArguments | UnansweredQuestion> {
  const { field, candidates } = error;
  const lang = await runner.personLang();
  const phrases = languageOf(lang).questions;
  const written = (text: Text): string => formText(renderForAll(text, lang));
  const labels = candidates.map(({ id, name, argument }) => {
    const label = `${name === null ? '' : `${singleLine(name)} `}(#${id})`;
    return argument === undefined ? label : written(phrases.wholeParcel(verbatim(label)));
  });

  const isParcel = field.toLowerCase().includes('parcel');
  const amount = sentAmount(rawArguments);
  const message = sentences([
    amount && phrases.logOnWhich(amount),
    phrases.whichOne(quotedName(String(rawArguments[field]))),
  ]);
  const answer = await ask({
    name: field,
    message: written(message),
    schema: { type: 'string', title: isParcel ? phrases.parcel : phrases.probe, enum: labels },
  });
  if (answer instanceof UnansweredQuestion) return answer;

  const chosen = candidates[labels.indexOf(String(answer))];
  if (chosen === undefined) throw answer === DECLINED ? notChosen(error) : error;
  // A parcel may be chosen for a name that was sent as that of a probe.
  return { [field]: undefined, [chosen.argument ?? field]: `#${chosen.id}` };
}

/** "30 min", as it was sent; null for a call that logs no watering. */
function sentAmount({
  startedAt,
  durationMin,
  inputDepthMm,
  inputVolumeM3,
}: RawArguments): Name | null {
  if (startedAt === undefined) return null;

  const amounts = [
    [durationMin, 'min'],
    [inputDepthMm, 'mm'],
    [inputVolumeM3, 'm3'],
  ] as const;
  const sent = amounts.find(([value]) => typeof value === 'number' || typeof value === 'string');
  if (sent === undefined) return null;
  const [value, unit] = sent;
  return verbatim(/^[\d.,]+$/.test(String(value)) ? `${value} ${unit}` : singleLine(String(value)));
}

const notChosen = ({ texts: { message, hint }, field }: AskableError): AcequiaError =>
  new AcequiaError({
    code: NOT_CONFIRMED,
    status: 409,
    message: say`The person was asked which one is meant and chose none, so nothing was written. ${message}`,
    hint,
    field,
  });
