import { outlineFault } from '../domain/outline.ts';
import { nulIn, wellFormed } from '../operation/stored-text.ts';
import type { AcequiaError } from '../schema/error.ts';
import { type Farm, farmFile } from '../schema/farm.ts';
import { type Fault, faultsIn, jsonOf, pathText, refusalOfFaults, shown } from './json-faults.ts';

/** The refusal of a farm file; it names the first faults. */
export function farmRefusal(faults: readonly Fault[]): AcequiaError {
  return refusalOfFaults(
    faults,
    'Nothing was imported. Mend the file; acequia import --print-schema prints what it may hold.',
  );
}

/** The text of a farm file as a farm that is sound in itself; what it refers to in the store is checked later. */
export function readFarm(text: string): Farm {
  const given = jsonOf(text, 'farm file');
  const nul = nulIn(given);
  if (nul) throw farmRefusal([{ path: pathText(nul), says: 'holds the character U+0000, which no store keeps.' }]);
  const parsed = farmFile.safeParse(wellFormed(given));
  if (!parsed.success) throw farmRefusal(faultsIn(farmFile, parsed.error));
  const faults = [
    ...repeatedKeys(parsed.data),
    ...badOutlines(parsed.data),
    ...badLayers(parsed.data),
    ...halfPositions(parsed.data),
  ];
  if (faults.length > 0) throw farmRefusal(faults);
  return parsed.data;
}

/** Keys by which rows are known again must be one of their kind in a file; so must module names. */
function repeatedKeys(farm: Farm): Fault[] {
  const repeats = <T>(
    list: readonly T[] | undefined,
    place: string,
    key: string,
    keyOf: (each: T) => string | null | undefined,
  ): Fault[] => {
    const first = new Map<string, number>();
    return (list ?? []).flatMap((each, index) => {
      const value = keyOf(each);
      if (value == null) return [];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      return before === undefined
        ? []
        : [{ path: `${place}[${index}].${key}`, says: `is that of ${place}[${before}] again: ${shown(value)}.` }];
    });
  };
  return [
    ...repeats(farm.users, 'users', 'email', (user) => user.email.toLowerCase()),
    ...repeats(farm.parcels, 'parcels', 'name', (parcel) => parcel.name),
    ...repeats(farm.gateways, 'gateways', 'imei', (gateway) => gateway.imei),
    ...repeats(farm.modules, 'modules', 'uid', (module) => module.uid),
    ...repeats(farm.modules, 'modules', 'name', (module) => module.name),
    ...(farm.modules ?? []).flatMap(({ sensors }, index) =>
      repeats(sensors, `modules[${index}].sensors`, 'depth', ({ type, depth }) => `${type} at ${depth ?? 'no depth'}`),
    ),
  ];
}

const badOutlines = (farm: Farm): Fault[] =>
  (farm.parcels ?? []).flatMap(({ geometry }, index) => {
    const fault = geometry && outlineFault(geometry);
    return fault
      ? [{ path: `parcels[${index}].geometry${fault.path}`, says: `is not valid: expected ${fault.expected}.` }]
      : [];
  });

/** A layer ends below its top, and none begins above the end of another. */
const badLayers = (farm: Farm): Fault[] =>
  (farm.parcels ?? []).flatMap(({ soilProfile = [] }, index) =>
    soilProfile.flatMap((layer, at) => {
      const path = `parcels[${index}].soilProfile[${at}]`;
      if (layer.depthBottomCm <= layer.depthTopCm)
        return [{ path: `${path}.depthBottomCm`, says: 'is not valid: expected a bottom below the top.' }];
      const other = soilProfile.findIndex(
        (each, before) => before < at && each.depthTopCm < layer.depthBottomCm && layer.depthTopCm < each.depthBottomCm,
      );
      return other < 0 ? [] : [{ path, says: `overlaps parcels[${index}].soilProfile[${other}].` }];
    }),
  );

const halfPositions = (farm: Farm): Fault[] =>
  (farm.gateways ?? []).flatMap(({ status }, index) => {
    if (!status || (status.lat == null) === (status.lon == null)) return [];
    const missing = status.lat == null ? 'lat' : 'lon';
    return [{ path: `gateways[${index}].status.${missing}`, says: 'is missing: a position has both lat and lon.' }];
  });
