import { groupBy } from '../../domain/groups.ts';
import {
  type Amount,
  amountOfFields,
  amountSymbol,
} from '../../domain/irrigation/watering-amount.ts';
import { firstOf, withoutNulls } from '../../domain/items.ts';
import type { WateringPreviewBody } from '../../schema/advice/farm-page.ts';
import type { Advisory } from '../../schema/advisory.ts';
import {
  listsPastAlone,
  type WateringAnswer,
  type WateringBody,
  type WateringListOrder,
  type WateringTotalsBody,
  type WateringWitnessBody,
} from '../../schema/irrigation/watering.ts';
import { englishTime } from '../en/time.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatAmountOrNull,
  formatEntered,
  formatEstimate,
  formatMinutes,
} from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { written } from '../text/render.ts';
import {
  formatInstant,
  formatMove,
  formatTimeSpan,
  formatTimeWithZone,
  type TimeContext,
} from '../time.ts';
import { describeRainBeside } from '../weather/rain-summary.ts';
import { wateringPhrases } from './watering-phrases.ts';
import { witnessPhrases } from './witness-phrases.ts';
import { describeWitnesses } from './witness-summary.ts';

export const describeSystem = (system: string): string => wateringPhrases.system(system);

export const formatEnteredAmount = ({ mode, value }: Amount): string =>
  mode === 'duration' ? formatMinutes(value) : `${formatEntered(value)} ${amountSymbol(mode)}`;

function describeAmount(event: WateringBody): string {
  const { amountOfSystem } = wateringPhrases;
  const code = event.configSnapshot?.system;
  const system = code ? describeSystem(code) : null;
  return amountOfSystem(formatEnteredAmount(amountOfFields(event)), system);
}

export function describeTime(
  { startedAt, endedAt }: WateringBody,
  context: SummaryContext,
): string {
  const end = endedAt === null ? null : Date.parse(endedAt);
  return `${formatTimeSpan(Date.parse(startedAt), end, context)} (${context.zone})`;
}

export function describeDose({
  waterMm,
  waterMmWetted,
}: Pick<WateringBody, 'waterMm' | 'waterMmWetted'>): string {
  const { dose, noDose } = wateringPhrases;
  if (waterMm === null) return noDose;
  return dose(formatAmount(waterMm), formatAmountOrNull(waterMmWetted));
}

/** A watering counts as done from its start. */
export function describeRemainingRun(
  { status, endedAt }: WateringBody,
  context: SummaryContext,
): string | null {
  const end = endedAt === null ? null : Date.parse(endedAt);
  if (status !== 'done' || end === null || end <= context.now) return null;
  return wateringPhrases.stillRunning(formatMove({ from: context.now, to: end }, context).to);
}

export function describeWarnings(
  { event, warnings }: WateringAnswer,
  name: string,
  { parcel = null, isParcel = false }: { parcel?: string | null; isParcel?: boolean } = {},
): string[] {
  const facts = {
    name,
    parcel,
    isParcel,
    isPartial: event.waterMm !== null,
  };

  return warnings.flatMap((warning) =>
    warning === 'DEFAULT_FRACTION_WETTED' ? [] : [wateringPhrases.warnings[warning](facts)],
  );
}

export async function summarizeAnswer(
  answer: WateringAnswer,
  context: SummaryContext,
  beginning: string,
): Promise<string> {
  const { event } = answer;
  const name = await moduleName(context.directory, event.moduleId);
  const details = wateringPhrases.details(
    describeAmount(event),
    name,
    describeTime(event, context),
    describeDose(event),
  );

  return joinSentences([
    beginning,
    details,
    describeRemainingRun(event, context),
    ...describeWarnings(answer, name),
  ]);
}

type EnoughIfItRuns = Extract<Advisory, { kind: 'enough_if_it_runs' }>;

/** "North 2 needs 5 h 15 min; planned today 22:00 for 6 h: enough, if it runs." */
export const describeEnoughIfItRuns = (
  { neededMm, neededMin, at, durationMin }: Omit<EnoughIfItRuns, 'kind'>,
  context: TimeContext,
  name: string | null = null,
): string =>
  wateringPhrases.enoughIfItRuns(
    name,
    neededMin === null ? `${formatEstimate(neededMm)} mm` : formatAdvisedMinutes(neededMin),
    formatInstant(at, context),
    durationMin === null ? null : formatMinutes(durationMin),
  );

export const summarizeWatering = (
  answer: WateringAnswer,
  context: SummaryContext,
): Promise<string> => summarizeAnswer(answer, context, wateringPhrases.logged[answer.event.status]);

