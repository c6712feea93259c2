import { languageOf } from '../language/index.ts';
import { formatNumber } from '../language/number-format.ts';
import { moduleName } from '../language/summary-context.ts';
import { quote, singleLine } from '../language/text.ts';
import { CONFIRMATION_REQUIRED } from '../operation/confirmation.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationResult, Performer } from '../operation/performer.ts';
import { AcequiaError } from '../schema/error.ts';
import { MAX_FLOW_MM_PER_H } from '../schema/installation.ts';
import { parcelWateringAnswer, type WateringAnswer, type WateringBody, wateringAnswer } from '../schema/watering.ts';
import { conciseParcelAnswer } from '../service/irrigation/watering-log.ts';
import type { AskPerson } from './elicitation.ts';

interface FlowRateContext {
  readonly performer: Pick<Performer, 'lang' | 'personLang' | 'directory'>;
  readonly askPerson: AskPerson;
  readonly perform: (operation: AnyOperation, fields: Record<string, unknown>) => Promise<OperationResult>;
}

/** The answer is entered in the setup version that the watering was logged under. */
export async function askMissingFlowRate(
  logged: OperationResult,
  { correctInstallation, getWatering }: NonNullable<AnyOperation['asksFlowRate']>,
  { performer, askPerson, perform }: FlowRateContext,
): Promise<OperationResult> {
  const events = logged.isReplay ? [] : wateringsWithoutFlowRate(logged.fullBody);
  const [event] = events;
  if (event === undefined) return logged;
  const question = languageOf(await performer.personLang()).questions;
  const { installationId, scope } = event.configSnapshot!;
  const name = await moduleName(await performer.directory(), event.moduleId);
  const answer = await askPerson({
    name: 'flowMmPerH',
    message: question.flowRate({ name, isOfParcel: scope === 'parcel' }),
    schema: { type: 'number', title: question.flowRateTitle, minimum: 0, maximum: MAX_FLOW_MM_PER_H },
  });
  const flowMmPerH = parseFlowRate(answer);
  if (flowMmPerH === null) return logged;
  const flow = formatNumber(flowMmPerH, performer.lang);
  const words = languageOf(performer.lang).questions;
  try {
    const corrected = await perform(correctInstallation, { versionId: installationId, flowMmPerH });
    const summary = `${words.flowRateGiven(flow)} ${corrected.summary}`;
    const completed: OperationResult[] = [];
    for (const { id: eventId } of events) completed.push(await perform(getWatering, { eventId }));
    const [first] = completed as [OperationResult];
    // Of a parcel, the summary of the correction counts the doses that it completed.
    const described = wateringsOf(logged.fullBody).length > 1 ? logged.summary : first.summary;
    return { ...withCompletedDoses(logged, completed), summary: `${described} ${summary}` };
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    return { ...logged, summary: `${logged.summary} ${words.flowRateNotEntered(flow, error.message)}` };
  }
}

const wateringsOf = (body: unknown): readonly WateringAnswer[] =>
  parcelWateringAnswer.safeParse(body).data?.waterings ?? [wateringAnswer.safeParse(body).data ?? []].flat();

/** Of the first setup without a flow rate. */
function wateringsWithoutFlowRate(body: unknown): WateringBody[] {
  const without = wateringsOf(body).flatMap(({ event, warnings }) =>
    warnings.includes('MISSING_FLOW_RATE') && event.status !== 'skipped' ? [event] : [],
  );
  const installationOf = ({ configSnapshot }: WateringBody) => configSnapshot?.installationId;
  return without.filter(
    (event) => installationOf(event) != null && installationOf(event) === installationOf(without[0]!),
  );
}

function withCompletedDoses(logged: OperationResult, completed: readonly OperationResult[]): OperationResult {
  const parcel = parcelWateringAnswer.safeParse(logged.fullBody).data;
  const isFull = logged.body === logged.fullBody;
  if (parcel === undefined) {
    const { fullBody, body } = completed[0]!;
    return { ...logged, fullBody, body: isFull ? fullBody : body };
  }
  const answers = new Map(
    completed.flatMap(({ fullBody }) => wateringsOf(fullBody)).map((each) => [each.event.id, each]),
  );
  const waterings = parcel.waterings.map((each) => answers.get(each.event.id) ?? each);
  const fullBody = { ...parcel, waterings };
  return { ...logged, fullBody, body: isFull ? fullBody : conciseParcelAnswer(fullBody) };
}

/** Some clients send typed numbers as text. */
function parseFlowRate(answer: unknown): number | null {
  const typed = typeof answer === 'string' && answer.trim() !== '' ? Number(answer.trim().replace(',', '.')) : answer;
  return typeof typed === 'number' && typed > 0 && typed <= MAX_FLOW_MM_PER_H ? typed : null;
}

/** What destroys is done once the person confirms it, if they can be asked. */
export async function askConfirmation<T>(
  { name, asksConfirmation }: AnyOperation,
  performer: Pick<Performer, 'personLang'>,
  ask: AskPerson | undefined,
  perform: (needsConfirmation: boolean) => Promise<T>,
): Promise<T> {
  if (!ask || !asksConfirmation) return perform(false);
  try {
    return await perform(true);
  } catch (error) {
    if (!(error instanceof AcequiaError) || error.code !== CONFIRMATION_REQUIRED) throw error;
    const title = languageOf(await performer.personLang()).questions.yes;
    const answer = await ask({ name: 'confirm', message: error.message, schema: { type: 'boolean', title } });
    if (!isYes(answer)) throw notConfirmed(name);
    return perform(false);
  }
}

/** Some clients send a ticked box as text. */
const isYes = (answer: unknown): boolean => /^(?:true|yes|oui|s[ií]|1)$/i.test(String(answer).trim());

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
  performer: Pick<Performer, 'personLang'>,
  ask: AskPerson | undefined,
  perform: (chosenArguments: RawArguments) => Promise<T>,
): Promise<T> {
  let chosenArguments = rawArguments;
  for (let questionCount = 0; ; questionCount++) {
    try {
      return await perform(chosenArguments);
    } catch (error) {
      const chosen =
        ask && questionCount < MAX_QUESTIONS ? await askCandidate(error, chosenArguments, performer, ask) : null;
      if (chosen === null) throw error;
      chosenArguments = { ...chosenArguments, ...chosen };
    }
  }
}

async function askCandidate(
  error: unknown,
  rawArguments: RawArguments,
  performer: Pick<Performer, 'personLang'>,
  ask: AskPerson,
): Promise<RawArguments | null> {
  if (!(error instanceof AcequiaError) || error.code !== 'AMBIGUOUS_NAME' || error.field === undefined) return null;
  const { field, candidates } = error;
  if (candidates.length === 0 || candidates.length > MAX_CANDIDATES) return null;
  const words = languageOf(await performer.personLang()).questions;
  const labels = candidates.map(({ id, name, argument }) => {
    const label = `${name === null ? '' : `${singleLine(name)} `}(#${id})`;
    return argument === undefined ? label : words.wholeParcel(label);
  });
  const answer = await ask({
    name: field,
    message: languageOf(await performer.personLang()).questions.whichOne(quote(String(rawArguments[field]))),
    schema: { type: 'string', title: field, enum: labels },
  });
  const chosen = candidates[labels.indexOf(String(answer))];
  return chosen === undefined ? null : { [field]: undefined, [chosen.argument ?? field]: `#${chosen.id}` };
}
