import { type Amount, amountOfFields, amountSymbol } from '../../domain/irrigation/watering-amount.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  listsPastAlone,
  type WateringAnswer,
  type WateringBody,
  type WateringListOrder,
} from '../../schema/watering.ts';
import { languageOf } from '../index.ts';
import { formatAmount, formatAmountOrNull, formatMinutes, formatPrecise, formatRate } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTimeSpan, formatTimeWithZone } from '../time.ts';

export const describeSystem = (system: string, context: Pick<SummaryContext, 'lang'>): string =>
  languageOf(context.lang).watering.system(system);

export const formatEnteredAmount = ({ mode, value }: Amount, lang: Lang): string =>
  mode === 'duration' ? formatMinutes(value) : `${formatPrecise(value, lang)} ${amountSymbol(mode)}`;

function describeAmount(event: WateringBody, context: SummaryContext): string {
  const { amountOfSystem } = languageOf(context.lang).watering;
  const code = event.configSnapshot?.system;
  const system = code ? describeSystem(code, context) : null;
  return amountOfSystem(formatEnteredAmount(amountOfFields(event), context.lang), system);
}

export function describeTime({ startedAt, endedAt }: WateringBody, context: SummaryContext): string {
  const end = endedAt === null ? null : Date.parse(endedAt);
  return `${formatTimeSpan(Date.parse(startedAt), end, context)} (${context.zone})`;
}

export function describeDose({ waterMm, waterMmWetted }: WateringBody, context: Pick<SummaryContext, 'lang'>): string {
  const { dose, noDose } = languageOf(context.lang).watering;
  if (waterMm === null) return noDose;
  return dose(formatAmount(waterMm, context.lang), formatAmountOrNull(waterMmWetted, context.lang));
}

export function describeWarnings({ event, warnings }: WateringAnswer, name: string, context: SummaryContext): string[] {
  const { system, fractionWetted } = event.configSnapshot ?? {};
  const facts = {
    name,
    isPartial: event.waterMm !== null,
    system: system ? describeSystem(system, context) : '',
    fractionWetted: fractionWetted == null ? '' : formatRate(fractionWetted, context.lang),
  };
  return warnings.map((warning) => languageOf(context.lang).watering.warnings[warning](facts));
}

export async function summarizeAnswer(
  answer: WateringAnswer,
  context: SummaryContext,
  beginning: string,
): Promise<string> {
  const { event } = answer;
  const name = await moduleName(context.directory, event.moduleId);
  const [amount, when] = [describeAmount(event, context), describeTime(event, context)];
  const details = languageOf(context.lang).watering.details(amount, name, when, describeDose(event, context));
  return [beginning, details, ...describeWarnings(answer, name, context)].join(' ');
}

export const summarizeWatering = (answer: WateringAnswer, context: SummaryContext): Promise<string> =>
  summarizeAnswer(answer, context, languageOf(context.lang).watering.logged[answer.event.status]);

export async function summarizeWaterings(
  page: { data: WateringBody[]; next_cursor: string | null },
  context: SummaryContext,
  filter: WateringListOrder,
): Promise<string> {
  const phrases = languageOf(context.lang).watering;
  const first = page.data[0];
  if (!first) return listsPastAlone(filter) ? phrases.noPast : phrases.noMatch;
  const name = await moduleName(context.directory, first.moduleId);
  const when = formatTimeWithZone(first.startedAt, context);
  const isAhead = filter.order === 'past_first' && Date.parse(first.startedAt) > context.now;
  return phrases.page(page.data.length, isAhead, when, name, describeDose(first, context), first.status);
}

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
  return languageOf(context.lang).watering.recomputeResult(name, completed, count, reasons);
}
