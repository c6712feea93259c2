import { EFFECTIVE_RAIN_PERCENT } from '../../domain/advice/rain-effect.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { RainAnswer, RainBody, RainTotal } from '../../schema/weather/rain.ts';
import { formatAmount, formatEstimate, formatNumber } from '../number-format.ts';
import {
  moduleName,
  namesOfParcelProbes,
  parcelName,
  parcelWithProbes,
  type SummaryContext,
  type WordingContext,
} from '../summary-context.ts';
import { formatInstant, formatLocalDay, formatTimeSpan } from '../time.ts';
import { rainPhrases } from './rain-phrases.ts';

type RainChange = Extract<Advisory, { kind: 'rain_corrected' }>;

const MAX_PLACES = 6;

export type RecentRainAdvisory = Extract<Advisory, { kind: 'recent_rain' }>;

export function describeRecentRain(advisory: RecentRainAdvisory): string {
  const { mm, isShown, isLost, effectiveMm } = advisory;
  const { shown, lost, unseen, counted } = rainPhrases.recentRain;
  const rain = formatAmount(mm);
  if (isShown) return shown(rain);
  if (isLost) return lost(rain);
  return effectiveMm === null || effectiveMm === 0
    ? unseen(rain)
    : counted(rain, formatEstimate(effectiveMm), formatNumber(EFFECTIVE_RAIN_PERCENT));
}

export function describeRainTotals({
  totals,
  lastDays,
}: Extract<Advisory, { kind: 'rain_totals' }>): string {
  const places = totals
    .slice(0, MAX_PLACES)
    .map(({ parcel, mm, days }) =>
      rainPhrases.total(formatAmount(mm), days, rainPhrases.place(parcel)),
    );
  const more = totals.length - places.length;
  return lastDays === null
    ? rainPhrases.beside(places, more)
    : rainPhrases.lastDays(lastDays, places, more);
}

const MAX_RAINS = 3;

export function describeRainAroundWaterings(
  { rows }: Extract<Advisory, { kind: 'rain_around_waterings' }>,
  context: WordingContext,
): string {
  const texts = rows.map(({ at, mm }) =>
    rainPhrases.at(formatAmount(mm), formatInstant(at, context)),
  );
  return rainPhrases.aroundWaterings(texts.slice(0, MAX_RAINS), texts.length - MAX_RAINS);
}

export const describeRainInReadings = (
  { mm, effectiveMm, since }: Extract<Advisory, { kind: 'rain_in_readings' }>,
  context: WordingContext,
): string =>
  rainPhrases.inReadings(
    formatAmount(mm),
    formatEstimate(effectiveMm),
    formatNumber(EFFECTIVE_RAIN_PERCENT),
    since === null ? null : formatInstant(since, context),
  );

/** "12 mm on North block, yesterday" */
async function describeRain(
  rain: RainBody,
  context: SummaryContext,
  probes: readonly string[] = [],
): Promise<string> {
  const place = parcelWithProbes(await describePlace(rain.parcelId, context), probes);
  const when = describeWhen(rain, context);
  const gauge = rain.moduleId === null ? null : await moduleName(context.directory, rain.moduleId);
  return rainPhrases.details(formatAmount(rain.mm), place, when, gauge);
}

const describePlace = async (
  parcelId: number | null,
  { directory }: SummaryContext,
): Promise<string> =>
  rainPhrases.place(parcelId === null ? null : await parcelName(directory, parcelId));

function describeWhen({ day, startedAt, endedAt }: RainBody, context: WordingContext): string {
  if (startedAt === null) return formatLocalDay(day, context);
  const span = formatTimeSpan(
    Date.parse(startedAt),
    endedAt === null ? null : Date.parse(endedAt),
    context,
  );
  return `${span} (${context.zone})`;
}

export async function summarizeRain(
  { rain }: RainAnswer,
  context: SummaryContext,
): Promise<string> {
  const { directory } = context;
  const { parcelId } = rain;
  const probes = parcelId === null ? [] : await namesOfParcelProbes(directory, parcelId);
  return rainPhrases.logged(await describeRain(rain, context, probes));
}

export async function summarizeRainCorrection(
  { rain }: RainAnswer,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const change = advisories.find(isRainChange);
  const beforeMm = change === undefined ? null : formatAmount(change.mm);
  if (rain.mm === 0) return rainPhrases.deleted(beforeMm);
  return rainPhrases.corrected(await describeRain(rain, context), beforeMm);
}

const isRainChange = (advisory: Advisory): advisory is RainChange =>
  advisory.kind === 'rain_corrected';

/** "12 mm on North block, over 2 days" */
const describePlaces = (totals: readonly RainTotal[], context: SummaryContext): Promise<string[]> =>
  Promise.all(
    totals
      .slice(0, MAX_PLACES)
      .map(async ({ parcelId, mm, days }) =>
        rainPhrases.total(formatAmount(mm), days, await describePlace(parcelId, context)),
      ),
  );

/** A sentence for the totals of waterings. */
export async function describeRainBeside(
  totals: readonly RainTotal[],
  context: SummaryContext,
): Promise<string[]> {
  if (totals.length === 0) return [];
  const places = await describePlaces(totals, context);
  return [rainPhrases.beside(places, totals.length - places.length)];
}

export async function summarizeRainList(
  {
    data,
    totals,
  }: { readonly data: readonly RainBody[]; readonly totals?: readonly RainTotal[] | undefined },
  context: SummaryContext,
): Promise<string> {
  const newest = data.find(({ mm }) => mm > 0);
  if (totals?.length === 0 || newest === undefined) return rainPhrases.none;
  if (totals === undefined)
    return rainPhrases.page(data.length, await describeRain(newest, context));

  const places = await describePlaces(totals, context);
  return rainPhrases.list(
    places,
    totals.length - places.length,
    await describeRain(newest, context),
  );
}
