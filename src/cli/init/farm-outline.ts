import { completeEquipment } from '../../domain/irrigation/equipment.ts';
import type { Lang } from '../../domain/lang.ts';
import { quote } from '../../domain/strings.ts';
import {
  CM_PER_INCH,
  M2_PER_ACRE,
  M2_PER_HA,
  mmToInches,
  type UnitSystem,
  unitSystemOf,
} from '../../domain/units.ts';
import { US_UNITS } from '../../language/american-units.ts';
import { languageOf } from '../../language/index.ts';
import { formatEntered, formatRate } from '../../language/number-format.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
} from '../../schema/farm/farm-file.ts';

interface Style {
  readonly lang: Lang;
  readonly units: UnitSystem;
}

/** A preview, one line for each parcel and probe. */
export function formatFarmOutline(
  { company, users = [], parcels = [], modules = [] }: FarmFile,
  lang: Lang,
): string {
  const { name, countryCode, timezone } = company;
  const style: Style = { lang, units: unitSystemOf(null, countryCode ?? null) };
  const location = [countryCode, timezone].filter((each) => each != null).join(', ');
  return [
    `${quote(name)} (${location})`,
    ...users.map((user) => `  ${quote(user.name)}, ${user.email}`),
    ...parcels.flatMap((parcel) => [
      `  ${formatParcel(parcel, style)}`,
      ...modules
        .filter((module) => module.parcel === parcel.name)
        .map((module) => `    ${formatProbe(module, style)}`),
    ]),
    ...modules
      .filter((module) => module.parcel == null)
      .map((module) => `  ${formatProbe(module, style)}`),
    '',
  ].join('\n');
}

function formatParcel(
  { name, type, installation, soilProfile = [], settings }: FarmParcel,
  style: Style,
): string {
  const { interview: words, labels } = languageOf(style.lang);
  const parts = [quote(name)];
  if (type != null) parts.push(type);
  if (installation) parts.push(formatEquipment(installation, style));
  parts.push(...soilProfile.map(({ usdaClass }) => labels.texture(usdaClass).toLowerCase()));
  const rootDepthCm = settings?.rootDepthCm ?? null;
  if (rootDepthCm !== null) parts.push(words.rootsTo(formatDepth(rootDepthCm, style)));
  return parts.join(', ');
}

const formatDepth = (cm: number, { units, lang }: Style): string =>
  units === 'us' ? `${formatEntered(cm / CM_PER_INCH, lang)} in (${cm} cm)` : `${cm} cm`;

function formatEquipment(installation: FarmInstallation, style: Style): string {
  const { interview: words, enumLabels } = languageOf(style.lang);
  const { system, flowMmPerH, irrigatedAreaM2 } = completeEquipment(installation);
  const rate = flowMmPerH === null ? words.rateUnknown : formatRateIn(flowMmPerH, style);
  const area = irrigatedAreaM2 === null ? '' : ` ${words.on(formatArea(irrigatedAreaM2, style))}`;
  const name = enumLabels.irrigation_systems[system].replace(/ [(].*/, '').toLowerCase();
  return `${name}, ${rate}${area}`;
}

const formatRateIn = (mmPerH: number, { units, lang }: Style): string =>
  units === 'us'
    ? `${formatRate(mmToInches(mmPerH), lang)} in/h`
    : `${formatRate(mmPerH, lang)} mm/h`;

function formatArea(m2: number, { units, lang }: Style): string {
  if (units === 'metric') return `${formatEntered(m2 / M2_PER_HA, lang)} ha`;
  const figure = formatEntered(m2 / M2_PER_ACRE, lang);
  return `${figure} ${US_UNITS.ha().symbol(lang, figure)}`;
}

const formatProbe = (
  { name, uid, sensors = [], commissionedAt }: FarmModule,
  { units, lang }: Style,
): string => {
  const { interview: words } = languageOf(lang);
  const unit = sensors.some(({ type }) => type === 'tensio') ? 'kPa' : '%';
  const inches = sensors.map(({ depth }) =>
    formatEntered(Math.round((depth ?? 0) / CM_PER_INCH), lang),
  );
  const cm = `${sensors.map(({ depth }) => depth).join(', ')} cm`;
  const depths = units === 'us' ? `${inches.join(', ')} in (${cm})` : cm;
  const number = uid === name ? '' : `, ${words.numbered(uid)}`;
  const since = commissionedAt == null ? '' : `, ${words.installedOn(commissionedAt)}`;
  return `${quote(name ?? uid)}: ${unit} ${words.at(depths)}${number}${since}`;
};
