import { capitalize } from '../../domain/text.ts';
import type { Advisory, AdvisoryOrText } from '../../schema/advisory.ts';
import type { WateringAnswer } from '../../schema/irrigation/watering.ts';
import { languageOf } from '../index.ts';
import { formatAmountOrNull, formatMinutes } from '../number-format.ts';
import { moduleName, type SummaryContext, type WordingContext } from '../summary-context.ts';
import { formatMove } from '../time.ts';
import {
  describeDose,
  describeTime,
  describeWarnings,
  formatEnteredAmount,
  summarizeAnswer,
} from './watering-summary.ts';

type WateringChanges = Extract<Advisory, { kind: 'watering_corrected' }>;

export async function summarizeWateringCorrection(
  answer: WateringAnswer,
  context: SummaryContext,
  _: unknown,
  advisories: readonly AdvisoryOrText[],
): Promise<string> {
  const { event } = answer;
  const { corrected, correction } = languageOf(context.lang).watering;
  const changes = advisories.find(isWateringChanges);
  // A remote service of another version may not send the changes.
  if (changes === undefined)
    return summarizeAnswer(answer, context, corrected(event.status, event.id));

  const name = await moduleName(context.directory, event.moduleId);
  const parts = describeParts(changes, context);
  const heading = correction.heading(event.id, name, describeTime(event, context));
  const sentence = correction.sentence(heading, parts.length === 0 ? [correction.nothing] : parts);
  const concernsNoteOnly = changes.note !== null && parts.length === 1;
  if (concernsNoteOnly) return sentence;
  if (event.status === 'skipped') {
    const restoring = Date.parse(event.startedAt) > context.now ? 'planned' : 'done';
    return changes.status === null
      ? `${sentence} ${correction.stillCancelled(restoring)}`
      : sentence;
  }

  return [
    sentence,
    ...(changes.dose === null && event.waterMm !== null
      ? [correction.dose(describeDose(event, context))]
      : []),
    ...describeOtherEquipment(changes, context),
    ...(changes.dose !== null || event.waterMm === null
      ? describeWarnings(answer, name, context)
      : []),
  ].join(' ');
}

const isWateringChanges = (advisory: AdvisoryOrText): advisory is WateringChanges =>
  typeof advisory !== 'string' && advisory.kind === 'watering_corrected';

/** For answers whose body already shows the watering itself. */
export function describeWateringChanges(changes: WateringChanges, context: WordingContext): string {
  const { nothing } = languageOf(context.lang).watering.correction;
  const parts = describeParts(changes, context);
  const sentence = `${capitalize(parts.length === 0 ? nothing : parts.join('; '))}.`;
  return [sentence, ...describeOtherEquipment(changes, context)].join(' ');
}

const describeOtherEquipment = (
  { isOtherEquipment }: WateringChanges,
  { lang }: WordingContext,
): string[] => (isOtherEquipment ? [languageOf(lang).watering.correction.otherEquipment] : []);

function describeParts(changes: WateringChanges, context: WordingContext): string[] {
  const { start, amount, note } = changes;
  const { correction } = languageOf(context.lang).watering;
  return [
    ...describeStatus(changes, context),
    ...(start === null ? [] : [correction.moved(formatMove(start, context))]),
    ...(amount === null
      ? []
      : [
          correction.replaced(
            formatEnteredAmount(amount.to, context.lang),
            formatEnteredAmount(amount.from, context.lang),
          ),
        ]),
    ...describeRunTime(changes, context),
    ...describeDoseChange(changes, context),
    ...(note === null ? [] : [correction.note[note]]),
  ];
}

function describeStatus(
  { status, isConfirmed }: WateringChanges,
  { lang }: WordingContext,
): string[] {
  const { correction } = languageOf(lang).watering;
  if (status === null) return isConfirmed ? [correction.confirmed] : [];
  const { from, to } = status;
  if (to === 'skipped') return [from === 'planned' ? correction.cancelled : correction.takenBack];
  if (to === 'planned') return [correction.plannedAgain(from === 'done')];
  return [from === 'planned' ? correction.confirmed : correction.countsAgain];
}

/** Only beside a depth or a volume, because an amount of minutes is the run time. */
function describeRunTime(
  { amount, durationMin }: WateringChanges,
  { lang }: WordingContext,
): string[] {
  if (durationMin === null || amount?.from.mode === 'duration' || amount?.to.mode === 'duration')
    return [];
  const { runTime, noRunTime } = languageOf(lang).watering.correction;
  return [durationMin.to === null ? noRunTime : runTime(formatMinutes(durationMin.to))];
}

/** Leaves out the dose where the person entered it as the amount. */
function describeDoseChange({ amount, dose }: WateringChanges, { lang }: WordingContext): string[] {
  if (dose === null) return [];

  const { from, to } = dose;
  const { correction } = languageOf(lang).watering;
  const isEntered = amount?.to.mode === 'depth_mm';

  return [
    ...(isEntered || from.waterMm === to.waterMm
      ? []
      : [
          correction.doseReplaced(
            formatAmountOrNull(to.waterMm, lang),
            formatAmountOrNull(from.waterMm, lang),
          ),
        ]),
    ...(to.waterMmWetted === null || from.waterMmWetted === to.waterMmWetted
      ? []
      : [correction.wetted(formatAmountOrNull(to.waterMmWetted, lang)!)]),
  ];
}
