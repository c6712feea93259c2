import { groupBy } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { amount, minutes } from '../../domain/text/figures.ts';
import { commaSeparated, counted, noun, say, sentences, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeWithZone } from '../../domain/text/times.ts';
import {
  listsPastAlone,
  type WateringBody,
  type WateringListOrder,
  type WateringsOfParcelsBody,
  type WateringTotalsBody,
  type WateringWitnessBody,
} from '../../schema/irrigation/watering.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText } from '../text/names-of-farm.ts';
import { describeRainOfPeriod } from '../weather/rain-summary.ts';
import { describeDose } from './watering-summary.ts';
import {
  AWAITS_CONFIRMATION,
  describeNoRise,
  describeWitnesses,
  describeWitnessesOfCount,
  describeWitnessesOfThat,
  witnessNote,
} from './witness-summary.ts';

interface WateringPage {
  readonly data: readonly WateringBody[];
  readonly next_cursor: string | null;
  readonly witness?: readonly WateringWitnessBody[] | null | undefined;
  readonly totals?: WateringTotalsBody | undefined;
  readonly ofParcels?: WateringsOfParcelsBody | null | undefined;
}

export async function summarizeWaterings(
  page: WateringPage,
  context: SummaryContext,
  filter: WateringListOrder,
): Promise<Text> {
  const first = page.data[0];
  const rain = await describeRainOfPeriod(page.totals?.rain ?? [], context);
  const ofParcels = await describeOfParcels(page, context);
  if (!first && ofParcels.length > 0) return sentences([...ofParcels, ...rain]);
  if (!first)
    return sentences([
      listsPastAlone(filter) ? say`No past watering matches.` : say`No watering matches.`,
      ...rain,
    ]);

  return sentences([
    await describePage(page, first, context, filter),
    ...(page.totals ? await describeTotals(page.totals, page.witness ?? [], context) : []),
    ...(await describeUnseen(page, context)),
    ...ofParcels,
    ...rain,
  ]);
}

/** "2 waterings of parcels without a probe, the first of them today 06:00 on Orchard: 20 mm …" */
async function describeOfParcels(
  { ofParcels }: WateringPage,
  { directory, now }: SummaryContext,
): Promise<Text[]> {
  const first = ofParcels?.data[0];
  if (!ofParcels || first === undefined) return [];

  const sums = ofParcels.totals;
  const count = sums.reduce((total, { waterings }) => total + waterings, 0);
  const isPast = Date.parse(first.startedAt) <= now;
  const which = count > 1 ? say`, the first of them` : null;
  const parcel = await parcelText(directory, first.parcelId);
  const received = await Promise.all(
    sums
      .filter(({ done }) => done > 0)
      .slice(0, MAX_NAMED_PROBES)
      .map(async ({ parcelId, done, waterMm, withoutDose }) => {
        const dose = waterMm === null ? say`no dose yet` : amount(waterMm, 'mm');
        const missing =
          waterMm === null || withoutDose === 0 ? null : say`, ${withoutDose} without a dose`;
        return say`${await parcelText(directory, parcelId)} ${dose} (${counted(done, 'watering')}${missing})`;
      }),
  );

  const parcels = count > 1 ? say`parcels` : say`a parcel`;
  return [
    say`${counted(count, 'watering')} of ${parcels} without a probe${which}: ${timeWithZone(first.startedAt)} on ${parcel}, ${describeDose(first)}${statusNote(first, isPast)}.`,
    ...(count > 1 && received.length > 0 ? [say`In total: ${commaSeparated(received)}.`] : []),
  ];
}

async function describePage(
  { data, witness }: WateringPage,
  first: WateringBody,
  { now, directory }: SummaryContext,
  { order }: WateringListOrder,
): Promise<Text> {
  const isPast = Date.parse(first.startedAt) <= now;
  const sorting = order === 'past_first' && !isPast ? say`nearest` : say`newest`;
  const probe = await moduleText(directory, first.moduleId);
  const seenBy = witness?.find(({ eventId }) => eventId === first.id);
  const note = seenBy === undefined ? statusNote(first, isPast) : witnessNote(seenBy);

  return say`${counted(data.length, 'watering')} shown, ${sorting} first: ${timeWithZone(first.startedAt)} on ${probe}, ${describeDose(first)}${note}.`;
}

function statusNote({ status }: Pick<WateringBody, 'status'>, isPast: boolean): Text | null {
  if (status === 'done') return null;
  return say` (${isPast && status === 'planned' ? AWAITS_CONFIRMATION : word(status)})`;
}

