import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import {
  AMOUNT_FIELDS,
  type Amount,
  amountOfFields,
} from '../../domain/irrigation/watering-amount.ts';
import { firstOf } from '../../domain/items.ts';
import {
  advisedMinutes,
  amount,
  asEntered,
  estimate,
  minutes,
  share,
} from '../../domain/text/figures.ts';
import { call, commaSeparated, counted, name, say, sentences } from '../../domain/text/say.ts';
import type { Duration, Figures, Text } from '../../domain/text/text.ts';
import { period, timeOf, timeRelativeTo, zone } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type {
  ParcelWateringBody,
  SingleParcelAnswer,
  WateringAnswer,
  WateringBody,
} from '../../schema/irrigation/watering.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText } from '../text/names-of-farm.ts';

const SYSTEM_NAMES: Readonly<Record<string, Text>> = {
  drip: say`drip`,
  micro_sprinkler: say`micro-sprinkler`,
  sprinkler: say`sprinkler`,
  pivot: say`pivot`,
  gravity: say`surface irrigation`,
  manual: say`manual watering`,
  other: say`other equipment`,
};

export const describeSystem = (system: string): Text =>
  SYSTEM_NAMES[system] ?? say`${name(system)}`;

export const enteredAmount = ({ mode, value }: Amount): Duration | Figures =>
  mode === 'duration' ? minutes(value) : asEntered(value, AMOUNT_FIELDS[mode].symbol);

/** "45 min of drip" */
export const describeAmountOf = (
  watering: WateringBody | ParcelWateringBody,
  system: string | null | undefined,
): Text =>
  say`${enteredAmount(amountOfFields(watering))} of ${system ? describeSystem(system) : say`watering`}`;

export const describeTime = ({
  startedAt,
  endedAt,
}: Pick<WateringBody, 'startedAt' | 'endedAt'>): Text =>
  say`${period(startedAt, endedAt)} (${zone})`;

const NO_DOSE = say`no dose yet`;

type Dose = Pick<WateringBody, 'waterMm' | 'waterMmWetted'> &
  Partial<Pick<WateringBody, 'configSnapshot'>>;

export function describeDose({ waterMm, waterMmWetted, configSnapshot }: Dose): Text {
  if (waterMm === null) return NO_DOSE;
  const ofDefault = configSnapshot?.fractionWettedIsDefault ? configSnapshot.fractionWetted : null;
  const wetted = waterMmWetted === null ? null : describeWettedDose(waterMmWetted, ofDefault);
  return say`${amount(waterMm, 'mm')} over the whole area${wetted && say`, ${wetted}`}`;
}

/** Names a default fraction, because answers about the soil may count with another. */
export function describeWettedDose(wettedMm: number, defaultFraction: number | null): Text {
  const ofDefault = defaultFraction === null ? null : say` (${share(defaultFraction)} by default)`;
  return say`${amount(wettedMm, 'mm')} in the wetted zone${ofDefault}`;
}

/** A watering counts as done from its start. */
export function describeRemainingRun(
  { status, endedAt }: Pick<WateringBody, 'status' | 'endedAt'>,
  { now }: Pick<SummaryContext, 'now'>,
): Text | null {
  if (status !== 'done' || endedAt === null || Date.parse(endedAt) <= now) return null;
  return say`It is still running until ${timeRelativeTo(endedAt, now)}.`;
}

interface WarningContext {
  /** The probes that the warning concerns, or the parcel if these are all its probes. */
  readonly subject: Text;
  /** The parcel, if it was watered as a whole. */
  readonly parcel: Text | null;
  readonly isWholeParcel: boolean;
}

export const describeWarnings = (
  { event, warnings }: WateringAnswer | SingleParcelAnswer,
  context: WarningContext,
) => warnings.map((warning) => describeWarning(warning, event, context));

