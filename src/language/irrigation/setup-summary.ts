import {
  completeEquipment,
  type EmitterSpacing,
  type EquipmentFields,
  type EquipmentInput,
  emittersPerM2OfSpacing,
} from '../../domain/irrigation/equipment.ts';
import type { KeptFigures } from '../../domain/irrigation/equipment-change.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type {
  InstallationVersionBody,
  IrrigationConfigurationBody,
  IrrigationSetupBody,
  ParcelIrrigationBody,
} from '../../schema/irrigation/installation.ts';
import { englishFormat } from '../en/grammar.ts';
import { describeCalibration } from '../moisture/calibration-summary.ts';
import { describeSettings } from '../moisture/settings-summary.ts';
import { formatEntered, formatNumber, formatRate, formatShare } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import {
  moduleName,
  parcelName,
  type SummaryContext,
  targetName,
  type WordingContext,
} from '../summary-context.ts';
import { describeStart, describeValidFrom, formatInstant } from '../time.ts';
import { setupPhrases } from './setup-phrases.ts';
import { describeSystem } from './watering-summary.ts';

function describeEquipment(setup: Omit<EquipmentFields, keyof EmitterSpacing>): string {
  const { noFlowRate, emitterFlow, emitterDensity, fractionWetted, noIrrigatedArea } = setupPhrases;
  const { system, flowMmPerH, emitterFlowLph, emittersPerM2, irrigatedAreaM2 } = setup;

  return withoutNulls([
    describeSystem(system),
    emitterFlowLph === null ? null : emitterFlow(formatRate(emitterFlowLph)),
    emittersPerM2 === null ? null : emitterDensity(formatRate(emittersPerM2)),
    flowMmPerH === null ? noFlowRate : `${formatRate(flowMmPerH)} mm/h`,
    fractionWetted(formatShare(setup.fractionWetted), setup.fractionWettedIsDefault),
    irrigatedAreaM2 === null ? noIrrigatedArea : `${formatEntered(irrigatedAreaM2)} m2`,
  ]).join(', ');
}

type SpacingInput = {
  readonly emitterSpacingM?: number | undefined;
  readonly lineSpacingM?: number | undefined;
};

const densityOf = ({ emitterSpacingM, lineSpacingM }: SpacingInput): number | null =>
  emitterSpacingM === undefined || lineSpacingM === undefined
    ? null
    : emittersPerM2OfSpacing({ emitterSpacingM, lineSpacingM });

/** The emitter density that follows from the spacing; null without a spacing. */
function describeSpacing({ emitterSpacingM, lineSpacingM }: SpacingInput): string | null {
  if (emitterSpacingM === undefined || lineSpacingM === undefined) return null;

  const density = emittersPerM2OfSpacing({ emitterSpacingM, lineSpacingM });
  return setupPhrases.spacing(
    formatRate(emitterSpacingM),
    formatRate(lineSpacingM),
    formatRate(density),
  );
}

/** Adds the emitter density that follows from the spacing in the call. */
export const summarizeWithSpacing =
  <Body, Input extends SpacingInput>(
    summarize: (
      body: Body,
      context: SummaryContext,
      input: Input,
      advisories: readonly Advisory[],
    ) => string | Promise<string>,
  ) =>
  async (
    body: Body,
    context: SummaryContext,
    input: Input,
    advisories: readonly Advisory[],
  ): Promise<string> => {
    const summary = await summarize(body, context, input, advisories);
    return joinSentences([summary, describeSpacing(input)]);
  };

export async function summarizeIrrigationSetup(
  configuration: IrrigationConfigurationBody,
  context: SummaryContext,
): Promise<string> {
  const { installation, parcelId, moduleId, missingDoses } = configuration;
  const name = await moduleName(context.directory, moduleId);
  const isOfParcel = installation?.scope === 'parcel' && parcelId !== null;
  const parcel = isOfParcel ? await parcelName(context.directory, parcelId) : null;
  const sentence = installation
    ? setupPhrases.inForce({
        name,
        equipment: describeEquipment(installation),
        parcel,
        since: describeValidFrom(installation.validFrom, context),
      })
    : setupPhrases.noSetup(name);

  const { count, withoutInstallation } = missingDoses;
  return joinSentences([
    sentence,
    count === 0 ? null : setupPhrases.missingDoses(count, withoutInstallation),
  ]);
}

/** What a change of equipment took over from the equipment before. */
export function describeKeptFigures(kept: KeptFigures): string {
  const { emitterFlow, emitterDensity, fractionWetted, lines } = setupPhrases;
  const { emitterSpacingM, lineSpacingM } = kept;
  const phrase = (figure: number | undefined, describe: (figure: number) => string) =>
    figure === undefined ? null : describe(figure);

  const figures = withoutNulls([
    phrase(kept.emitterFlowLph, (flow) => emitterFlow(formatRate(flow))),
    phrase(kept.emittersPerM2, (density) => emitterDensity(formatRate(density))),
    emitterSpacingM === undefined || lineSpacingM === undefined
      ? null
      : lines(formatRate(emitterSpacingM), formatRate(lineSpacingM)),
    phrase(kept.flowMmPerH, (rate) => `${formatRate(rate)} mm/h`),
    phrase(kept.fractionWetted, (share) => fractionWetted(formatShare(share), false)),
    phrase(kept.irrigatedAreaM2, (area) => `${formatEntered(area)} m2`),
  ]);
  return setupPhrases.asBefore(figures.join(', '));
}

