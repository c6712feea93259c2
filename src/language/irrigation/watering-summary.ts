import { groupBy } from '../../domain/groups.ts';
import {
  type Amount,
  amountOfFields,
  amountSymbol,
} from '../../domain/irrigation/watering-amount.ts';
import type { Lang } from '../../domain/lang.ts';
import type { WateringPreviewBody } from '../../schema/advice/farm-page.ts';
import {
  listsPastAlone,
  type ParcelWateringAnswer,
  type WateringAnswer,
  type WateringBody,
  type WateringListOrder,
  type WateringTotalsBody,
} from '../../schema/irrigation/watering.ts';
import { languageOf } from '../index.ts';
import {
  formatAmount,
  formatAmountOrNull,
  formatMinutes,
  formatPrecise,
  formatRate,
} from '../number-format.ts';
import { moduleName, parcelName, type SummaryContext } from '../summary-context.ts';
import { formatTimeSpan, formatTimeWithZone } from '../time.ts';
import { describeRainBeside } from '../weather/rain-summary.ts';

export const describeSystem = (system: string, context: Pick<SummaryContext, 'lang'>): string =>
  languageOf(context.lang).watering.system(system);

export const formatEnteredAmount = ({ mode, value }: Amount, lang: Lang): string =>
  mode === 'duration'
    ? formatMinutes(value)
    : `${formatPrecise(value, lang)} ${amountSymbol(mode)}`;

function describeAmount(event: WateringBody, context: SummaryContext): string {
  const { amountOfSystem } = languageOf(context.lang).watering;
  const code = event.configSnapshot?.system;
  const system = code ? describeSystem(code, context) : null;
  return amountOfSystem(formatEnteredAmount(amountOfFields(event), context.lang), system);
}

export function describeTime(
  { startedAt, endedAt }: WateringBody,
  context: SummaryContext,
): string {
  const end = endedAt === null ? null : Date.parse(endedAt);
  return `${formatTimeSpan(Date.parse(startedAt), end, context)} (${context.zone})`;
}

export function describeDose(
  { waterMm, waterMmWetted }: Pick<WateringBody, 'waterMm' | 'waterMmWetted'>,
  context: Pick<SummaryContext, 'lang'>,
): string {
  const { dose, noDose } = languageOf(context.lang).watering;
  if (waterMm === null) return noDose;
  return dose(formatAmount(waterMm, context.lang), formatAmountOrNull(waterMmWetted, context.lang));
}