function describeWarning(
  warning: IrrigationWarning,
  { waterMm }: Pick<WateringBody, 'waterMm'>,
  { subject, parcel, isWholeParcel }: WarningContext,
): Text | null {
  switch (warning) {
    case 'NO_INSTALLATION': {
      const dose = waterMm === null ? say`dose` : say`dose in the wetted zone`;
      const since = 'effectiveFrom: that date or before';
      const declare = isWholeParcel
        ? call('set_parcel_installation', since)
        : call('set_module_installation', since);
      return say`No equipment of ${subject} covers that date, so the ${dose} is missing: declare what was there, and the dose is completed by itself.${declare}`;
    }
    case 'MISSING_FLOW_RATE':
      return say`The equipment has no application rate, so its minutes give no dose: ask for it and add it.${call('correct_installation', 'flowMmPerH')}`;
    case 'MISSING_IRRIGATED_AREA':
      return parcel === null
        ? say`The equipment has no irrigated area, so its volume gives no dose: ask for it and add it.${call('correct_installation', 'irrigatedAreaM2')}`
        : say`The irrigated area of ${parcel} is not known, so its volume gives no dose: ask for it, and add it to the equipment of the parcel.${call('set_parcel_installation', 'irrigatedAreaM2')}${call('correct_installation', 'irrigatedAreaM2')}`;
    // The declaration of the equipment says it once.
    case 'DEFAULT_FRACTION_WETTED':
      return null;
  }
}

export const LOGGED = {
  done: say`Logged`,
  planned: say`Planned`,
  skipped: say`Logged as skipped:`,
};

export const summarizeWatering = (answer: WateringAnswer, context: SummaryContext): Promise<Text> =>
  summarizeAnswer(answer, context, LOGGED[answer.event.status]);

/** What a watering is on, as its warnings name it. */
export async function wateredTarget(
  { event }: WateringAnswer | SingleParcelAnswer,
  { directory }: Pick<SummaryContext, 'directory'>,
): Promise<WarningContext> {
  if ('moduleId' in event)
    return {
      subject: await moduleText(directory, event.moduleId),
      parcel: null,
      isWholeParcel: false,
    };
  const parcel = await parcelText(directory, event.parcelId);
  return { subject: parcel, parcel, isWholeParcel: true };
}

export async function summarizeAnswer(
  answer: WateringAnswer | SingleParcelAnswer,
  context: SummaryContext,
  beginning: Text,
): Promise<Text> {
  const { event } = answer;
  const target = await wateredTarget(answer, context);
  const watering = describeAmountOf(event, event.configSnapshot?.system);

  return sentences([
    say`${beginning} ${watering} on ${target.subject}, ${describeTime(event)}: ${describeDose(event)}.`,
    describeRemainingRun(event, context),
    ...describeWarnings(answer, target),
  ]);
}

type EnoughIfItRuns = Extract<Advisory, { kind: 'enough_if_it_runs' }>;

/** "North 2 needs 5 h 15 min; planned today 22:00 for 6 h: enough, if it runs." */
export function describeEnoughIfItRuns(
  { neededMm, neededMin, at, durationMin }: Omit<EnoughIfItRuns, 'kind'>,
  probe: Text = say`It`,
): Text {
  const needed = neededMin === null ? estimate(neededMm, 'mm') : advisedMinutes(neededMin);
  const duration = durationMin === null ? null : say` for ${minutes(durationMin)}`;
  return say`${probe} needs ${needed}; planned ${timeOf(at)}${duration}: enough, if it runs.`;
}

export function summarizeWateringPreview({
  waterings,
}: {
  readonly waterings: readonly Dose[];
}): Text {
  const doses = waterings.flatMap(({ waterMm }) => waterMm ?? []);
  const least = Math.min(...doses);
  const most = Math.max(...doses);
  const isOneDose = doses.length < waterings.length || least === most;
  const dose = isOneDose ? describeDose(firstOf(waterings)) : amount([least, most], 'mm', 'to');
  return say`Nothing is logged yet; it would be ${dose}.`;
}

/** The keys are the codes of the reasons. */
const MISSING_DOSE: Readonly<Record<string, Text>> = {
  NO_INSTALLATION: say`without equipment at that time`,
  MISSING_FLOW_RATE: say`without an application rate`,
  MISSING_IRRIGATED_AREA: say`without an irrigated area`,
};

interface DoseRecompute {
  readonly completed: number;
  readonly missingDoses: { readonly count: number };
  readonly byReason: Readonly<Record<string, number | undefined>>;
}

export async function summarizeDoseRecompute(
  { completed, missingDoses: { count }, byReason }: DoseRecompute,
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<Text> {
  const probe = await moduleText(context.directory, moduleId);
  const reasons = Object.entries(byReason).map(
    ([reason, missing = 0]) => say`${missing} ${MISSING_DOSE[reason] ?? name(reason)}`,
  );
  const missing = count === 0 ? null : say` (${commaSeparated(reasons)})`;
  return say`${counted(completed, 'dose')} completed on ${probe}; ${count} still missing${missing}.`;
}
