import {
  completeEquipment,
  type EquipmentInput,
  emittersPerM2OfSpacing,
} from '../../domain/irrigation/equipment.ts';
import { exact } from '../../domain/text/figures.ts';
import { call, counted, list, noun, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { fromTime, timeOf } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type {
  InstallationVersionBody,
  IrrigationConfigurationBody,
  IrrigationSetupBody,
  ParcelIrrigationBody,
} from '../../schema/irrigation/installation.ts';
import { describeCalibration } from '../moisture/calibration-summary.ts';
import { describeSettings } from '../moisture/settings-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText, targetText } from '../text/names-of-farm.ts';
import { describeEquipment, type SpacingInput, spacingOf } from './equipment-summary.ts';

async function summarizeIrrigationSetup(
  configuration: IrrigationConfigurationBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const { installation, parcelId, moduleId, missingDoses } = configuration;
  const probe = await moduleText(directory, moduleId);
  const isOfParcel = installation?.scope === 'parcel' && parcelId !== null;
  const owner = isOfParcel ? say` (equipment of ${await parcelText(directory, parcelId)})` : null;

  return sentences([
    installation
      ? say`${probe} is watered by ${describeEquipment(installation)}${owner}, ${fromTime(installation.validFrom)}.`
      : say`${probe} has no irrigation equipment.${call('set_module_installation')}`,
    describeMissingDoses(missingDoses),
  ]);
}

function describeMissingDoses({
  count,
  withoutInstallation,
}: IrrigationConfigurationBody['missingDoses']): Text | null {
  if (count === 0) return null;
  const ofThem = withoutInstallation === count ? null : say`${withoutInstallation} of them `;
  const reason =
    withoutInstallation === 0
      ? say`because an application rate or an irrigated area is missing`
      : say`${ofThem}because no equipment covers ${noun(count, 'its', 'their')} date`;
  return say`${counted(count, 'watering has', 'waterings have')} no dose, ${reason}.`;
}

type PastVersion = Extract<Advisory, { kind: 'past_version' }>;

const describeDeclared = (owner: Text, equipment: Text): Text =>
  say`The equipment of ${owner} is declared: ${equipment}.`;

/** Describes the version that was written, and the one in force if it is a later one. */
export async function summarizeDeclaredSetup(
  configuration: IrrigationConfigurationBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const inForce = await summarizeIrrigationSetup(configuration, context);
  const period = advisories.find((advisory) => advisory.kind === 'past_version');
  if (period === undefined) return inForce;

  const version = configuration.versions.find(
    ({ scope, validFrom }) => scope === 'module' && Date.parse(validFrom) === (period.from ?? 0),
  );

  return sentences([
    version === undefined
      ? null
      : describeDeclared(await targetText(context.directory, version), describeEquipment(version)),
    describeValidityPeriod(period),
    inForce,
  ]);
}

export const describeValidityPeriod = ({ from, to }: Omit<PastVersion, 'kind'>): Text =>
  say`This version applied from ${from === null ? say`the beginning` : timeOf(from)} until ${timeOf(to)} only; today’s equipment has not changed.`;

export async function summarizeParcelIrrigation(
  { parcelId, installation, probes, ...setup }: ParcelIrrigationBody,
  { directory, now }: SummaryContext,
): Promise<Text> {
  const parcel = await parcelText(directory, parcelId);
  const namesOf = (scope: 'module' | 'parcel'): Promise<Text[]> =>
    Promise.all(
      probes
        .filter((probe) => probe.installation?.scope === scope)
        .map(({ moduleId }) => moduleText(directory, moduleId)),
    );
  const reached = await namesOf('parcel');
  const own = await namesOf('module');

  return sentences([
    installation
      ? say`${parcel} is watered by ${describeEquipment(installation)}, ${fromTime(installation.validFrom)}.`
      : say`${parcel} has no irrigation equipment of its own.${call('set_parcel_installation')}`,
    reached.length === 0 ? null : say`It applies to ${list(reached)}.`,
    own.length === 0 ? null : describeOwnEquipment(say`${list(own)}`, own.length),
    ...describeSettings(setup, now),
  ]);
}

/** `probes` names `count` probes. */
export const describeOwnEquipment = (probes: Text, count: number): Text =>
  say`${probes} ${noun(count, 'has equipment of its own', 'have equipment of their own')}.`;

/** Tells the versions of one probe or parcel apart. */
export async function describeVersion(
  version: InstallationVersionBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const { validFrom, validTo } = version;
  const until = validTo === null ? null : say`, until ${timeOf(validTo)}`;
  return say`equipment of ${await targetText(directory, version)}, ${describeEquipment(version)}, ${fromTime(validFrom)}${until}`;
}

export async function summarizePlacement(
  { moduleId, placement }: IrrigationConfigurationBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const probe = await moduleText(directory, moduleId);
  const distanceCm = placement?.emitterDistanceCm ?? null;
  return distanceCm === null
    ? say`The placement of ${probe} is saved, without a distance to the emitter.`
    : say`${probe} is ${exact(distanceCm, 'cm')} from the nearest emitter; this does not change any dose.`;
}

export async function summarizeSetupVersion(
  version: InstallationVersionBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const owner = await targetText(directory, version);
  return say`The equipment of ${owner} is now ${describeEquipment(version)}, ${fromTime(version.validFrom)}.`;
}

export async function summarizeParcelSetup(
  _: unknown,
  { directory }: SummaryContext,
  { parcelId, ...entry }: { parcelId: number } & EquipmentInput & SpacingInput,
  advisories: readonly Advisory[],
): Promise<Text> {
  const spacing = spacingOf(entry);
  const emittersPerM2 = entry.emittersPerM2 ?? (spacing && emittersPerM2OfSpacing(spacing));
  const kept = advisories.find(({ kind }) => kind === 'equipment_kept');
  const entered = advisories.find((each) => each.kind === 'fraction_of_spacing_entered');
  const fractionWetted = entered?.fraction ?? entry.fractionWetted;
  return describeDeclared(
    await parcelText(directory, parcelId),
    describeEquipment(completeEquipment({ ...entry, emittersPerM2, fractionWetted, ...kept })),
  );
}

interface GeneralizedSetup {
  readonly probes: readonly { before: { id: number } | null; after: { id: number } | null }[];
  readonly leftOut: { changed: number; unchanged: number };
}

export async function summarizeGeneralizedSetup(
  { probes, leftOut }: GeneralizedSetup,
  { directory }: SummaryContext,
  {
    moduleId,
    effectiveFrom,
    dryRun: isDryRun = false,
  }: { moduleId: number; effectiveFrom?: number | undefined; dryRun?: boolean | undefined },
): Promise<Text> {
  const total = probes.length + leftOut.changed + leftOut.unchanged;
  const changed =
    leftOut.changed + probes.filter(({ before, after }) => before?.id !== after?.id).length;
  const since = effectiveFrom === undefined ? null : say` ${fromTime(effectiveFrom)}`;
  const probe = await moduleText(directory, moduleId);

  return sentences([
    say`${isDryRun ? say`Would apply` : say`Applied`} the equipment of ${probe} to its whole parcel${since}: ${changed} of ${total} modules ${isDryRun ? say`would change` : say`changed`} their equipment.`,
    isDryRun ? say`Nothing was written.` : null,
    probes.length === total
      ? null
      : say`Only ${probes.length} of them are listed.${call('get_irrigation_setup')}`,
  ]);
}

export async function summarizeSetupAndSettings(
  setup: IrrigationSetupBody,
  context: SummaryContext,
): Promise<Text> {
  return sentences([
    await summarizeIrrigationSetup(setup, context),
    ...describeSettings(setup, context.now),
    ...describeCalibration(setup),
  ]);
}