export function describeWarnings(
  { event, warnings }: WateringAnswer,
  name: string,
  context: SummaryContext,
  { parcel = null, isParcel = false }: { parcel?: string | null; isParcel?: boolean } = {},
): string[] {
  const { system, fractionWetted } = event.configSnapshot ?? {};
  const facts = {
    name,
    parcel,
    isParcel,
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
  const details = languageOf(context.lang).watering.details(
    amount,
    name,
    when,
    describeDose(event, context),
  );

  return [beginning, details, ...describeWarnings(answer, name, context)].join(' ');
}

export const summarizeWatering = (
  answer: WateringAnswer,
  context: SummaryContext,
): Promise<string> =>
  summarizeAnswer(answer, context, languageOf(context.lang).watering.logged[answer.event.status]);

export async function summarizeParcelWatering(
  answer: ParcelWateringAnswer,
  context: SummaryContext,
): Promise<string> {
  const { parcelId, waterings } = answer;
  const { event } = waterings[0]!;
  const { watering: phrases } = languageOf(context.lang);
  const parcel = await parcelName(context.directory, parcelId, context.lang);
  const names = new Map<number, string>();
  for (const each of waterings)
    names.set(each.event.moduleId, await moduleName(context.directory, each.event.moduleId));
  const details = phrases.parcelDetails({
    amount: describeParcelAmount(waterings, context),
    probes: waterings.length,
    parcel,
    when: describeTime(event, context),
    doses: describeDoses(waterings, names, context),
  });

  return [
    phrases.logged[event.status],
    details,
    ...describeParcelWarnings(waterings, parcel, names, context),
  ].join(' ');
}

function describeParcelAmount(
  waterings: readonly WateringAnswer[],
  context: SummaryContext,
): string {
  const { watering: phrases, format } = languageOf(context.lang);
  const events = waterings.map(({ event }) => event);
  const [first] = events as [WateringBody];
  const systems = new Set(events.map((each) => each.configSnapshot?.system));
  const code = systems.size === 1 ? first.configSnapshot?.system : null;
  const amount = phrases.amountOfSystem(
    formatEnteredAmount(amountOfFields(first), context.lang),
    code ? describeSystem(code, context) : null,
  );
  if (first.inputMode !== 'volume_m3') return amount;

  const areaM2 = events
    .map((each) => each.configSnapshot?.irrigatedAreaM2)
    .find((area) => area != null);

  return phrases.forWholeParcel(amount, areaM2 == null ? null : format.number(Math.round(areaM2)));
}

export function summarizeWateringPreview(
  { waterings }: Pick<WateringPreviewBody, 'waterings'>,
  { lang }: Pick<SummaryContext, 'lang'>,
): string {
  const { watering: phrases, core } = languageOf(lang);
  const doses = waterings.flatMap(({ waterMm }) => waterMm ?? []).sort((a, b) => a - b);
  const [least, most] = [doses[0], doses.at(-1)];
  if (
    least === undefined ||
    most === undefined ||
    doses.length < waterings.length ||
    least === most
  )
    return phrases.preview(describeDose(waterings[0]!, { lang }));

  return phrases.preview(`${core.range(formatAmount(least, lang), formatAmount(most, lang))} mm`);
}

const MAX_LISTED_DOSES = 4;
const MAX_LISTED_PROBES = 3;

function listProbes(
  rows: readonly WateringAnswer[],
  names: ReadonlyMap<number, string>,
  { lang }: SummaryContext,
) {
  const { watering: phrases, format } = languageOf(lang);
  // One more name is as short as its count.
  const listed = rows.length === MAX_LISTED_PROBES + 1 ? rows : rows.slice(0, MAX_LISTED_PROBES);
  const others = rows.length - listed.length;
  return format.list([
    ...listed.map(({ event }) => names.get(event.moduleId)!),
    ...(others > 0 ? [phrases.moreProbes(others)] : []),
  ]);
}

/** The most frequent doses first. */
function describeDoses(
  waterings: readonly WateringAnswer[],
  names: ReadonlyMap<number, string>,
  context: SummaryContext,
): string {
  const { watering: phrases } = languageOf(context.lang);
  const byDose = groupBy(waterings, ({ event }) => describeDose(event, context));
  const groups = [...byDose.values()].sort((a, b) => b.length - a.length);
  const dose = describeDose(groups[0]![0]!.event, context);
  if (groups.length === 1)
    return waterings.length > 1 && waterings[0]!.event.waterMm !== null ? phrases.each(dose) : dose;

  const listed = groups.slice(0, MAX_LISTED_DOSES);
  const others = groups.slice(MAX_LISTED_DOSES).flat();
  const doses = others.flatMap(({ event }) => event.waterMm ?? []);
  const sentences = listed.map((rows) =>
    phrases.doseOn(describeDose(rows[0]!.event, context), listProbes(rows, names, context)),
  );

  if (others.length > 0)
    sentences.push(
      phrases.otherDoses(
        others.length,
        formatAmount(Math.min(...doses), context.lang),
        formatAmount(Math.max(...doses), context.lang),
      ),
    );

  return phrases.differentDoses(sentences);
}

/** A warning that concerns every probe names the parcel in their place. */
function describeParcelWarnings(
  waterings: readonly WateringAnswer[],
  parcel: string,
  names: ReadonlyMap<number, string>,
  context: SummaryContext,
): string[] {
  const single = waterings.flatMap(({ event, warnings }) =>
    warnings.map((each) => ({ event, warnings: [each] })),
  );
  const byWarnings = groupBy(single, (each) =>
    describeWarnings(each, '', context, { parcel }).join(),
  );

  return [...byWarnings.values()].flatMap((rows) => {
    const isParcel = rows.length === waterings.length;
    return describeWarnings(
      rows[0]!,
      isParcel ? parcel : listProbes(rows, names, context),
      context,
      {
        parcel,
        isParcel,
      },
    );
  });
}

export async function summarizeWaterings(
  page: {
    data: WateringBody[];
    next_cursor: string | null;
    totals?: WateringTotalsBody | undefined;
  },
  context: SummaryContext,
  filter: WateringListOrder,
): Promise<string> {
  const phrases = languageOf(context.lang).watering;
  const first = page.data[0];
  const rain = await describeRainBeside(page.totals?.rain ?? [], context);
  if (!first) return [listsPastAlone(filter) ? phrases.noPast : phrases.noMatch, ...rain].join(' ');

  const name = await moduleName(context.directory, first.moduleId);
  const when = formatTimeWithZone(first.startedAt, context);
  const isAhead = filter.order === 'past_first' && Date.parse(first.startedAt) > context.now;

  return [
    phrases.page({
      count: page.data.length,
      isAhead,
      when,
      name,
      dose: describeDose(first, context),
      status: first.status,
    }),
    ...(page.totals ? await describeTotals(page.totals, context) : []),
    ...rain,
  ].join(' ');
}

const MAX_NAMED_PROBES = 4;

/**
 * Sums up the waterings done, if there are several. Run time and volume are left out if one of them
 * has none.
 */
async function describeTotals({ done, byModule }: WateringTotalsBody, context: SummaryContext) {
  const { totals, irrigations, someWithoutDose } = languageOf(context.lang).watering;
  const missing = done.withoutDose > 0 ? [someWithoutDose(done.withoutDose)] : [];
  if (done.waterMm === null || done.waterings === 1) return missing;

  const details = [
    irrigations(done.irrigations, done.irrigations < done.waterings),
    ...(done.hours === null || done.withoutDuration > 0
      ? []
      : [formatMinutes(Math.round(done.hours * 60))]),
    ...(done.volumeM3 === null || done.withoutVolume > 0
      ? []
      : [`${formatAmount(done.volumeM3, context.lang)} m3`]),
  ];

  const named = byModule.length > MAX_NAMED_PROBES ? [] : byModule;
  const probes = await Promise.all(
    named.map(async ({ moduleId, waterMm }) => ({
      name: await moduleName(context.directory, moduleId),
      mm: formatAmountOrNull(waterMm, context.lang),
    })),
  );

  return [
    totals({
      probes,
      modules: done.modules,
      dose: describeDose(done, context),
      details: details.join(', '),
    }),
    ...missing,
  ];
}

export async function summarizeDoseRecompute(
  {
    completed,
    missingDoses: { count },
    byReason,
  }: {
    completed: number;
    missingDoses: { count: number };
    byReason: Record<string, number | undefined>;
  },
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const name = await moduleName(context.directory, moduleId);
  const reasons = Object.entries(byReason).map(([reason, each]) => [reason, each ?? 0] as const);
  return languageOf(context.lang).watering.recomputeResult(name, completed, count, reasons);
}
