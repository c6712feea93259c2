import { withoutNulls } from '../../domain/items.ts';
import { capitalize, nameInSentence } from '../../domain/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { WateringAnswer } from '../../schema/irrigation/watering.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatAmount, formatAmountOrNull, formatMinutes } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { argumentWords } from '../spoken-refusal.ts';
import { moduleName, type SummaryContext, type WordingContext } from '../summary-context.ts';
import { formatInstant, formatMove } from '../time.ts';
import { wateringPhrases } from './watering-phrases.ts';
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
  advisories: readonly Advisory[],
): Promise<string> {
  const { event } = answer;
  const { corrected, correction } = wateringPhrases;
  const changes = advisories.find(isWateringChanges);
  // A remote service of another version may not send the changes.
  if (changes === undefined) return summarizeAnswer(answer, context, corrected(event.status));

  const name = await moduleName(context.directory, event.moduleId);
  const parts = describeParts(changes, context);
  const heading = correction.heading(name, describeTime(event, context));
  const sentence = correction.sentence(heading, parts.length === 0 ? [correction.nothing] : parts);
  const concernsRemarksOnly = parts.length > 0 && parts.length === changes.remarks.length;
  if (concernsRemarksOnly) return sentence;
  if (event.status === 'skipped') {
    const restoring = Date.parse(event.startedAt) > context.now ? 'planned' : 'done';
    return changes.status === null
      ? `${sentence} ${correction.stillCancelled(restoring)}`
      : sentence;
  }

  const isDoseUnchanged = changes.dose === null && event.waterMm !== null;
  const warnings = isDoseUnchanged ? [] : describeWarnings(answer, name);

  return joinSentences([
    sentence,
    isDoseUnchanged ? correction.dose(describeDose(event)) : null,
    ...describeOtherEquipment(changes),
    ...warnings,
  ]);
}

const isWateringChanges = (advisory: Advisory): advisory is WateringChanges =>
  advisory.kind === 'watering_corrected';

/** Serves answers whose body already shows the watering itself. */
export function describeWateringChanges(changes: WateringChanges, context: WordingContext): string {
  const { nothing } = wateringPhrases.correction;
  const parts = describeParts(changes, context);
  const sentence = `${capitalize(parts.length === 0 ? nothing : parts.join('; '))}.`;
  return joinSentences([sentence, ...describeOtherEquipment(changes)]);
}

const describeOtherEquipment = ({ isOtherEquipment }: WateringChanges): string[] =>
  isOtherEquipment ? [wateringPhrases.correction.otherEquipment] : [];

function describeParts(changes: WateringChanges, context: WordingContext): string[] {
  const { start, amount, remarks } = changes;
  const { correction } = wateringPhrases;
  return withoutNulls([
    ...describeStatus(changes),
    start === null ? null : correction.moved(formatMove(start, context)),
    amount === null
      ? null
      : correction.replaced(formatEnteredAmount(amount.to), formatEnteredAmount(amount.from)),
    ...describeRunTime(changes),
    ...describeDoseChange(changes),
    ...remarks.map(({ field, change }) => correction.remark(argumentWords(field), change)),
  ]);
}

function describeStatus({ status, isConfirmed }: WateringChanges): string[] {
  const { correction } = wateringPhrases;
  if (status === null) return isConfirmed ? [correction.confirmed] : [];
  const { from, to } = status;
  if (to === 'skipped') return [correction.cancelled];
  if (to === 'planned') return [correction.plannedAgain(from === 'done')];
  return [from === 'planned' ? correction.confirmed : correction.countsAgain];
}

/** Says the run time only beside a depth or a volume: an amount of minutes is the run time. */
function describeRunTime({ amount, durationMin }: WateringChanges): string[] {
  if (durationMin === null || amount?.from.mode === 'duration' || amount?.to.mode === 'duration')
    return [];
  const { runTime, noRunTime } = wateringPhrases.correction;
  return [durationMin.to === null ? noRunTime : runTime(formatMinutes(durationMin.to))];
}

/** Leaves out the dose where the person entered it as the amount. */
function describeDoseChange({ amount, dose }: WateringChanges): string[] {
  if (dose === null) return [];

  const { from, to } = dose;
  const { correction } = wateringPhrases;
  const isEntered = amount?.to.mode === 'depth_mm';

  return withoutNulls([
    isEntered || from.waterMm === to.waterMm
      ? null
      : correction.doseReplaced(formatAmountOrNull(to.waterMm), formatAmountOrNull(from.waterMm)),
    to.waterMmWetted === null || from.waterMmWetted === to.waterMmWetted
      ? null
      : correction.wetted(formatAmount(to.waterMmWetted)),
  ]);
}

export function describeOtherProbes(
  { waterings, others }: Extract<Advisory, { kind: 'other_probes_unchanged' }>,
  context: WordingContext,
): string {
  const { otherProbes } = wateringPhrases;

  const rows = waterings.map(({ id, probe, amount, startedAt, durationMin, status, waterMm }) => {
    const parts: string[] = [];
    if (amount !== null) parts.push(formatEnteredAmount(amount));
    if (startedAt !== null) parts.push(formatInstant(startedAt, context));
    if (durationMin !== null) parts.push(formatMinutes(durationMin));
    if (status !== null) parts.push(status);
    if (waterMm !== null) parts.push(`${formatAmount(waterMm)} mm`);

    return otherProbes.row(id, nameInSentence(probe), parts.join(', '));
  });

  if (others > 0) rows.push(otherProbes.more(others));
  return otherProbes.sentence(englishFormat.list(rows));
}
