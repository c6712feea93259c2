import { type Amount, amountOfFields, type InputMode } from '../../domain/irrigation/watering-amount.ts';
import type { Lang } from '../../domain/lang.ts';
import type { WateringAnswer, WateringBody } from '../../schema/watering.ts';
import { languageOf } from '../index.ts';
import { formatAmount, formatPrecise } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleName } from '../summary-context.ts';
import { formatInstant, formatTimeSpan } from '../time.ts';
import type { WateringFacts, WateringPhrases } from './irrigation-phrases.ts';

export const wateringPhrases = ({ lang }: Pick<SummaryContext, 'lang'>): WateringPhrases => languageOf(lang).watering;

/** A system of irrigation in a word or two. */
export const describeSystem = (system: string, context: Pick<SummaryContext, 'lang'>): string =>
  wateringPhrases(context).system(system);

const AMOUNT_UNITS: Record<InputMode, string> = { duration: 'min', depth_mm: 'mm', volume_m3: 'm3' };

export const formatEnteredAmount = ({ mode, value }: Amount, lang: Lang): string =>
  `${formatPrecise(value, lang)} ${AMOUNT_UNITS[mode]}`;

function describeAmount(event: WateringBody, context: SummaryContext): string {
  const { amountOfSystem } = wateringPhrases(context);
  const code = event.configSnapshot?.system;
  const system = code ? describeSystem(code, context) : null;
  return amountOfSystem(formatEnteredAmount(amountOfFields(event), context.lang), system);
}

function describeTime({ startedAt, endedAt }: WateringBody, { now, zone, lang }: SummaryContext): string {
  return `${formatTimeSpan(Date.parse(startedAt), endedAt === null ? null : Date.parse(endedAt), zone, now, lang)} (${zone})`;
}

export function describeDose({ waterMm, waterMmWetted }: WateringBody, context: Pick<SummaryContext, 'lang'>): string {
  const { dose, noDose } = wateringPhrases(context);
  if (waterMm === null) return noDose;
  return dose(
    formatAmount(waterMm, context.lang),
    waterMmWetted === null ? null : formatAmount(waterMmWetted, context.lang),
  );
}

function describeWarnings({ event, warnings }: WateringAnswer, name: string, context: SummaryContext): string[] {
  const { system, fractionWetted } = event.configSnapshot ?? {};
  const facts = {
    name,
    isPartial: event.waterMm !== null,
    system: system ? describeSystem(system, context) : '',
    fractionWetted: fractionWetted == null ? '' : formatPrecise(fractionWetted, context.lang),
  };
  return warnings.map((warning) => wateringPhrases(context).warnings[warning](facts));
}

/** What was written in one sentence of `sentence`, and what a person should hear beside it. */
async function summarizeAnswer(
  answer: WateringAnswer,
  context: SummaryContext,
  sentence: (watering: WateringFacts) => string,
): Promise<string> {
  const { event } = answer;
  const name = await moduleName(context.directory, event.moduleId);
  const facts = {
    amount: describeAmount(event, context),
    name,
    when: describeTime(event, context),
    dose: describeDose(event, context),
  };
  return [sentence(facts), ...describeWarnings(answer, name, context)].join(' ');
}

/** What was written, fit to be read aloud. */
export const summarizeWatering = (answer: WateringAnswer, context: SummaryContext): Promise<string> =>
  summarizeAnswer(answer, context, (facts) => wateringPhrases(context).logged(facts, answer.event.status));

/** The correction of a watering, with its state. */
export const summarizeWateringCorrection = (answer: WateringAnswer, context: SummaryContext): Promise<string> =>
  summarizeAnswer(answer, context, (facts) =>
    wateringPhrases(context).corrected(facts, answer.event.status, answer.event.id),
  );

/** A page of the book: how many there are, the newest, and how to read on. */
export async function summarizeWaterings(
  page: { data: WateringBody[]; next_cursor: string | null },
  context: SummaryContext,
): Promise<string> {
  const words = wateringPhrases(context);
  const newest = page.data[0];
  if (!newest) return words.noMatch;
  const name = await moduleName(context.directory, newest.moduleId);
  const when = `${formatInstant(Date.parse(newest.startedAt), context.zone, context.now, context.lang)} (${context.zone})`;
  const sentence = words.page(page.data.length, {
    when,
    name,
    dose: describeDose(newest, context),
    status: newest.status,
  });
  return sentence;
}

/** What completing the doses of a probe has come to. */
export async function summarizeDoseRecompute(
  {
    completed,
    missingDoses: { count },
    byReason,
  }: { completed: number; missingDoses: { count: number }; byReason: Record<string, number | undefined> },
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const name = await moduleName(context.directory, moduleId);
  const reasons = Object.entries(byReason).map(([reason, each]) => [reason, each ?? 0] as const);
  return wateringPhrases(context).recomputeResult(name, completed, count, reasons);
}