type PastVersion = Extract<Advisory, { kind: 'past_version' }>;

/** Describes the version that was written, and the one in force if it is a later one. */
export async function summarizeDeclaredSetup(
  configuration: IrrigationConfigurationBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const inForce = await summarizeIrrigationSetup(configuration, context);
  const isPastVersion = (advisory: Advisory): advisory is PastVersion =>
    advisory.kind === 'past_version';

  const period = advisories.find(isPastVersion);
  if (period === undefined) return inForce;

  const written = configuration.versions.find(
    ({ scope, validFrom }) => scope === 'module' && Date.parse(validFrom) === (period.from ?? 0),
  );

  return joinSentences([
    written
      ? setupPhrases.declared(await versionOwnerName(written, context), describeEquipment(written))
      : null,
    describeValidityPeriod(period, context),
    inForce,
  ]);
}

export function describeValidityPeriod(
  { from, to }: Omit<PastVersion, 'kind'>,
  context: WordingContext,
): string {
  const at = (instant: number): string => formatInstant(instant, context);
  return setupPhrases.validityPeriod(from === null ? null : at(from), at(to));
}

export async function summarizeParcelIrrigation(
  { parcelId, installation, probes, settings }: ParcelIrrigationBody,
  context: SummaryContext,
): Promise<string> {
  const name = await parcelName(context.directory, parcelId);

  const listProbes = async (listed: ParcelIrrigationBody['probes']): Promise<string> =>
    englishFormat.list(
      await Promise.all(listed.map(({ moduleId }) => moduleName(context.directory, moduleId))),
    );

  const own = probes.filter((probe) => probe.installation?.scope === 'module');
  const reached = probes.filter((probe) => probe.installation?.scope === 'parcel');
  return joinSentences([
    installation
      ? setupPhrases.inForce({
          name,
          equipment: describeEquipment(installation),
          parcel: null,
          since: describeValidFrom(installation.validFrom, context),
        })
      : setupPhrases.noParcelSetup(name),
    reached.length === 0 ? null : setupPhrases.reachedProbes(await listProbes(reached)),
    own.length === 0
      ? null
      : setupPhrases.probesWithOwnEquipment(await listProbes(own), own.length),
    ...describeSettings({ settings }),
  ]);
}

const versionOwnerName = (
  version: InstallationVersionBody,
  { directory }: SummaryContext,
): Promise<string> => targetName(directory, version);

/** Tells the versions of one probe or parcel apart. */
export async function describeVersion(
  version: InstallationVersionBody,
  context: SummaryContext,
): Promise<string> {
  const { until, setupOf } = setupPhrases;
  const { validFrom, validTo } = version;
  const end = validTo === null ? [] : [until(formatInstant(Date.parse(validTo), context))];
  return [
    setupOf(await versionOwnerName(version, context)),
    describeEquipment(version),
    describeValidFrom(validFrom, context),
    ...end,
  ].join(', ');
}

export async function summarizePlacement(
  configuration: IrrigationConfigurationBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, configuration.moduleId);
  const distance = configuration.placement?.emitterDistanceCm ?? null;
  return setupPhrases.placement(name, distance === null ? null : formatNumber(distance));
}

export const summarizeSetupVersion = async (
  version: InstallationVersionBody,
  context: SummaryContext,
): Promise<string> =>
  setupPhrases.version(
    await versionOwnerName(version, context),
    describeEquipment(version),
    describeValidFrom(version.validFrom, context),
  );

export async function summarizeParcelSetup(
  _: unknown,
  context: SummaryContext,
  { parcelId, ...entry }: { parcelId: number } & EquipmentInput & SpacingInput,
  advisories: readonly Advisory[],
): Promise<string> {
  const name = await parcelName(context.directory, parcelId);
  const emittersPerM2 = entry.emittersPerM2 ?? densityOf(entry);
  const kept = advisories.find(({ kind }) => kind === 'equipment_kept');
  return setupPhrases.declared(
    name,
    describeEquipment(completeEquipment({ ...entry, emittersPerM2, ...kept })),
  );
}

interface GeneralizedSetup {
  readonly probes: readonly { before: { id: number } | null; after: { id: number } | null }[];
  readonly leftOut: { changed: number; unchanged: number };
}

export async function summarizeGeneralizedSetup(
  { probes, leftOut }: GeneralizedSetup,
  context: SummaryContext,
  {
    moduleId,
    effectiveFrom,
    dryRun: isDryRun = false,
  }: { moduleId: number; effectiveFrom?: number | undefined; dryRun?: boolean | undefined },
): Promise<string> {
  const { generalizeResult, nothingWritten, listedModules } = setupPhrases;
  const total = probes.length + leftOut.changed + leftOut.unchanged;
  const changed =
    leftOut.changed + probes.filter(({ before, after }) => before?.id !== after?.id).length;
  const since = effectiveFrom === undefined ? null : describeStart(effectiveFrom, context);

  return joinSentences([
    generalizeResult({
      name: await moduleName(context.directory, moduleId),
      since,
      changed,
      probes: total,
      isDryRun,
    }),
    isDryRun ? nothingWritten : null,
    probes.length < total ? listedModules(probes.length) : null,
  ]);
}

export async function summarizeSetupAndSettings(
  setup: IrrigationSetupBody,
  context: SummaryContext,
): Promise<string> {
  return joinSentences([
    await summarizeIrrigationSetup(setup, context),
    ...describeSettings(setup),
    ...describeCalibration(setup, context),
  ]);
}