export function summarizeWateringPreview({
  waterings,
}: Pick<WateringPreviewBody, 'waterings'>): string {
  const doses = waterings.flatMap(({ waterMm }) => waterMm ?? []);
  const least = Math.min(...doses);
  const most = Math.max(...doses);
  if (doses.length < waterings.length || least === most)
    return wateringPhrases.preview(describeDose(firstOf(waterings)));

  return wateringPhrases.preview(
    `${englishTime.range(formatAmount(least), formatAmount(most))} mm`,
  );
}

export async function summarizeWaterings(
  page: {
    data: WateringBody[];
    next_cursor: string | null;
    witness?: readonly WateringWitnessBody[] | null | undefined;
    totals?: WateringTotalsBody | undefined;
  },
  context: SummaryContext,
  filter: WateringListOrder,
): Promise<string> {
  const first = page.data[0];
  const beside = await describeRainBeside(page.totals?.rain ?? [], context);
  const rain = beside.map((text) => written(text, context));
  if (!first)
    return joinSentences([
      listsPastAlone(filter) ? wateringPhrases.noPast : wateringPhrases.noMatch,
      ...rain,
    ]);

  const name = await moduleName(context.directory, first.moduleId);
  const when = formatTimeWithZone(first.startedAt, context);
  const isAhead = filter.order === 'past_first' && Date.parse(first.startedAt) > context.now;
  const totals = page.totals ? await describeTotals(page.totals, page.witness ?? [], context) : [];

  return joinSentences([
    wateringPhrases.page({
      count: page.data.length,
      isAhead,
      isPast: Date.parse(first.startedAt) <= context.now,
      when,
      name,
      dose: describeDose(first),
      status: first.status,
      witness: page.witness?.find(({ eventId }) => eventId === first.id) ?? null,
    }),
    ...totals,
    ...(await describeUnseen(page, context)),
    ...rain,
  ]);
}

/** The probes that showed nothing of an irrigation that somebody saw. */
async function describeUnseen(
  { data, witness }: Parameters<typeof summarizeWaterings>[0],
  { directory }: SummaryContext,
): Promise<string[]> {
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
      witnessPhrases.showedNothing(await moduleName(directory, moduleId), rows.length),
    ),
  );
}

const MAX_NAMED_PROBES = 4;

/**
 * Sums up the waterings done, if there are several. Run time and volume are left out if one of them
 * has none.
 */
async function describeTotals(
  { done, byModule, witness }: WateringTotalsBody,
  rows: readonly WateringWitnessBody[],
  context: SummaryContext,
) {
  const { totals, irrigations, someWithoutDose } = wateringPhrases;
  const missing = done.withoutDose > 0 ? [someWithoutDose(done.withoutDose)] : [];
  if (done.waterings === 1) return missing;
  const seenBy = describeWitnesses(witness ?? [], done.waterMm, rows);
  if (done.waterMm === null)
    return seenBy === null ? missing : [witnessPhrases.counted(done.waterings, seenBy), ...missing];

  const details = withoutNulls([
    irrigations(done.irrigations, done.irrigations < done.waterings),
    done.hours === null || done.withoutDuration > 0
      ? null
      : formatMinutes(Math.round(done.hours * 60)),
    done.volumeM3 === null || done.withoutVolume > 0 ? null : `${formatAmount(done.volumeM3)} m3`,
  ]);

  const named = byModule.length > MAX_NAMED_PROBES ? [] : byModule;
  const probes = await Promise.all(
    named.map(async ({ moduleId, waterMm }) => ({
      name: await moduleName(context.directory, moduleId),
      mm: formatAmountOrNull(waterMm),
    })),
  );

  return [
    totals({
      probes,
      modules: done.modules,
      dosed: countDosedProbes({ done, byModule }),
      dose: describeDose(done),
      details: details.join(', '),
      seenBy,
    }),
    ...missing,
  ];
}

/** Null if only some have a dose and the totals of each are not listed. */
function countDosedProbes({
  done,
  byModule,
}: Pick<WateringTotalsBody, 'done' | 'byModule'>): number | null {
  if (done.withoutDose === 0) return done.modules;
  return byModule.length === 0 ? null : byModule.filter(({ waterMm }) => waterMm !== null).length;
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
  const reasons = Object.entries(byReason).map(
    ([reason, missing]) => [reason, missing ?? 0] as const,
  );
  return wateringPhrases.recomputeResult(name, completed, count, reasons);
}
