import { completeEquipment } from '../../domain/irrigation/equipment.ts';
import { quote } from '../../domain/text.ts';
import {
  CM_PER_INCH,
  M2_PER_ACRE,
  mmToInches,
  type UnitSystem,
  unitSystemOf,
} from '../../domain/units.ts';
import { formatEntered, formatRate } from '../../language/number-format.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
} from '../../schema/farm/farm-file.ts';

const METRES2_PER_HECTARE = 10_000;

/** A preview, one line for each parcel and probe. */
export function formatFarmOutline({
  company,
  users = [],
  parcels = [],
  modules = [],
}: FarmFile): string {
  const { name, countryCode, timezone } = company;
  const units = unitSystemOf(null, countryCode ?? null);
  const location = [countryCode, timezone].filter((each) => each != null).join(', ');
  return [
    `${quote(name)} (${location})`,
    ...users.map((user) => `  ${quote(user.name)}, ${user.email}, ${user.role}`),
    ...parcels.flatMap((parcel) => [
      `  ${formatParcel(parcel, units)}`,
      ...modules
        .filter((module) => module.parcel === parcel.name)
        .map((module) => `    ${formatProbe(module, units)}`),
    ]),
    ...modules
      .filter((module) => module.parcel == null)
      .map((module) => `  ${formatProbe(module, units)}`),
    '',
  ].join('\n');
}

function formatParcel(
  { name, type, installation, soilProfile = [], settings }: FarmParcel,
  units: UnitSystem,
): string {
  const parts = [quote(name)];
  if (type != null) parts.push(type);
  if (installation) parts.push(formatEquipment(installation, units));
  parts.push(...soilProfile.map(({ usdaClass }) => usdaClass.toLowerCase()));
  const rootDepthCm = settings?.rootDepthCm ?? null;
  if (rootDepthCm !== null) parts.push(`roots ${formatDepth(rootDepthCm, units)}`);
  return parts.join(', ');
}

const formatDepth = (cm: number, units: UnitSystem): string =>
  units === 'us' ? `${formatEntered(cm / CM_PER_INCH, 'en')} in (${cm} cm)` : `${cm} cm`;

function formatEquipment(installation: FarmInstallation, units: UnitSystem): string {
  const { system, flowMmPerH, irrigatedAreaM2 } = completeEquipment(installation);
  const rate = flowMmPerH === null ? 'application rate unknown' : formatRateIn(flowMmPerH, units);
  const area = irrigatedAreaM2 === null ? '' : ` on ${formatArea(irrigatedAreaM2, units)}`;
  return `${system}, ${rate}${area}`;
}

const formatRateIn = (mmPerH: number, units: UnitSystem): string =>
  units === 'us'
    ? `${formatRate(mmToInches(mmPerH), 'en')} in/h`
    : `${formatRate(mmPerH, 'en')} mm/h`;

const formatArea = (m2: number, units: UnitSystem): string =>
  units === 'us'
    ? `${formatEntered(m2 / M2_PER_ACRE, 'en')} acres`
    : `${formatEntered(m2 / METRES2_PER_HECTARE, 'en')} ha`;

const formatProbe = (
  { name, uid, sensors = [], commissionedAt }: FarmModule,
  units: UnitSystem,
): string => {
  const unit = sensors.some(({ type }) => type === 'tensio') ? 'kPa' : '%';
  const inches = sensors.map(({ depth }) =>
    formatEntered(Math.round((depth ?? 0) / CM_PER_INCH), 'en'),
  );
  const cm = `${sensors.map(({ depth }) => depth).join(', ')} cm`;
  const depths = units === 'us' ? `${inches.join(', ')} in (${cm})` : cm;
  const number = uid === name ? '' : `, number ${quote(uid)}`;
  const since = commissionedAt == null ? '' : `, since ${commissionedAt}`;
  return `${quote(name ?? uid)}: ${unit} at ${depths}${number}${since}`;
};