/** The probes that showed nothing of an irrigation that somebody saw. */
async function describeUnseen(
  { data, witness }: WateringPage,
  { directory }: SummaryContext,
): Promise<Text[]> {
  const ids = new Set(
    (witness ?? [])
      .filter((row) => row.witness !== 'assumed' && row.unseen === 'no_rise')
      .map(({ eventId }) => eventId),
  );
  const byModule = groupBy(
    data.filter(({ id }) => ids.has(id)),
    ({ moduleId }) => moduleId,
  );
  const probes = [...byModule].slice(0, MAX_NAMED_PROBES);
  return Promise.all(
    probes.map(async ([moduleId, rows]) =>
      describeNoRise(await moduleText(directory, moduleId), rows.length),
    ),
  );
}

const MAX_NAMED_PROBES = 4;

/** Sums up the waterings done, if there are several. */
async function describeTotals(
  totals: WateringTotalsBody,
  rows: readonly WateringWitnessBody[],
  { directory }: SummaryContext,
): Promise<(Text | null)[]> {
  const { done, byModule, witness } = totals;
  const missing =
    done.withoutDose === 0
      ? null
      : say`${done.withoutDose} of those done ${noun(done.withoutDose, 'has', 'have')} no dose, so more was given.`;
  if (done.waterings === 1) return [missing];

  const seenBy = describeWitnesses(witness ?? [], done.waterMm, rows);
  if (done.waterMm === null)
    return seenBy === null
      ? [missing]
      : [describeWitnessesOfCount(done.waterings, seenBy), missing];

  const named = byModule.length > MAX_NAMED_PROBES ? [] : byModule;
  const probes = await Promise.all(
    named.map(async ({ moduleId, waterMm }) => ({
      probe: await moduleText(directory, moduleId),
      waterMm,
    })),
  );
  const received = seenBy === null ? say`received` : say`counts as having received`;

  return [
    describeReceived(totals, probes, received),
    seenBy === null ? null : describeWitnessesOfThat(seenBy),
    missing,
  ];
}

interface WaterOfProbe {
  readonly probe: Text;
  readonly waterMm: number | null;
}

/** `probes` is empty if there are too many to name. */
function describeReceived(
  totals: WateringTotalsBody,
  probes: readonly WaterOfProbe[],
  received: Text,
): Text {
  const { done } = totals;
  const details = describeDetails(done);
  const dose = describeDose(done);
  if (done.modules === 1 && probes.length === 1)
    return say`In total ${firstOf(probes).probe} ${received} ${dose} (${details}).`;

  const dosed = countDosedProbes(totals);
  const basis = dosed === done.modules ? null : say`on the ${done.modules} probes: `;
  const rows = probes.map(
    ({ probe, waterMm }) =>
      say`${probe} ${waterMm === null ? say`no dose` : amount(waterMm, 'mm')}`,
  );
  const each = rows.length === 0 ? null : say`: ${commaSeparated(rows)}`;

  return say`${averagedProbes(done.modules, dosed)} ${received} ${dose} (${basis}${details})${each}.`;
}

/** Run time and volume are left out if one of the waterings has none. */
function describeDetails(done: WateringTotalsBody['done']): Text {
  const { irrigations, hours, withoutDuration, volumeM3, withoutVolume } = done;
  const ofParcels =
    irrigations < done.waterings ? say`, a parcel watered at once counted once` : null;
  return commaSeparated([
    say`${counted(irrigations, 'watering')}${ofParcels}`,
    hours === null || withoutDuration > 0 ? null : minutes(Math.round(hours * 60)),
    volumeM3 === null || withoutVolume > 0 ? null : amount(volumeM3, 'm3'),
  ]);
}

/** Null if only some have a dose and the totals of each are not listed. */
function countDosedProbes({
  done,
  byModule,
}: Pick<WateringTotalsBody, 'done' | 'byModule'>): number | null {
  if (done.withoutDose === 0) return done.modules;
  return byModule.length === 0 ? null : byModule.filter(({ waterMm }) => waterMm !== null).length;
}

function averagedProbes(modules: number, dosed: number | null): Text {
  if (dosed === null) return say`On average each probe with a dose`;
  if (dosed === modules) return say`On average each of the ${modules} probes`;
  return dosed === 1
    ? say`The only one of the ${modules} probes with a dose`
    : say`On average each of the ${dosed} probes with a dose`;
}
