import {
  type EquipmentVersion,
  FIRST_SETUP_AT,
  versionAt,
} from '../../domain/irrigation/equipment-timeline.ts';
import { pointsOf } from '../../domain/moisture/calibration.ts';
import { type SettingsVersion, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { sourceTimesAt } from '../../domain/moisture/water-sources.ts';
import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import type { WriteContext } from '../../operation/call.ts';
import type {
  FarmFile,
  FarmInstallation,
  FarmModule,
  FarmParcel,
  FarmSensor,
} from '../../schema/farm/farm-file.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { allMembers, type CompanyRow } from '../../store/company/companies.ts';
import { moduleMapper } from '../../store/company/modules.ts';
import { parcelMapper } from '../../store/company/parcels.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { type FarmRow, farmRows } from '../../store/farm/farm-rows.ts';
import {
  type InstallationTarget,
  ownVersions,
  placementOf,
} from '../../store/irrigation/installations.ts';
import {
  ownSettingsVersions,
  type SettingsTarget,
} from '../../store/moisture/settings-versions.ts';
import { waterSources } from '../../store/moisture/water-sources.ts';
import { openLayers } from '../../store/soil/soil-layers.ts';
import { seasonsOfParcels } from '../company/seasons.ts';

/**
 * The farm as it is now, as a file that `importFarm` reads. What is null is left out. Earlier setups,
 * settings and seasons are not in it, nor what was recorded or drawn.
 */
export async function exportFarm(context: WriteContext, company: CompanyRow): Promise<FarmFile> {
  const { db } = context;
  const parcels = await farmRows(db, 'parcels');
  const gateways = await farmRows(db, 'gateways');
  const references = {
    parcels: new Map(parcels.map(({ id, name }) => [id, name])),
    gateways: new Map(gateways.map(({ id, imei }) => [id, imei])),
  };

  const sources = await waterSources(db);
  const modules: FarmModule[] = [];
  for (const row of await farmRows(db, 'modules'))
    modules.push(await toFarmModule(context, row, references));

  return {
    company: toFarmCompany(company),
    users: (await allMembers(db)).map(({ email, name, role }) => ({ email, name, role })),
    ...(sources.length === 0
      ? {}
      : {
          waterSources: sources.map((source) => ({
            name: source.name,
            waterTimes: sourceTimesAt(source, context.now),
          })),
        }),
    parcels: await toFarmParcels(context, parcels),
    gateways: gateways.map(toFarmGateway),
    modules,
  };
}

/** Without the fields that are null or undefined. */
type Known<T> = { [K in keyof T]?: NonNullable<T[K]> };

const known = <T extends object>(fields: T): Known<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Known<T>;

/** Null if no field is known. */
function knownOrNull<T extends object>(fields: T): Known<T> | null {
  const rest = known(fields);
  return Object.keys(rest).length === 0 ? null : rest;
}

const toFarmCompany = ({ name, ...row }: CompanyRow): FarmFile['company'] => ({
  name,
  ...known({
    legalName: row.legal_name,
    countryCode: row.country_code,
    currency: row.currency,
    city: row.city,
    postalCode: row.postal_code,
    region: row.region,
    timezone: row.timezone,
    units: row.units,
  }),
});

async function toFarmParcels(
  context: WriteContext,
  rows: readonly FarmRow<'parcels'>[],
): Promise<FarmParcel[]> {
  const { db } = context;
  const seasons = await seasonsOfParcels(
    db,
    rows.map(({ id }) => id),
  );
  const parcels: FarmParcel[] = [];
  for (const row of rows) {
    const { id, name, ...fields } = parcelMapper.toValue(row);
    const { crop: _, ...season } = seasons.get(id) ?? { crop: null };
    const layers = (await openLayers(db, id)).flatMap(
      ({ soilHorizonId, depthTopCm, depthBottomCm }) => {
        const soilClass = soilHorizonById(soilHorizonId);
        return soilClass === null
          ? []
          : [{ usdaClass: soilClass.usdaClass, depthTopCm, depthBottomCm }];
      },
    );
    parcels.push({
      name,
      ...known({
        ...fields,
        soilProfile: layers.length === 0 ? null : layers,
        installation: await installationOf(context, { parcelId: id }),
        settings: await settingsOf(context, { parcelId: id }),
        season: knownOrNull(season),
      }),
    });
  }
  return parcels;
}

const toFarmGateway = (row: FarmRow<'gateways'>): NonNullable<FarmFile['gateways']>[number] => ({
  imei: row.imei,
  assignedAt: toIso(row.assigned_at),
  ...known({
    serialHex: row.serial_hex,
    firmware: row.firmware,
    status: knownOrNull({
      lastSeen: toIsoOrNull(row.last_seen_at),
      batteryMv: row.battery_mv,
      level: row.level,
      lat: row.lat,
      lon: row.lon,
    }),
  }),
});

async function toFarmModule(
  context: WriteContext,
  row: FarmRow<'modules'>,
  references: Readonly<Record<'parcels' | 'gateways', ReadonlyMap<number, string>>>,
): Promise<FarmModule> {
  const { db } = context;
  const module = moduleMapper.toValue(row);
  const { id: moduleId, parcelId, gatewayId, commissionedAt, position } = module;
  const sensors = (await sensorsOf(db, [moduleId])).sort((a, b) => a.id - b.id);
  const placement = await placementOf(db, moduleId);
  const calibration = pointsOf(sensors).map((point) => ({
    ...point,
    from: toIsoOrNull(point.from),
  }));

  return {
    uid: module.uid,
    // Left out, it would be the import.
    commissionedAt: toIsoOrNull(commissionedAt),
    sensors: sensors.map(
      ({ type, depth, label }): FarmSensor => ({ type, ...known({ depth, label }) }),
    ),
    ...known({
      name: module.name,
      number: module.number,
      serialHex: module.serialHex,
      category: module.category,
      parcel: parcelId === null ? null : references.parcels.get(parcelId),
      gateway: gatewayId === null ? null : references.gateways.get(gatewayId),
      isCommissioningAssumed: commissionedAt === null ? null : module.isCommissioningAssumed,
      location: position && { lat: position.lat, lon: position.lon, source: position.source },
      calibration: calibration.length === 0 ? null : calibration,
      settings: await settingsOf(context, { moduleId }),
      installation: await installationOf(context, { moduleId }),
      placement:
        placement &&
        knownOrNull({ emitterDistanceCm: placement.emitterDistanceCm, notes: placement.notes }),
    }),
  };
}

async function settingsOf({ db, now }: WriteContext, target: SettingsTarget) {
  const version = settingsVersionAt(await ownSettingsVersions(db, target), now);
  return version && knownOrNull(withoutStart(version));
}

const withoutStart = ({ validFrom: _, ...settings }: SettingsVersion) => settings;

/** The setup in force. A rate or a wetted fraction that follows from the rest is left out. */
async function installationOf(
  { db, now }: WriteContext,
  target: InstallationTarget,
): Promise<FarmInstallation | null> {
  const version = versionAt(await ownVersions(db, target), now);
  if (version === null) return null;

  const { system, emitterFlowLph, emittersPerM2, flowMmPerH, validFrom } = version;
  const hasEmitters = emitterFlowLph !== null && emittersPerM2 !== null;
  return {
    system,
    ...known({
      emitterFlowLph,
      emittersPerM2,
      emitterSpacingM: version.emitterSpacingM,
      lineSpacingM: version.lineSpacingM,
      flowMmPerH: hasEmitters ? null : flowMmPerH,
      irrigatedAreaM2: version.irrigatedAreaM2,
      fractionWetted: measuredFraction(version),
      notes: version.notes,
      effectiveFrom: validFrom === FIRST_SETUP_AT ? null : toIso(validFrom),
    }),
  };
}

const measuredFraction = ({ fractionWetted, fractionWettedIsDefault }: EquipmentVersion) =>
  fractionWettedIsDefault ? null : fractionWetted;
