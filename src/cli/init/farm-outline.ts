import { completeEquipment } from '../../domain/irrigation/equipment.ts';
import { quote } from '../../domain/text.ts';
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
  const location = [countryCode, timezone].filter((each) => each != null).join(', ');
  return [
    `${quote(name)} (${location})`,
    ...users.map((user) => `  ${quote(user.name)}, ${user.email}, ${user.role}`),
    ...parcels.flatMap((parcel) => [
      `  ${formatParcel(parcel)}`,
      ...modules
        .filter((module) => module.parcel === parcel.name)
        .map((module) => `    ${formatProbe(module)}`),
    ]),
    ...modules
      .filter((module) => module.parcel == null)
      .map((module) => `  ${formatProbe(module)}`),
    '',
  ].join('\n');
}

function formatParcel({ name, type, installation }: FarmParcel): string {
  const parts = [quote(name)];
  if (type != null) parts.push(type);
  if (installation) parts.push(formatEquipment(installation));
  return parts.join(', ');
}

function formatEquipment(installation: FarmInstallation): string {
  const { system, flowMmPerH, irrigatedAreaM2 } = completeEquipment(installation);
  const rate =
    flowMmPerH === null ? 'application rate unknown' : `${formatRate(flowMmPerH, 'en')} mm/h`;
  const area =
    irrigatedAreaM2 === null
      ? ''
      : ` on ${formatEntered(irrigatedAreaM2 / METRES2_PER_HECTARE, 'en')} ha`;
  return `${system}, ${rate}${area}`;
}

const formatProbe = ({ name, uid, sensors = [], commissionedAt }: FarmModule): string => {
  const unit = sensors.some(({ type }) => type === 'tensio') ? 'kPa' : '%';
  const depths = sensors.map(({ depth }) => depth).join(', ');
  const number = uid === name ? '' : `, number ${quote(uid)}`;
  const since = commissionedAt == null ? '' : `, since ${commissionedAt}`;
  return `${quote(name ?? uid)}: ${unit} at ${depths} cm${number}${since}`;
};
