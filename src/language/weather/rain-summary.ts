import { EFFECTIVE_RAIN_PERCENT } from '../../domain/advice/rain-effect.ts';
import { amount, estimate, exact, rough } from '../../domain/text/figures.ts';
import { commaSeparated, counted, join, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay, period, timeOf, zone } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { RainAnswer, RainBody, RainTotal } from '../../schema/weather/rain.ts';
import type { NameDirectory, SummaryContext } from '../summary-context.ts';
import { moduleText, namedProbesOf, parcelText, withProbes } from '../text/names-of-farm.ts';

type AdvisoryOfRain<Kind extends Advisory['kind']> = Extract<Advisory, { kind: Kind }>;

type RecentRainAdvisory = AdvisoryOfRain<'recent_rain'>;

export function describeRecentRain({ mm, isShown, isLost, effectiveMm }: RecentRainAdvisory): Text {
  const rain = say`${amount(mm, 'mm')} of rain`;
  if (isShown)
    return say`${rain} fell a short while ago. Moisture has been rising since, so the readings show it and it is not counted again: ask again when it has soaked in.`;
  if (isLost)
    return say`${rain} ended more than two hours ago, and no depth has risen since it began: it stayed on leaves and the surface, so it is not counted.`;
  if (effectiveMm === null || effectiveMm === 0)
    return say`${rain} may not have reached the sensors yet: ask again when it has soaked in.`;
  return say`${rain} may not have reached the sensors yet: ${estimate(effectiveMm, 'mm')} of it are taken from what is missing (${exact(EFFECTIVE_RAIN_PERCENT, '%')} at most, the rest evaporates or runs off). Ask again when it has soaked in.`;
}

export function describeRainInReadings({
  mm,
  effectiveMm,
  since,
}: AdvisoryOfRain<'rain_in_readings'>): Text {
  const when =
    since === null ? say`in the last two weeks` : say`since the last watering (${timeOf(since)})`;
  return say`${amount(mm, 'mm')} of rain ${when}, about ${rough(estimate(effectiveMm, 'mm'))} of it for the roots (${exact(EFFECTIVE_RAIN_PERCENT, '%')}): the readings show it already, so it is not counted again.`;
}

export function describeRainCountedOnce({
  mm,
  others,
  isNewCounted,
  totalMm,
}: AdvisoryOfRain<'rain_counted_once'>): Text {
  const records = others === 0 ? say`Another record` : say`${others + 1} other records`;
  const before = say`${records} already had ${amount(mm, 'mm')} that day`;
  return isNewCounted
    ? say`${before}: they are not added, and this one counts, ${amount(totalMm, 'mm')} for the day.`
    : say`${before}, which count: this one is not added to them. If it is the right figure, enter it for the whole day.`;
}

const MAX_RAINS = 3;

export function describeRainAroundWaterings({
  rows,
}: AdvisoryOfRain<'rain_around_waterings'>): Text {
  const rains = rows
    .slice(0, MAX_RAINS)
    .map(({ at, mm }) => say`${amount(mm, 'mm')} at that of ${timeOf(at)}`);
  const more = rows.length - rains.length;
  return say`Rain recorded around waterings: ${commaSeparated(rains)}${more > 0 ? say` and ${more} more` : null}.`;
}

const RAIN_OF_PERIOD = say`Rain recorded for the same time`;

export function describeRainTotals({ totals, lastDays }: AdvisoryOfRain<'rain_totals'>): Text {
  const places = totals
    .slice(0, MAX_PLACES)
    .map(({ parcel, ...total }) =>
      describeTotal(onParcel(parcel === null ? null : say`${verbatim(parcel)}`), total),
    );
  const subject =
    lastDays === null ? RAIN_OF_PERIOD : say`Rain of the last ${counted(lastDays, 'day')}`;
  return say`${subject}: ${listPlaces(places, totals.length)}.`;
}

/** A sentence for the totals of waterings. */
export async function describeRainOfPeriod(
  totals: readonly RainTotal[],
  { directory }: SummaryContext,
): Promise<Text[]> {
  return totals.length === 0
    ? []
    : [say`${RAIN_OF_PERIOD}: ${await listTotals(totals, directory)}.`];
}

export async function summarizeRain(
  { rain }: RainAnswer,
  { directory }: SummaryContext,
): Promise<Text> {
  const { parcelId } = rain;
  const probes = parcelId === null ? [] : await namedProbesOf(directory, parcelId);
  return say`Rain recorded: ${await describeRecord(rain, directory, probes)}.`;
}

export async function summarizeRainCorrection(
  { rain }: RainAnswer,
  { directory }: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const change = advisories.find((advisory) => advisory.kind === 'rain_corrected');
  const before = change === undefined ? null : amount(change.mm, 'mm');
  if (rain.mm === 0)
    return say`The rain record is deleted${before && say`: its ${before} no longer count`}.`;

  const record = await describeRecord(rain, directory);
  return say`The rain record is now ${record}${before && say`; it was ${before}`}.`;
}

export async function summarizeRainList(
  {
    data,
    totals,
  }: { readonly data: readonly RainBody[]; readonly totals?: readonly RainTotal[] | undefined },
  { directory }: SummaryContext,
): Promise<Text> {
  const newest = data.find(({ mm }) => mm > 0);
  if (totals?.length === 0 || newest === undefined) return say`No rain is recorded for that.`;

  const record = await describeRecord(newest, directory);
  return totals === undefined
    ? say`${counted(data.length, 'record')} of rain, the newest: ${record}.`
    : say`Rain recorded: ${await listTotals(totals, directory)}. The newest: ${record}.`;
}

/** "12 mm on North block, yesterday" */
async function describeRecord(
  { mm, parcelId, moduleId, day, startedAt, endedAt }: RainBody,
  directory: NameDirectory,
  probes: readonly Text[] = [],
): Promise<Text> {
  const place = withProbes(await placeOf(parcelId, directory), probes);
  const when = startedAt === null ? localDay(day) : say`${period(startedAt, endedAt)} (${zone})`;
  const gauge =
    moduleId === null ? null : say`, measured by ${await moduleText(directory, moduleId)}`;
  return say`${amount(mm, 'mm')} ${place}, ${when}${gauge}`;
}

const placeOf = async (parcelId: number | null, directory: NameDirectory): Promise<Text> =>
  onParcel(parcelId === null ? null : await parcelText(directory, parcelId));

const onParcel = (parcel: Text | null): Text =>
  parcel === null ? say`on the whole farm` : say`on ${parcel}`;

const MAX_PLACES = 6;

async function listTotals(totals: readonly RainTotal[], directory: NameDirectory): Promise<Text> {
  const places = totals
    .slice(0, MAX_PLACES)
    .map(async ({ parcelId, ...total }) =>
      describeTotal(await placeOf(parcelId, directory), total),
    );
  return listPlaces(await Promise.all(places), totals.length);
}

/** "12 mm on North block, over 2 days" */
const describeTotal = (
  place: Text,
  { mm, days }: { readonly mm: number; readonly days: number },
): Text =>
  say`${amount(mm, 'mm')} ${place}, ${days === 1 ? say`on one day` : say`over ${days} days`}`;

function listPlaces(places: readonly Text[], count: number): Text {
  const more = count - places.length;
  return join([...places, more > 0 ? say`and ${counted(more, 'more parcel')}` : null], say`; `);
}
